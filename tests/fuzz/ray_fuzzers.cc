// Rays into a scene: what a caller asks for, and what he is told.
#include <cmath>

#include "server/wire/ray_codec.h"
#include "solver/base/check.h"
#include "tests/fuzz/fuzz_world.h"
#include "tests/fuzz/fuzzers.h"

namespace talus::fuzz {
namespace {

void CheckRayHit(const Ray& ray, const RayHit& hit) {
  TALUS_CHECK(hit.hit == (ToInteger(hit.body) != 0));
  if (!hit.hit) return;
  TALUS_CHECK(hit.contact.distance >= 0.0 && hit.contact.distance <= ray.reach_m);
  TALUS_CHECK(IsFinite(hit.contact.point) && std::abs(hit.contact.normal.norm() - 1.0) < 1e-12);
  // Nobody hits a surface from behind.
  TALUS_CHECK(hit.contact.normal.dot(ray.direction) < 1e-12);
}

}  // namespace

void FeedCastRays(std::string_view text) {
  v1::CastRaysRequest message;
  if (!ReadText(text, message)) return;
  const absl::StatusOr<RayQuery> query = wire::DecodeRayQuery(message);
  if (!query.ok()) return CheckRefusal(query.status());
  const World world = MakeSmallWorld();
  const uint64_t before = world.state_hash();
  const auto hits = world.CastRays(*query);
  TALUS_CHECK(world.state_hash() == before);
  if (!hits.ok()) return CheckRefusal(hits.status());
  TALUS_CHECK(hits->size() == query->rays.size());
  for (size_t index = 0; index < hits->size(); ++index) {
    CheckRayHit(query->rays[index], (*hits)[index]);
  }
  v1::RayHitColumns columns;
  wire::EncodeRayHits(*hits, columns);
  TALUS_CHECK(columns.normals_world_size() == 3 * columns.distances_m_size());
}

}  // namespace talus::fuzz
