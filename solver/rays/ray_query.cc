#include "solver/rays/ray_query.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/collision/shape_bounds.h"
#include "solver/rays/bounds_tree.h"
#include "solver/rays/shape_rays.h"

namespace talus {
namespace {

constexpr size_t kSmallestLeaf = 4;
constexpr size_t kRaysBetweenStops = 16;

Pose PoseOfBody(const BodyStore& bodies, size_t row) {
  return {bodies.positions()[row], bodies.orientations()[row]};
}

// One entry a body, not 0 where rays pass through it.
absl::StatusOr<std::vector<uint8_t>> MarkIgnored(const BodyStore& bodies,
                                                 const std::vector<BodyId>& ignored) {
  std::vector<uint8_t> marks(bodies.size(), 0);
  for (size_t index = 0; index < ignored.size(); ++index) {
    const std::optional<size_t> row = bodies.FindRow(ignored[index]);
    if (!row.has_value()) {
      return FieldError("ignored_body_ids[" + std::to_string(index) + "]",
                        FormatValue(ToInteger(ignored[index])),
                        "must be the id of a body in the scene", absl::StatusCode::kNotFound);
    }
    marks[*row] = 1;
  }
  return marks;
}

// The shapes that rays may hit.
class RayTargets {
 public:
  RayTargets(const BodyStore& bodies, const std::vector<uint8_t>& ignored, size_t ray_count)
      : bodies_(bodies), tree_(PlantTree(ignored, ray_count)) {}

  RayHit Cast(const Ray& ray) const {
    RayHit best;
    uint32_t best_shape = 0;
    // Rows of shapes are in the order of bodies, and bodies in that of their ids.
    const auto meet = [&](uint32_t shape) {
      const std::optional<RayContact> contact = MeetRow(ray, shape);
      if (contact.has_value() &&
          (!best.hit || contact->distance < best.contact.distance ||
           (contact->distance == best.contact.distance && shape < best_shape))) {
        best.hit = true;
        best.contact = *contact;
        best_shape = shape;
      }
      return best.hit ? best.contact.distance : ray.reach_m;
    };
    for (const uint32_t plane : planes_) meet(plane);
    tree_.Visit(ray, best.hit ? best.contact.distance : ray.reach_m, meet);
    if (best.hit) {
      best.body = bodies_.ids()[bodies_.shapes().body(best_shape)];
      best.shape = bodies_.shapes().index(best_shape);
    }
    return best;
  }

 private:
  // Also lists the planes, which have no bounds.
  BoundsTree PlantTree(const std::vector<uint8_t>& ignored, size_t ray_count) {
    const ShapeTable& shapes = bodies_.shapes();
    std::vector<BoundedItem> items;
    items.reserve(shapes.size());
    for (uint32_t row = 0; row < shapes.size(); ++row) {
      const uint32_t body = shapes.body(row);
      if (ignored[body] != 0) continue;
      if (const double radius = shapes.ball_radius(row); radius > 0.0) {
        const Vec3 reach = Vec3::Constant(radius);
        const Vec3& center = bodies_.positions()[body];
        items.push_back({{center - reach, center + reach}, row});
        continue;
      }
      const ShapeRow shape = shapes[row];
      if (IsBounded(shape.geometry)) {
        items.push_back(
            {FindBounds(shape.geometry, PoseOfBody(bodies_, body) * shape.pose_body, 0.0), row});
      } else {
        planes_.push_back(row);
      }
    }
    // Leaves for few rays are large: halving on costs more than looking at what is in one.
    const size_t leaf_size = std::max(kSmallestLeaf, items.size() / std::max<size_t>(ray_count, 1));
    return {std::move(items), leaf_size};
  }

  std::optional<RayContact> MeetRow(const Ray& ray, uint32_t row) const {
    const ShapeTable& shapes = bodies_.shapes();
    const uint32_t body = shapes.body(row);
    if (const double radius = shapes.ball_radius(row); radius > 0.0) {
      return MeetSphere(ray, bodies_.positions()[body], radius);
    }
    const ShapeRow shape = shapes[row];
    return MeetShape(ray, shape.geometry, PoseOfBody(bodies_, body) * shape.pose_body);
  }

  const BodyStore& bodies_;
  std::vector<uint32_t> planes_;
  const BoundsTree tree_;  // the last: planes are listed while it is planted
};

}  // namespace

absl::StatusOr<std::vector<RayHit>> CastRays(const BodyStore& bodies, const RayQuery& query,
                                             const std::function<bool()>& stop) {
  TALUS_ASSIGN_OR_RETURN(const std::vector<uint8_t> ignored, MarkIgnored(bodies, query.ignored));
  const RayTargets targets(bodies, ignored, query.rays.size());
  std::vector<RayHit> hits;
  hits.reserve(query.rays.size());
  for (size_t index = 0; index < query.rays.size(); ++index) {
    if (index % kRaysBetweenStops == 0 && stop && stop()) return absl::CancelledError("stopped");
    hits.push_back(targets.Cast(query.rays[index]));
  }
  return hits;
}

}  // namespace talus
