// From the collision elements of a URDF link to shapes of a body.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/model/mesh_extents.h"
#include "server/model/model_file.h"
#include "server/model/model_options.h"
#include "server/model/unsupported_list.h"
#include "server/model/urdf_model.h"
#include "solver/scene/shape.h"

namespace talus::model {

class CollisionShapes {
 public:
  // Both outlive it. What it does not take is listed in `unsupported`.
  CollisionShapes(std::span<const ModelFile> files, const ModelOptions& options,
                  UnsupportedList& unsupported)
      : files_(files), options_(options), unsupported_(unsupported) {}

  // Adds the shapes of a link whose frame is `pose_body` (body <- link). Spheres and boxes are
  // taken as they are; of a cylinder and a mesh the bounding box, where the options want that. A
  // mesh whose file is not there is unsupported. INVALID_ARGUMENT: a mesh that cannot be read.
  absl::Status Add(const UrdfLink& link, const Pose& pose_body, std::vector<ShapeDef>& shapes);

  // Bounding boxes that were taken.
  int64_t stand_in_count() const { return stand_in_count_; }

 private:
  struct Finder;

  // Each file is read once, however many elements name it.
  const absl::StatusOr<Extents>& ExtentsOf(const ModelFile& file);

  std::span<const ModelFile> files_;
  const ModelOptions& options_;
  UnsupportedList& unsupported_;
  std::map<const ModelFile*, absl::StatusOr<Extents>> extents_;
  int64_t stand_in_count_ = 0;
};

}  // namespace talus::model
