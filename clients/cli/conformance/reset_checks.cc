// ResetScene by scope: everything to the bits, or the time, the state, what came since.
#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

client::Result<v1::SceneInfo> Reset(Ground& ground, const std::string& scene,
                                    const std::vector<v1::ResetScope>& scopes) {
  v1::ResetSceneRequest request;
  request.set_scene(scene);
  for (const v1::ResetScope scope : scopes) request.add_scopes(scope);
  auto response = ground.client().ResetScene(request, ground.call());
  if (!response) return response.error();
  return response->scene();
}

// A scene ten steps on, with a body that came after it was made.
client::Result<std::string> MakeUsedScene(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  if (!scene) return scene;
  if (auto stepped = ground.Step(*scene, 10); !stepped) return stepped.error();
  v1::AddBodiesRequest add;
  add.set_scene(*scene);
  *add.add_bodies() = FallingBall().bodies(0);
  add.mutable_bodies(0)->set_name("late");
  if (auto added = ground.client().AddBodies(add, ground.call()); !added) return added.error();
  return scene;
}

client::Result<double> FindHeight(Ground& ground, const std::string& scene) {
  v1::GetStateRequest request;
  request.set_scene(scene);
  auto state = ground.client().GetState(request, ground.call());
  if (!state) return state.error();
  return state->frame().bodies().positions_world_m(2);
}

Verdict AllIsToTheBits(Ground& ground) {
  auto fresh = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(fresh);
  auto origin = ground.Scene(*fresh);
  TALUS_DEMAND_OK(origin);
  auto scene = MakeUsedScene(ground);
  TALUS_DEMAND_OK(scene);
  auto reset = Reset(ground, *scene, {});
  TALUS_DEMAND_OK(reset);
  TALUS_DEMAND(reset->step_index() == 0 && reset->body_count() == 1,
               "time or bodies were not put back");
  TALUS_DEMAND(reset->state_hash() == origin->state_hash(), "the state has another hash");
  return Verdict::Pass();
}

Verdict TimeAlone(Ground& ground) {
  auto scene = MakeUsedScene(ground);
  TALUS_DEMAND_OK(scene);
  auto before = FindHeight(ground, *scene);
  TALUS_DEMAND_OK(before);
  auto reset = Reset(ground, *scene, {v1::RESET_SCOPE_TIME});
  TALUS_DEMAND_OK(reset);
  TALUS_DEMAND(reset->step_index() == 0, "the time was not put back");
  TALUS_DEMAND(reset->body_count() == 2, "a body that came since is gone");
  auto after = FindHeight(ground, *scene);
  TALUS_DEMAND_OK(after);
  TALUS_DEMAND(*after == *before, "the ball was moved");
  return Verdict::Pass();
}

Verdict StateAlone(Ground& ground) {
  auto scene = MakeUsedScene(ground);
  TALUS_DEMAND_OK(scene);
  auto reset = Reset(ground, *scene, {v1::RESET_SCOPE_STATE});
  TALUS_DEMAND_OK(reset);
  TALUS_DEMAND(reset->step_index() == 10, "the time was put back");
  TALUS_DEMAND(reset->body_count() == 2, "a body that came since is gone");
  auto height = FindHeight(ground, *scene);
  TALUS_DEMAND_OK(height);
  TALUS_DEMAND(*height == 1.0, "the ball is not where it was made");
  return Verdict::Pass();
}

Verdict SpawnedAlone(Ground& ground) {
  auto scene = MakeUsedScene(ground);
  TALUS_DEMAND_OK(scene);
  auto before = FindHeight(ground, *scene);
  TALUS_DEMAND_OK(before);
  auto reset = Reset(ground, *scene, {v1::RESET_SCOPE_SPAWNED});
  TALUS_DEMAND_OK(reset);
  TALUS_DEMAND(reset->body_count() == 1, "a body that came since is still there");
  TALUS_DEMAND(reset->step_index() == 10, "the time was put back");
  auto after = FindHeight(ground, *scene);
  TALUS_DEMAND_OK(after);
  TALUS_DEMAND(*after == *before, "the ball was moved");
  return Verdict::Pass();
}

Verdict ResetPauses(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::RunRequest run;
  run.set_scene(*scene);
  run.set_real_time_factor(1.0);
  TALUS_DEMAND_OK(ground.client().Run(run, ground.call()));
  auto reset = Reset(ground, *scene, {v1::RESET_SCOPE_ALL});
  TALUS_DEMAND_OK(reset);
  TALUS_DEMAND(!reset->run().running() && reset->step_index() == 0, "it runs on after ResetScene");
  return Verdict::Pass();
}

Verdict UnknownScopeIsRefused(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND_ERROR(Reset(ground, *scene, {static_cast<v1::ResetScope>(77)}), kInvalidArgument,
                     v1::ERROR_REASON_INVALID_FIELD);
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListResetChecks() {
  return {{"reset", "all_is_to_the_bits", AllIsToTheBits, {"SIMULATION_RESET"}},
          {"reset", "time_alone", TimeAlone, {"SIMULATION_RESET_TIME"}},
          {"reset", "state_alone", StateAlone, {"SIMULATION_RESET_STATE"}},
          {"reset", "spawned_alone", SpawnedAlone, {"SIMULATION_RESET_SPAWNED"}},
          {"reset", "reset_pauses", ResetPauses, {"SIMULATION_RESET", "SIMULATION_STATE_SETTING"}},
          {"reset", "an_unknown_scope_is_refused", UnknownScopeIsRefused, {"SIMULATION_RESET"}}};
}

}  // namespace talus::cli::conformance
