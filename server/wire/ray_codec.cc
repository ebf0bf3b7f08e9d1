#include "server/wire/ray_codec.h"

#include <limits>

#include "server/wire/geometry_codec.h"
#include "solver/base/status.h"
#include "solver/rays/validate_rays.h"

namespace talus::wire {
namespace {

using DoubleColumn = google::protobuf::RepeatedField<double>;

void AddTriple(const Vec3& vector, DoubleColumn& column) {
  for (int axis = 0; axis < 3; ++axis) column.AddAlreadyReserved(vector[axis]);
}

}  // namespace

absl::StatusOr<RayQuery> DecodeRayQuery(const v1::CastRaysRequest& request) {
  TALUS_RETURN_IF_ERROR(CheckRayCounts(static_cast<size_t>(request.rays_size()),
                                       static_cast<size_t>(request.ignored_body_ids_size())));
  RayQuery query;
  query.rays.reserve(static_cast<size_t>(request.rays_size()));
  for (const v1::Ray& message : request.rays()) {
    Ray& ray = query.rays.emplace_back();
    ray.origin = DecodeVector(message.origin_world_m());
    ray.direction = DecodeVector(message.direction_world());
    if (message.has_max_distance_m()) ray.reach_m = message.max_distance_m();
  }
  query.ignored.reserve(static_cast<size_t>(request.ignored_body_ids_size()));
  for (const uint64_t id : request.ignored_body_ids()) query.ignored.push_back(BodyId{id});
  TALUS_RETURN_IF_ERROR(ValidateRays(query));
  return query;
}

void EncodeRayHits(const std::vector<RayHit>& hits, v1::RayHitColumns& message) {
  const int count = static_cast<int>(hits.size());
  message.mutable_distances_m()->Reserve(count);
  message.mutable_body_ids()->Reserve(count);
  message.mutable_shapes()->Reserve(count);
  message.mutable_points_world_m()->Reserve(3 * count);
  message.mutable_normals_world()->Reserve(3 * count);
  for (const RayHit& hit : hits) {
    message.add_distances_m(hit.hit ? hit.contact.distance
                                    : std::numeric_limits<double>::infinity());
    message.add_body_ids(ToInteger(hit.body));
    message.add_shapes(hit.shape);
    AddTriple(hit.contact.point, *message.mutable_points_world_m());
    AddTriple(hit.contact.normal, *message.mutable_normals_world());
  }
}

}  // namespace talus::wire
