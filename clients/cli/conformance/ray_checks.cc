// Rays: what is hit first, the rules at its boundaries, what is refused, and that nobody notices.
#include <cmath>

#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

v1::Ray RayOf(double x, double z, double direction_z) {
  v1::Ray ray;
  ray.mutable_origin_world_m()->set_x(x);
  ray.mutable_origin_world_m()->set_z(z);
  ray.mutable_direction_world()->set_z(direction_z);
  return ray;
}

Verdict RaysHitTheNearest(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  v1::CastRaysRequest request;
  request.set_scene(*scene);
  *request.add_rays() = RayOf(0.0, 8.0, -3.0);
  *request.add_rays() = RayOf(5.0, 8.0, -3.0);
  *request.add_rays() = RayOf(5.0, 8.0, 1.0);
  *request.add_rays() = RayOf(5.0, -2.0, 1.0);
  auto answer = ground.client().CastRays(request, ground.call());
  TALUS_DEMAND_OK(answer);
  const v1::RayHitColumns& hits = answer->hits();
  TALUS_DEMAND(hits.distances_m_size() == 4 && hits.body_ids_size() == 4 &&
                   hits.shapes_size() == 4 && hits.points_world_m_size() == 12 &&
                   hits.normals_world_size() == 12,
               "the columns have not an entry for each ray");
  TALUS_DEMAND(hits.body_ids(0) == 2 && hits.distances_m(0) < 7.0,
               "the ball above the floor is not hit");
  TALUS_DEMAND(hits.body_ids(1) == 1 && hits.distances_m(1) == 8.0 && hits.normals_world(5) == 1.0,
               "the floor beside the ball is not hit from above");
  TALUS_DEMAND(hits.body_ids(2) == 0 && std::isinf(hits.distances_m(2)),
               "something is hit in the sky");
  TALUS_DEMAND(hits.body_ids(3) == 1 && hits.distances_m(3) == 0.0,
               "a ray from within the floor does not hit it at once");
  request.add_ignored_body_ids(2);
  answer = ground.client().CastRays(request, ground.call());
  TALUS_DEMAND_OK(answer);
  TALUS_DEMAND(answer->hits().body_ids(0) == 1, "a body that is to be ignored is hit");
  return Verdict::Pass();
}

Verdict RaysChangeNothing(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND_OK(ground.Step(*scene, 2));
  auto before = ground.Scene(*scene);
  TALUS_DEMAND_OK(before);
  v1::CastRaysRequest request;
  request.set_scene(*scene);
  *request.add_rays() = RayOf(0.0, 8.0, -1.0);
  auto answer = ground.client().CastRays(request, ground.call());
  TALUS_DEMAND_OK(answer);
  TALUS_DEMAND(answer->step_index() == 2, "the answer is not of now");
  auto after = ground.Scene(*scene);
  TALUS_DEMAND_OK(after);
  TALUS_DEMAND(after->state_hash() == before->state_hash(), "rays changed the scene");
  return Verdict::Pass();
}

Verdict BadRaysAreNamed(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::CastRaysRequest request;
  request.set_scene(*scene);
  TALUS_DEMAND_ERROR(ground.client().CastRays(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_INVALID_FIELD);
  *request.add_rays() = RayOf(0.0, 8.0, -1.0);
  *request.add_rays() = RayOf(0.0, 8.0, 0.0);
  auto refused = ground.client().CastRays(request, ground.call());
  TALUS_DEMAND_ERROR(refused, kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  TALUS_DEMAND(refused.error().detail.field() == "rays[1].direction_world",
               "the error names " + refused.error().detail.field());
  *request.mutable_rays(1) = RayOf(0.0, 8.0, -1.0);
  request.add_ignored_body_ids(77);
  TALUS_DEMAND_ERROR(ground.client().CastRays(request, ground.call()), kNotFound,
                     v1::ERROR_REASON_NOT_FOUND);
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListRayChecks() {
  return {{"rays", "hit_the_nearest", RaysHitTheNearest},
          {"rays", "change_nothing", RaysChangeNothing},
          {"rays", "are_named_when_bad", BadRaysAreNamed}};
}

}  // namespace talus::cli::conformance
