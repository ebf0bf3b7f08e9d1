// How far a mesh reaches along each axis, from the bytes of its file: STL, as text or binary, or
// OBJ. Reads where the vertices are and nothing else, in one pass and without memory of its own.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "solver/base/math.h"

namespace talus::model {

struct Extents {
  Vec3 low = Vec3::Zero();
  Vec3 high = Vec3::Zero();
};

// `name` tells the format by its ending (.stl, .obj, in any case). INVALID_ARGUMENT, without a
// field: another ending, a file that is cut short, a coordinate that is no finite number, no vertex
// at all.
absl::StatusOr<Extents> FindExtents(std::string_view name, std::string_view bytes);

}  // namespace talus::model
