#include "server/model/collision_shapes.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus::model {
namespace {

// What stands for one collision element: a shape in the element's frame, or why there is none.
struct FoundShape {
  Geometry geometry;
  Vec3 center = Vec3::Zero();
  bool stand_in = false;
  std::optional<std::string> missing = std::nullopt;
};

FoundShape Missing(const std::string& what) {
  return {.geometry = {}, .missing = what + " is left out"};
}

}  // namespace

struct CollisionShapes::Finder {
  CollisionShapes& shapes;
  const bool boxes = shapes.options_.stand_in == ShapeStandIn::kBoundingBox;

  absl::StatusOr<FoundShape> operator()(const UrdfBox& box) const {
    return FoundShape{.geometry = Box{0.5 * box.size_m}};
  }
  absl::StatusOr<FoundShape> operator()(const UrdfSphere& sphere) const {
    return FoundShape{.geometry = Sphere{sphere.radius_m}};
  }
  absl::StatusOr<FoundShape> operator()(const UrdfCylinder& cylinder) const {
    if (!boxes) return Missing("a cylinder");
    const Vec3 half(cylinder.radius_m, cylinder.radius_m, 0.5 * cylinder.length_m);
    return FoundShape{.geometry = Box{half}, .stand_in = true};
  }
  absl::StatusOr<FoundShape> operator()(const UrdfMesh& mesh) const {
    if (!boxes) return Missing("a mesh");
    const ModelFile* file = FindFile(shapes.files_, mesh.uri);
    if (file == nullptr) {
      return Missing("no file came for " + FormatValue(std::string_view(mesh.uri)) + ", so it");
    }
    const absl::StatusOr<Extents>& extents = shapes.ExtentsOf(*file);
    if (!extents.ok()) {
      return FieldError("files[" + std::to_string(file - shapes.files_.data()) + "]",
                        FormatValue(file->name),
                        "must be a mesh: " + std::string(extents.status().message()));
    }
    const Vec3 low = extents->low.cwiseProduct(mesh.scale);
    const Vec3 high = extents->high.cwiseProduct(mesh.scale);
    return FoundShape{.geometry = Box{0.5 * (high - low).cwiseAbs()},
                      .center = 0.5 * (low + high),
                      .stand_in = true};
  }
  absl::StatusOr<FoundShape> operator()(const UrdfUnknownShape& shape) const {
    return Missing("a shape of the kind " + FormatValue(std::string_view(shape.kind)));
  }
};

const absl::StatusOr<Extents>& CollisionShapes::ExtentsOf(const ModelFile& file) {
  const auto known = extents_.find(&file);
  if (known != extents_.end()) return known->second;
  return extents_.emplace(&file, FindExtents(file.name, file.bytes)).first->second;
}

absl::Status CollisionShapes::Add(const UrdfLink& link, const Pose& pose_body,
                                  std::vector<ShapeDef>& shapes) {
  for (const UrdfCollision& collision : link.collisions) {
    TALUS_ASSIGN_OR_RETURN(FoundShape found, std::visit(Finder{*this}, collision.shape));
    if (found.missing.has_value()) {
      unsupported_.Add({collision.element, collision.line, *std::move(found.missing)});
      continue;
    }
    stand_in_count_ += found.stand_in ? 1 : 0;
    Pose pose = pose_body * collision.origin;
    pose.position = pose * found.center;
    shapes.push_back({found.geometry, pose, options_.material});
  }
  return absl::OkStatus();
}

}  // namespace talus::model
