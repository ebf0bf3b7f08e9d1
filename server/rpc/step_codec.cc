#include "server/rpc/step_codec.h"

#include <string>
#include <utility>

#include "server/session/error.h"
#include "server/wire/actuation_codec.h"

namespace talus::rpc {
namespace {

// What StepRequest and StepUntilRequest both have.
template <typename Request>
absl::StatusOr<StepCall> DecodeShared(const Request& request) {
  const absl::StatusOr<ProblemCapture> capture = DecodeCapture(request.problem_capture());
  if (!capture.ok()) return capture.status();
  StepCall step;
  step.capture = *capture;
  step.step_count = request.step_count();
  if (request.has_expected_step_index()) step.expected_step_index = request.expected_step_index();
  step.request_id = request.request_id();
  step.parts = wire::DecodeView(request.selection()).parts;
  step.bodies = wire::DecodeBodySelection(request.bodies());
  if (!request.actuators().empty() || !request.values().empty()) {
    step.actuation = Actuation{wire::DecodeActuators(request.actuators()),
                               nullptr,
                               {request.values().begin(), request.values().end()}};
  }
  return step;
}

StopCondition DecodeCondition(const v1::StopCondition& message) {
  StopCondition condition;
  if (message.has_time_s()) condition.time_s = message.time_s();
  if (message.has_rest()) {
    RestCondition& rest = condition.rest.emplace();
    if (message.rest().has_speed_m_s()) rest.speed_m_s = message.rest().speed_m_s();
    if (message.rest().has_angular_speed_rad_s()) {
      rest.angular_speed_rad_s = message.rest().angular_speed_rad_s();
    }
    if (message.rest().has_for_s()) rest.for_s = message.rest().for_s();
  }
  if (message.has_contact()) {
    condition.contact = ContactCondition{message.contact().body_a(), message.contact().body_b()};
  }
  return condition;
}

}  // namespace

absl::StatusOr<ProblemCapture> DecodeCapture(v1::ProblemCapture capture) {
  switch (capture) {
    case v1::PROBLEM_CAPTURE_UNSPECIFIED:
    case v1::PROBLEM_CAPTURE_NEVER:
      return ProblemCapture::kNever;
    case v1::PROBLEM_CAPTURE_UNCONVERGED:
      return ProblemCapture::kUnconverged;
    case v1::PROBLEM_CAPTURE_ALWAYS:
      return ProblemCapture::kAlways;
    default:
      return InvalidFieldError("problem_capture", std::to_string(static_cast<int>(capture)),
                               "must be a value of ProblemCapture");
  }
}

absl::StatusOr<StepCall> DecodeStep(const v1::StepRequest& request) {
  absl::StatusOr<StepCall> step = DecodeShared(request);
  if (!step.ok()) return step;
  if (step->step_count == 0) step->step_count = 1;
  step->residual_history = request.residual_history();
  step->may_run_here = true;
  return step;
}

absl::StatusOr<StepCall> DecodeStepUntil(const v1::StepUntilRequest& request, int64_t most) {
  absl::StatusOr<StepCall> step = DecodeShared(request);
  if (!step.ok()) return step;
  if (step->step_count == 0) step->step_count = most;
  step->until = DecodeCondition(request.until());
  return step;
}

void EncodeStepAnswer(const StepAnswer& answer, wire::FrameView view, v1::StepResponse& response) {
  view.bodies = answer.bodies;
  wire::EncodeFrame(*answer.frame, view, *response.mutable_frame());
  response.set_steps_done(answer.steps_done);
  response.set_worst_residual(answer.worst_residual);
  response.set_unconverged_steps(answer.unconverged_steps);
  response.set_worst_penetration_m(answer.worst_penetration_m);
  response.set_sweep_count(answer.sweep_count);
}

v1::StopReason EncodeStopReason(StopReason reason) {
  switch (reason) {
    case StopReason::kNone:
      return v1::STOP_REASON_STEP_COUNT;
    case StopReason::kTime:
      return v1::STOP_REASON_TIME;
    case StopReason::kRest:
      return v1::STOP_REASON_REST;
    case StopReason::kContact:
      return v1::STOP_REASON_CONTACT;
  }
  return v1::STOP_REASON_UNSPECIFIED;
}

}  // namespace talus::rpc
