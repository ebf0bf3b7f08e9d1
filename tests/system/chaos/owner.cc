#include "tests/system/chaos/owner.h"

#include <thread>
#include <utility>

#include "tests/system/chaos/scene_recipe.h"

namespace talus::chaos {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Far more often than others can come in between.
constexpr int kMostTries = 2000;

}  // namespace

Owner::Owner(Caller& caller, std::string id, Dice& dice)
    : caller_(caller), id_(std::move(id)), scene_(SceneName(id_)), log_(DrawScene(dice)) {}

bool Owner::Create() {
  v1::CreateSceneRequest request;
  request.set_scene_id(id_);
  *request.mutable_spec() = log_.spec();
  v1::CreateSceneResponse response;
  const grpc::Status status =
      caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, CreateScene), request, &response);
  if (!status.ok()) Blame("cannot be made: " + status.error_message());
  state_hash_ = response.scene().state_hash();
  return sound_;
}

void Owner::Finish() {
  StopRecording();
  Settle();
}

void Owner::Blame(const std::string& what) {
  caller_.tally().Blame(id_ + ": " + what);
  sound_ = false;
}

void Owner::Log(Input input) {
  step_index_ = input.step_index;
  state_hash_ = input.state_hash;
  log_.Add(std::move(input));
}

bool Owner::Insist(const char* what, const std::function<grpc::Status()>& call,
                   grpc::StatusCode accepted) {
  grpc::Status status;
  for (int tries = 0; tries < kMostTries; ++tries) {
    status = call();
    if (status.ok()) return true;
    const v1::ErrorReason reason = caller_.detail().reason();
    if (reason == v1::ERROR_REASON_LEASE_HELD) {
      TakeLeaseBack();
    } else if (reason == v1::ERROR_REASON_MAILBOX_FULL) {
      std::this_thread::sleep_for(milliseconds(caller_.detail().retry_after_ms()));
    } else {
      break;
    }
  }
  if (status.error_code() != accepted) {
    Blame(std::string(what) + " failed: " + status.error_message());
  }
  return false;
}

void Owner::TakeLeaseBack() {
  caller_.Make("Control", {}, [&](grpc::ClientContext& context, ServiceStubs& stubs) {
    const auto stream = stubs.simulation.Control(&context);
    v1::ControlRequest opening;
    opening.mutable_open()->set_scene(scene_);
    opening.mutable_open()->set_holder("owner of " + id_);
    opening.mutable_open()->set_take_over(true);
    v1::ControlResponse opened;
    stream->Write(opening);
    stream->Read(&opened);
    stream->WritesDone();
    while (stream->Read(&opened)) {
    }
    return stream->Finish();
  });
}

v1::SceneInfo Owner::FindStandstill() {
  v1::PauseResponse response;
  Insist("Pause", [&] {
    v1::PauseRequest request;
    request.set_scene(scene_);
    return caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Pause), request, &response);
  });
  return response.scene();
}

void Owner::Settle() {
  for (int tries = 0; tries < kMostTries && sound_; ++tries) {
    v1::StepRequest request;
    request.set_scene(scene_);
    request.set_expected_step_index(FindStandstill().step_index());
    v1::StepResponse response;
    if (Insist(
            "Step",
            [&] {
              return caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Step), request,
                                  &response);
            },
            grpc::StatusCode::FAILED_PRECONDITION)) {
      Log({StepsTo{}, response.frame().step_index(), response.frame().state_hash()});
      return;
    }
    if (caller_.detail().reason() != v1::ERROR_REASON_STEP_INDEX_MISMATCH) {
      Blame("a step is refused, reason " + v1::ErrorReason_Name(caller_.detail().reason()));
    }
  }
}

void Owner::LogChange(Input input) {
  v1::GetSceneRequest request;
  request.set_scene(scene_);
  v1::GetSceneResponse response;
  const grpc::Status status =
      caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, GetScene), request, &response);
  if (!status.ok()) return Blame("GetScene failed: " + status.error_message());
  input.step_index = response.scene().step_index();
  input.state_hash = response.scene().state_hash();
  Log(std::move(input));
}

void Owner::WaitAfterCut() {
  // The server has read the end of a connection long before.
  std::this_thread::sleep_until(last_cut_ + milliseconds(1000));
}

}  // namespace talus::chaos
