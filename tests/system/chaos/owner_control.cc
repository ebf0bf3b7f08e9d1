// How an owner drives its scene over Control.
#include <thread>

#include "tests/system/chaos/owner.h"
#include "tests/system/chaos/scene_recipe.h"

namespace talus::chaos {

using std::chrono::milliseconds;

v1::ControlRequest Owner::MakeOpening(bool driven) const {
  v1::ControlRequest opening;
  v1::ControlOpen& open = *opening.mutable_open();
  open.set_scene(scene_);
  open.set_holder("owner of " + id_);
  open.set_take_over(true);
  open.mutable_selection()->set_positions(true);
  if (driven) {
    for (const v1::Actuator& actuator : ListActuators()) *open.add_actuators() = actuator;
  }
  return opening;
}

void Owner::ControlLocked(Dice& dice) {
  const int64_t count = dice.Draw(1, 12);
  const int64_t end = dice.Draw(0, 5);
  v1::StepRequest under_way;  // asked for and not answered
  int64_t told = -1;          // how many of its steps were made, by the server's word
  bool given_up = false;
  caller_.Make("Control", {}, [&](grpc::ClientContext& context, ServiceStubs& stubs) {
    const auto stream = stubs.simulation.Control(&context);
    v1::ControlResponse response;
    bool open =
        stream->Write(MakeOpening(true)) && stream->Read(&response) && response.has_opened();
    // Somebody may have come in between since the last look: where the scene is says the opening.
    if (open && response.opened().step_index() != step_index_) {
      Blame("the scene has moved by itself");
      open = false;
    }
    for (int64_t k = 0; k < count && open; ++k) {
      v1::StepRequest wanted;
      wanted.set_step_count(dice.Draw(1, 5));
      DrawDrive(dice, &wanted);
      v1::ControlRequest request;
      *request.mutable_step()->mutable_values() = wanted.values();
      request.mutable_step()->set_step_count(wanted.step_count());
      request.mutable_step()->set_expected_step_index(step_index_);
      under_way = wanted;
      open = stream->Write(request) && stream->Read(&response);
      if (!open) break;
      if (!response.has_stepped()) {
        // The lease went while the steps were made; those that were done stay.
        told = response.error().detail().steps_done();
        break;
      }
      under_way.Clear();
      wanted.set_step_count(response.stepped().steps_done());
      Log({wanted, response.stepped().frame().step_index(),
           response.stepped().frame().state_hash()});
    }
    if (open && end <= 1) {
      // Some more steps that nobody waits for.
      v1::ControlRequest last;
      last.mutable_step()->set_step_count(dice.Draw(1, 50));
      last.mutable_step()->set_expected_step_index(step_index_);
      stream->Write(last);
      if (end == 0) {
        context.TryCancel();
      } else {
        caller_.Kill();
        last_cut_ = std::chrono::steady_clock::now();
      }
      given_up = true;
    }
    stream->WritesDone();
    while (stream->Read(&response)) {
    }
    return stream->Finish();
  });
  if (under_way.values_size() > 0) FinishBroken(under_way, told);
  if (given_up || under_way.values_size() > 0) Settle();
}

void Owner::FinishBroken(const v1::StepRequest& unanswered, int64_t told) {
  const v1::SceneInfo info = FindStandstill();
  if (!sound_) return;
  v1::StepRequest made = unanswered;
  made.set_step_count(info.step_index() - step_index_);
  if (told >= 0 && told != made.step_count()) {
    Blame("an error tells of " + std::to_string(told) + " steps, and " +
          std::to_string(made.step_count()) + " were made");
  }
  if (made.step_count() > 0) {
    Log({made, info.step_index(), info.state_hash()});
  } else if (info.state_hash() != state_hash_) {
    // The values were set, and no step was made under them.
    v1::StepUntilRequest set;
    set.mutable_until()->set_time_s(0.0);
    *set.mutable_actuators() = made.actuators();
    *set.mutable_values() = made.values();
    Log({set, info.step_index(), info.state_hash()});
  }
}

void Owner::ControlRealTime(Dice& dice) {
  const int64_t count = dice.Draw(1, 8);
  const int64_t end = dice.Draw(0, 3);
  caller_.Make("Control", {}, [&](grpc::ClientContext& context, ServiceStubs& stubs) {
    const auto stream = stubs.simulation.Control(&context);
    v1::ControlRequest opening = MakeOpening(false);
    opening.mutable_open()->set_pacing(v1::CONTROL_PACING_REAL_TIME);
    opening.mutable_open()->set_period_s(0.002 + 0.01 * dice.Draw01());
    opening.mutable_open()->set_most_misses(static_cast<int32_t>(dice.Draw(5, 50)));
    opening.mutable_open()->set_miss_policy(dice.Once(3) ? v1::MISS_POLICY_FAIL
                                                         : v1::MISS_POLICY_HOLD_LAST);
    v1::ControlResponse response;
    bool open = stream->Write(opening) && stream->Read(&response) && response.has_opened();
    for (int64_t k = 0; k < count && open; ++k) {
      v1::ControlRequest request;
      request.mutable_step();
      open = stream->Write(request) && stream->Read(&response);
      if (dice.Once(4)) std::this_thread::sleep_for(milliseconds(dice.Draw(0, 30)));
    }
    if (open && end == 0) context.TryCancel();
    if (open && end == 1) {
      caller_.Kill();
      last_cut_ = std::chrono::steady_clock::now();
    }
    stream->WritesDone();
    while (stream->Read(&response)) {
    }
    return stream->Finish();
  });
  Settle();
}

}  // namespace talus::chaos
