// Bodies set to other poses and velocities: what is told at once, what is refused, and that the
// scene goes on from there as one that was made so.
#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

constexpr const char* kPaths[] = {"position_world_m", "orientation_world",
                                  "linear_velocity_world_m_s", "angular_velocity_world_rad_s"};

// A ball of BallAboveFloor elsewhere, turned and thrown.
v1::BodyUpdate ThrownBall() {
  v1::BodyUpdate update;
  update.set_body_name("ball");
  v1::BodySpec& values = *update.mutable_values();
  values.mutable_position_world_m()->set_x(3.0);
  values.mutable_position_world_m()->set_z(4.0);
  values.mutable_orientation_world()->set_w(0.6);
  values.mutable_orientation_world()->set_y(0.8);
  values.mutable_linear_velocity_world_m_s()->set_y(1.5);
  values.mutable_angular_velocity_world_rad_s()->set_x(-2.0);
  for (const char* const path : kPaths) update.mutable_update_mask()->add_paths(path);
  return update;
}

Verdict WhatIsSetIsTold(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND_OK(ground.Step(*scene, 3));
  auto before = ground.Scene(*scene);
  TALUS_DEMAND_OK(before);
  v1::UpdateBodiesRequest request;
  request.set_scene(*scene);
  *request.add_updates() = ThrownBall();
  auto updated = ground.client().UpdateBodies(request, ground.call());
  TALUS_DEMAND_OK(updated);
  TALUS_DEMAND(updated->scene().step_index() == 3, "an update makes steps");
  TALUS_DEMAND(updated->scene().layout_version() == before->layout_version(),
               "an update changes the layout");
  TALUS_DEMAND(updated->scene().state_hash() != before->state_hash(), "the hash is as before");
  v1::GetStateRequest get;
  get.set_scene(*scene);
  auto state = ground.client().GetState(get, ground.call());
  TALUS_DEMAND_OK(state);
  const v1::BodyColumns& bodies = state->frame().bodies();
  TALUS_DEMAND(state->frame().state_hash() == updated->scene().state_hash(),
               "GetState tells another state");
  TALUS_DEMAND(bodies.positions_world_m(3) == 3.0 && bodies.positions_world_m(5) == 4.0,
               "the ball is not where it was set");
  TALUS_DEMAND(bodies.linear_velocities_world_m_s(4) == 1.5 &&
                   bodies.angular_velocities_world_rad_s(3) == -2.0,
               "the ball has not the velocities that were set");
  return Verdict::Pass();
}

Verdict ItGoesOnAsAFreshScene(Ground& ground) {
  v1::SceneSpec spec = BallAboveFloor();
  auto scene = ground.MakeScene(spec);
  TALUS_DEMAND_OK(scene);
  v1::UpdateBodiesRequest request;
  request.set_scene(*scene);
  *request.add_updates() = ThrownBall();
  TALUS_DEMAND_OK(ground.client().UpdateBodies(request, ground.call()));
  const v1::BodySpec values = ThrownBall().values();
  *spec.mutable_bodies(1)->mutable_position_world_m() = values.position_world_m();
  *spec.mutable_bodies(1)->mutable_orientation_world() = values.orientation_world();
  *spec.mutable_bodies(1)->mutable_linear_velocity_world_m_s() = values.linear_velocity_world_m_s();
  *spec.mutable_bodies(1)->mutable_angular_velocity_world_rad_s() =
      values.angular_velocity_world_rad_s();
  auto fresh = ground.MakeScene(spec);
  TALUS_DEMAND_OK(fresh);
  TALUS_DEMAND_OK(ground.Step(*scene, 20));
  TALUS_DEMAND_OK(ground.Step(*fresh, 20));
  auto first = ground.Scene(*scene);
  TALUS_DEMAND_OK(first);
  auto second = ground.Scene(*fresh);
  TALUS_DEMAND_OK(second);
  TALUS_DEMAND(first->state_hash() == second->state_hash(),
               "a ball that was set goes on otherwise than one that was made so");
  return Verdict::Pass();
}

Verdict AllOrNoneAreSet(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  auto before = ground.Scene(*scene);
  TALUS_DEMAND_OK(before);
  v1::UpdateBodiesRequest good;
  good.set_scene(*scene);
  *good.add_updates() = ThrownBall();
  v1::UpdateBodiesRequest request = good;
  v1::BodyUpdate& second = *request.add_updates();
  second.set_body_name("nobody");
  second.mutable_update_mask()->add_paths(kPaths[0]);
  TALUS_DEMAND_ERROR(ground.client().UpdateBodies(request, ground.call()), kNotFound,
                     v1::ERROR_REASON_NOT_FOUND);
  second.set_body_name("floor");
  second.mutable_update_mask()->set_paths(0, "mass_kg");
  auto refused = ground.client().UpdateBodies(request, ground.call());
  TALUS_DEMAND_ERROR(refused, kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  TALUS_DEMAND(refused.error().detail.field() == "updates[1].update_mask.paths[0]",
               "the error names " + refused.error().detail.field());
  second.clear_update_mask();
  TALUS_DEMAND_ERROR(ground.client().UpdateBodies(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_INVALID_FIELD);
  second = ThrownBall();
  TALUS_DEMAND_ERROR(ground.client().UpdateBodies(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_INVALID_FIELD);
  auto after = ground.Scene(*scene);
  TALUS_DEMAND_OK(after);
  TALUS_DEMAND(after->state_hash() == before->state_hash(), "an update that failed set something");
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListUpdateChecks() {
  return {
      {"updates", "what_is_set_is_told", WhatIsSetIsTold, {"ENTITY_STATE_SETTING"}},
      {"updates", "it_goes_on_as_a_fresh_scene", ItGoesOnAsAFreshScene, {"ENTITY_STATE_SETTING"}},
      {"updates", "all_or_none_are_set", AllOrNoneAreSet, {"ENTITY_STATE_SETTING"}}};
}

}  // namespace talus::cli::conformance
