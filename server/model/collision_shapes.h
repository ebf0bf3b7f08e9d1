// From the collision elements of a URDF link to shapes of a body.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "server/model/model_file.h"
#include "server/model/model_options.h"
#include "server/model/urdf_model.h"
#include "solver/scene/shape.h"

namespace talus::model {

// What was not taken as it is.
struct ShapeLosses {
  std::vector<UnsupportedElement> unsupported;
  int64_t stand_in_count = 0;
};

// Adds the shapes of a link whose frame is `pose_body` (body <- link). Spheres and boxes are taken
// as they are; of a cylinder and a mesh the bounding box, where the options want that. A mesh whose
// file is not there is unsupported. INVALID_ARGUMENT: a mesh that cannot be read.
absl::Status AddShapes(const UrdfLink& link, const Pose& pose_body,
                       std::span<const ModelFile> files, const ModelOptions& options,
                       std::vector<ShapeDef>& shapes, ShapeLosses& losses);

}  // namespace talus::model
