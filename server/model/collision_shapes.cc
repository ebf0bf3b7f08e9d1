#include "server/model/collision_shapes.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "server/model/mesh_extents.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus::model {
namespace {

// What stands for one collision element: a shape posed in the element's frame, or why there is
// none.
struct FoundShape {
  Geometry geometry;
  Vec3 center = Vec3::Zero();
  bool stand_in = false;
  std::optional<std::string> missing;
};

class ShapeFinder {
 public:
  ShapeFinder(std::span<const ModelFile> files, ShapeStandIn stand_in)
      : files_(files), boxes_(stand_in == ShapeStandIn::kBoundingBox) {}

  absl::StatusOr<FoundShape> operator()(const UrdfBox& box) const {
    return FoundShape{.geometry = Box{0.5 * box.size_m}, .missing = {}};
  }
  absl::StatusOr<FoundShape> operator()(const UrdfSphere& sphere) const {
    return FoundShape{.geometry = Sphere{sphere.radius_m}, .missing = {}};
  }
  absl::StatusOr<FoundShape> operator()(const UrdfCylinder& cylinder) const {
    if (!boxes_) return Missing("a cylinder");
    const Vec3 half(cylinder.radius_m, cylinder.radius_m, 0.5 * cylinder.length_m);
    return FoundShape{.geometry = Box{half}, .stand_in = true, .missing = {}};
  }
  absl::StatusOr<FoundShape> operator()(const UrdfMesh& mesh) const {
    if (!boxes_) return Missing("a mesh");
    const ModelFile* file = FindFile(files_, mesh.uri);
    if (file == nullptr)
      return Missing("no file came for " + FormatValue(std::string_view(mesh.uri)) + ", so it");
    const absl::StatusOr<Extents> extents = FindExtents(file->name, file->bytes);
    if (!extents.ok()) {
      return FieldError("files[" + std::to_string(file - files_.data()) + "]",
                        FormatValue(file->name),
                        "must be a mesh: " + std::string(extents.status().message()));
    }
    const Vec3 low = extents->low.cwiseProduct(mesh.scale);
    const Vec3 high = extents->high.cwiseProduct(mesh.scale);
    return FoundShape{.geometry = Box{0.5 * (high - low).cwiseAbs()},
                      .center = 0.5 * (low + high),
                      .stand_in = true,
                      .missing = {}};
  }
  absl::StatusOr<FoundShape> operator()(const UrdfUnknownShape& shape) const {
    return Missing("a shape of the kind " + FormatValue(std::string_view(shape.kind)));
  }

 private:
  static FoundShape Missing(const std::string& what) {
    return {.geometry = {}, .missing = what + " is left out"};
  }

  std::span<const ModelFile> files_;
  const bool boxes_;
};

}  // namespace

absl::Status AddShapes(const UrdfLink& link, const Pose& pose_body,
                       std::span<const ModelFile> files, const ModelOptions& options,
                       std::vector<ShapeDef>& shapes, ShapeLosses& losses) {
  for (const UrdfCollision& collision : link.collisions) {
    TALUS_ASSIGN_OR_RETURN(FoundShape found,
                           std::visit(ShapeFinder(files, options.stand_in), collision.shape));
    if (found.missing.has_value()) {
      losses.unsupported.push_back({collision.element, collision.line, *std::move(found.missing)});
      continue;
    }
    losses.stand_in_count += found.stand_in ? 1 : 0;
    Pose pose = pose_body * collision.origin;
    pose.position = pose * found.center;
    shapes.push_back({found.geometry, pose, options.material});
  }
  return absl::OkStatus();
}

}  // namespace talus::model
