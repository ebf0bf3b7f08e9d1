// Reads the text of a URDF file.
//
// What it describes is taken as it stands; how links hang together is the question of link_tree.h,
// and whether a scene can hold it that of solver/scene/validate.h. What is drawn (visual, material)
// is passed over, since nothing here is drawn; every other element that means nothing to a scene is
// listed. Bounded by the size of the text.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/model/urdf_model.h"

namespace talus::model {

inline constexpr size_t kMaxUrdfBytes = size_t{8} << 20;
inline constexpr size_t kMaxLinks = 10'000;

// INVALID_ARGUMENT names the element, its value and what it must be, as in
// `urdf.joint[elbow].limit.upper = "much" must be a finite number (line 12)`.
absl::StatusOr<UrdfModel> ReadUrdf(std::string_view text);

}  // namespace talus::model
