#include "server/rpc/control_codec.h"

#include <algorithm>
#include <utility>

#include "server/rpc/step_codec.h"
#include "server/session/error.h"
#include "server/wire/actuation_codec.h"

namespace talus::rpc {
namespace {

absl::StatusOr<bool> DecodeRealTime(v1::ControlPacing pacing) {
  switch (pacing) {
    case v1::CONTROL_PACING_UNSPECIFIED:
    case v1::CONTROL_PACING_LOCKED:
      return false;
    case v1::CONTROL_PACING_REAL_TIME:
      return true;
    default:
      return InvalidFieldError("pacing", std::to_string(static_cast<int>(pacing)),
                               "must be a value of ControlPacing");
  }
}

absl::StatusOr<MissPolicy> DecodeMissPolicy(v1::MissPolicy policy) {
  switch (policy) {
    case v1::MISS_POLICY_UNSPECIFIED:
    case v1::MISS_POLICY_HOLD_LAST:
      return MissPolicy::kHoldLast;
    case v1::MISS_POLICY_ZERO:
      return MissPolicy::kZero;
    case v1::MISS_POLICY_FAIL:
      return MissPolicy::kFail;
    default:
      return InvalidFieldError("miss_policy", std::to_string(static_cast<int>(policy)),
                               "must be a value of MissPolicy");
  }
}

}  // namespace

wire::FrameView DecodeControlView(const v1::ControlOpen& open) {
  if (open.has_selection()) return wire::DecodeView(open.selection());
  return {.parts = {.positions = true, .orientations = true, .velocities = true}};
}

absl::StatusOr<ControlOptions> DecodeControlOpen(const v1::ControlOpen& open,
                                                 const std::string& peer, const Limits& limits) {
  const absl::StatusOr<bool> real_time = DecodeRealTime(open.pacing());
  if (!real_time.ok()) return real_time.status();
  const absl::StatusOr<MissPolicy> miss_policy = DecodeMissPolicy(open.miss_policy());
  if (!miss_policy.ok()) return miss_policy.status();
  const absl::StatusOr<ProblemCapture> capture = DecodeCapture(open.problem_capture());
  if (!capture.ok()) return capture.status();
  ControlOptions options;
  options.capture = *capture;
  options.holder = open.holder().empty() ? peer.substr(0, 64) : open.holder();
  options.take_over = open.take_over();
  options.actuators = wire::DecodeActuators(open.actuators());
  options.parts = DecodeControlView(open).parts;
  options.real_time = *real_time;
  options.miss_policy = *miss_policy;
  options.pipeline_depth = limits.pipeline_depth;
  options.longest_wait_s = static_cast<double>(limits.lease_seconds);
  options.max_wait_s = open.has_max_wait_s() ? open.max_wait_s()
                                             : std::min(options.max_wait_s, options.longest_wait_s);
  if (open.has_period_s()) options.period_s = open.period_s();
  if (open.has_steps_per_tick()) options.steps_per_tick = open.steps_per_tick();
  if (open.has_most_misses()) options.most_misses = open.most_misses();
  return options;
}

ControlCall DecodeControlStep(const v1::ControlStep& step) {
  ControlCall call;
  call.values.assign(step.values().begin(), step.values().end());
  call.step_count = step.step_count() == 0 ? 1 : step.step_count();
  if (step.has_expected_step_index()) call.expected_step_index = step.expected_step_index();
  if (step.has_timeout_s()) call.timeout_s = step.timeout_s();
  return call;
}

}  // namespace talus::rpc
