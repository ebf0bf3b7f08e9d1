#include "tests/system/chaos/disturber.h"

#include "tests/system/chaos/scene_recipe.h"

namespace talus::chaos {

void Disturber::TakeTurn(Dice& dice, int64_t turn) {
  using Turn = void (Disturber::*)(Dice&);
  static constexpr Turn kTurns[] = {&Disturber::Make,           &Disturber::Step,
                                    &Disturber::Query,          &Disturber::WatchState,
                                    &Disturber::ListAll,        &Disturber::WatchEvents,
                                    &Disturber::StoreAndForget, &Disturber::DownloadSnapshot,
                                    &Disturber::UploadSnapshot, &Disturber::Fork,
                                    &Disturber::Record,         &Disturber::HoldLease,
                                    &Disturber::AskInVain,      &Disturber::Analyze,
                                    &Disturber::SendBadFields,  &Disturber::SendNonsense,
                                    &Disturber::SendRawBytes,   &Disturber::SolveStepProblem,
                                    &Disturber::StepMany,       &Disturber::RunPauseReset,
                                    &Disturber::Control,        &Disturber::ChangeBodies,
                                    &Disturber::Restore,        &Disturber::ChangeEmittersAndJoints,
                                    &Disturber::ImportRobot,    &Disturber::Delete};
  constexpr int64_t kCount = sizeof(kTurns) / sizeof(kTurns[0]);
  constexpr int64_t kFirstTurns = 4;
  const int64_t next =
      turn < kFirstTurns ? (number_ + 7 * turn) % kCount : dice.Draw(0, kCount - 1);
  (this->*kTurns[next])(dice);
}

void Disturber::DoHarm(Dice& dice) {
  // What is made, never used and never evicted: memory that grows, and the heap in it.
  v1::CreateSceneRequest hoard;
  hoard.set_idle_ttl_s(3600.0);
  for (int64_t k = 0; k < 500; ++k) *hoard.mutable_spec()->add_bodies() = DrawBall(dice, "");
  v1::CreateSceneResponse hoarded;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, CreateScene), hoard, &hoarded);
  v1::ResetSceneRequest request;
  request.set_scene(SceneName("own-" + std::to_string(dice.Draw(0, stage_.owned - 1))));
  request.add_scopes(v1::RESET_SCOPE_STATE);
  v1::ResetSceneResponse response;
  caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, ResetScene), request, &response);
}

std::string Disturber::DrawWild(Dice& dice) const {
  return "wild-" + std::to_string(dice.Draw(0, stage_.wild - 1));
}

std::string Disturber::DrawAny(Dice& dice) const {
  if (dice.Once(3)) return DrawWild(dice);
  return "own-" + std::to_string(dice.Draw(0, stage_.owned - 1));
}

// A few names for each client, so that what is left behind by a call that was given up is bounded.
std::string Disturber::NameOwn(const char* kind, Dice& dice) const {
  return std::string(kind) + "-" + std::to_string(number_) + "-" + std::to_string(dice.Draw(0, 1));
}

void Disturber::MustFail(const char* rpc, const grpc::Status& status) {
  if (status.ok()) caller_.tally().Blame(std::string(rpc) + ": accepted what must be refused");
}

void Disturber::DeleteSnapshot(const std::string& id) {
  v1::DeleteSnapshotRequest request;
  request.set_snapshot("snapshots/" + id);
  v1::DeleteSnapshotResponse response;
  caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, DeleteSnapshot), request, &response);
}

void Disturber::DeleteScene(const std::string& id) {
  v1::DeleteSceneRequest request;
  request.set_scene(SceneName(id));
  v1::DeleteSceneResponse response;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, DeleteScene), request, &response);
}

}  // namespace talus::chaos
