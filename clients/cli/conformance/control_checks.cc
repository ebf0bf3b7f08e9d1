// Lock-step control: one answer a request, in order; the lease; how a stream ends.
#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"
#include "clients/cpp/control.h"

namespace talus::cli::conformance {
namespace {

v1::ControlOpen OpenOf(const std::string& scene) {
  v1::ControlOpen open;
  open.set_scene(scene);
  open.set_holder("conformance");
  return open;
}

client::Result<client::Control> Open(Ground& ground, const v1::ControlOpen& open) {
  return client::Control::Open(ground.client(), open, ground.call());
}

Verdict AnswersComeInOrder(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  auto control = Open(ground, OpenOf(*scene));
  TALUS_DEMAND_OK(control);
  const int depth = control->opened().pipeline_depth();
  TALUS_DEMAND(depth >= 1, "pipeline_depth is below 1");
  for (int i = 0; i < depth; ++i) {
    v1::ControlStep step;
    step.set_step_count(i + 1);
    TALUS_DEMAND_OK(control->Send(step));
  }
  int64_t index = 0;
  for (int i = 0; i < depth; ++i) {
    auto stepped = control->Receive();
    TALUS_DEMAND_OK(stepped);
    index += i + 1;
    TALUS_DEMAND(stepped->steps_done() == i + 1 && stepped->frame().step_index() == index,
                 "answer " + std::to_string(i) + " is not that of its request");
  }
  TALUS_DEMAND_OK(control->Close());
  return Verdict::Pass();
}

Verdict AFailedRequestIsANoOp(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::ControlOpen open = OpenOf(*scene);
  *open.add_actuators() = PushBall();
  auto control = Open(ground, open);
  TALUS_DEMAND_OK(control);
  TALUS_DEMAND(control->opened().value_count() == 6, "a wrench has not six values");
  const double one_value[] = {1.0};
  TALUS_DEMAND_ERROR(control->Step(one_value), kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  v1::ControlStep wrong;
  wrong.set_expected_step_index(9);
  TALUS_DEMAND_ERROR(control->Step(wrong), kFailedPrecondition,
                     v1::ERROR_REASON_STEP_INDEX_MISMATCH);
  TALUS_DEMAND(control->is_open(), "a failed request ended the stream");
  const double push[] = {0.0, 0.0, 9.81, 0.0, 0.0, 0.0};
  auto stepped = control->Step(push);
  TALUS_DEMAND_OK(stepped);
  TALUS_DEMAND(stepped->frame().step_index() == 1, "a failed request made a step");
  const double height = stepped->frame().bodies().positions_world_m(2);
  TALUS_DEMAND(std::abs(height - 1.0) < 1e-12, "a force of its weight does not hold the ball");
  return Verdict::Pass();
}

Verdict TheLeaseKeepsOthersOut(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  {
    auto control = Open(ground, OpenOf(*scene));
    TALUS_DEMAND_OK(control);
    auto refused = ground.Step(*scene, 1);
    TALUS_DEMAND_ERROR(refused, kFailedPrecondition, v1::ERROR_REASON_LEASE_HELD);
    TALUS_DEMAND(refused.error().detail.value().find("conformance") != std::string::npos,
                 "the error does not name the holder");
    TALUS_DEMAND_ERROR(Open(ground, OpenOf(*scene)), kFailedPrecondition,
                       v1::ERROR_REASON_LEASE_HELD);
    TALUS_DEMAND_OK(ground.Scene(*scene));
    v1::StepRequest request;
    request.set_scene(*scene);
    client::CallOptions leased = ground.call();
    leased.lease = control->lease();
    TALUS_DEMAND_OK(ground.client().Step(request, leased));
    TALUS_DEMAND_OK(control->Close());
  }
  TALUS_DEMAND_OK(ground.Step(*scene, 1));
  return Verdict::Pass();
}

Verdict TheLeaseIsTakenOver(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  auto first = Open(ground, OpenOf(*scene));
  TALUS_DEMAND_OK(first);
  v1::ControlOpen open = OpenOf(*scene);
  open.set_take_over(true);
  auto second = Open(ground, open);
  TALUS_DEMAND_OK(second);
  TALUS_DEMAND_ERROR(first->Receive(), kAborted, v1::ERROR_REASON_LEASE_LOST);
  TALUS_DEMAND(!first->is_open(), "the stream of who lost the lease is open");
  TALUS_DEMAND_OK(second->Step());
  client::CallOptions stale = ground.call();
  stale.lease = first->lease();
  v1::StepRequest request;
  request.set_scene(*scene);
  TALUS_DEMAND_ERROR(ground.client().Step(request, stale), kAborted, v1::ERROR_REASON_LEASE_LOST);
  return Verdict::Pass();
}

Verdict SilenceLosesTheLease(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::ControlOpen open = OpenOf(*scene);
  open.set_max_wait_s(0.05);
  auto control = Open(ground, open);
  TALUS_DEMAND_OK(control);
  TALUS_DEMAND_ERROR(control->Receive(), kAborted, v1::ERROR_REASON_LEASE_LOST);
  TALUS_DEMAND_OK(ground.Step(*scene, 1));
  return Verdict::Pass();
}

Verdict RealTimeCountsTicks(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::ControlOpen open = OpenOf(*scene);
  open.set_pacing(v1::CONTROL_PACING_REAL_TIME);
  open.set_period_s(0.005);
  auto control = Open(ground, open);
  TALUS_DEMAND_OK(control);
  int64_t tick = 0;
  for (int i = 0; i < 5; ++i) {
    auto stepped = control->Step();
    TALUS_DEMAND_OK(stepped);
    TALUS_DEMAND(stepped->tick() > tick, "ticks do not grow");
    // Under HOLD_LAST a tick without a request steps too, unless the scene was still at work.
    TALUS_DEMAND(stepped->frame().step_index() <= stepped->tick(), "more steps than ticks");
    tick = stepped->tick();
  }
  return Verdict::Pass();
}

Verdict AMissedTickCanFail(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::ControlOpen open = OpenOf(*scene);
  open.set_pacing(v1::CONTROL_PACING_REAL_TIME);
  open.set_period_s(0.005);
  open.set_miss_policy(v1::MISS_POLICY_FAIL);
  auto control = Open(ground, open);
  TALUS_DEMAND_OK(control);
  TALUS_DEMAND_OK(control->Step());
  TALUS_DEMAND_ERROR(control->Receive(), kDeadlineExceeded, v1::ERROR_REASON_DEADLINE_MISSED);
  return Verdict::Pass();
}

Verdict OpensOnlyWhatIsThere(Ground& ground) {
  TALUS_DEMAND_ERROR(Open(ground, OpenOf("scenes/" + ground.NewId())), kNotFound,
                     v1::ERROR_REASON_NOT_FOUND);
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::ControlOpen open = OpenOf(*scene);
  *open.add_actuators() = PushBall();
  open.mutable_actuators(0)->set_name("nobody");
  TALUS_DEMAND_ERROR(Open(ground, open), kNotFound, v1::ERROR_REASON_NOT_FOUND);
  TALUS_DEMAND_OK(ground.Step(*scene, 1));
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListControlChecks() {
  return {{"control", "answers_come_in_order", AnswersComeInOrder, {"STEP_SIMULATION_SINGLE"}},
          {"control", "a_failed_request_is_a_no_op", AFailedRequestIsANoOp},
          {"control", "the_lease_keeps_others_out", TheLeaseKeepsOthersOut},
          {"control", "the_lease_is_taken_over", TheLeaseIsTakenOver},
          {"control", "silence_loses_the_lease", SilenceLosesTheLease},
          {"control", "real_time_counts_ticks", RealTimeCountsTicks},
          {"control", "a_missed_tick_can_fail", AMissedTickCanFail},
          {"control", "opens_only_what_is_there", OpensOnlyWhatIsThere}};
}

}  // namespace talus::cli::conformance
