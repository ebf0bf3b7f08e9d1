// How many of its parts a scene may have (base/limits.h). RESOURCE_EXHAUSTED names the part, its
// count and the limit.
#pragma once

#include <cstddef>

#include "absl/status/status.h"

namespace talus {

absl::Status CheckBodyCount(size_t count);
absl::Status CheckJointCount(size_t count);
absl::Status CheckMaterialCount(size_t count);
absl::Status CheckEmitterCount(size_t count);

}  // namespace talus
