#include "server/rpc/simulation_service.h"

#include <utility>

#include "server/rpc/unary_call.h"
#include "server/session/error.h"
#include "server/telemetry/log.h"
#include "server/wire/frame_codec.h"

namespace talus::rpc {
namespace {

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

StepCall DecodeStep(const v1::StepRequest& request, const wire::FrameView& view,
                    ProblemCapture capture) {
  StepCall step;
  step.step_count = request.step_count() == 0 ? 1 : request.step_count();
  if (request.has_expected_step_index()) step.expected_step_index = request.expected_step_index();
  step.request_id = request.request_id();
  step.parts = view.parts;
  step.residual_history = request.residual_history();
  step.capture = capture;
  return step;
}

void EncodeStepAnswer(const StepAnswer& answer, const wire::FrameView& view,
                      v1::StepResponse& response) {
  wire::EncodeFrame(*answer.frame, view, *response.mutable_frame());
  response.set_steps_done(answer.steps_done);
  response.set_worst_residual(answer.worst_residual);
  response.set_unconverged_steps(answer.unconverged_steps);
  response.set_worst_penetration_m(answer.worst_penetration_m);
  response.set_sweep_count(answer.sweep_count);
}

}  // namespace

grpc::ServerUnaryReactor* SimulationService::Step(grpc::CallbackServerContext* call_context,
                                                  const v1::StepRequest* request,
                                                  v1::StepResponse* response) {
  auto* call = new UnaryCall("SimulationService/Step", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  const absl::StatusOr<ProblemCapture> capture = DecodeCapture(request->problem_capture());
  if (!capture.ok()) {
    call->End(capture.status());
    return call;
  }
  const wire::FrameView view = wire::DecodeView(request->selection());
  (*scene)->Step(DecodeStep(*request, view, *capture), call->control(),
                 [call, view](absl::StatusOr<StepAnswer> answer) {
                   if (!answer.ok()) return call->End(answer.status());
                   EncodeStepAnswer(*answer, view, call->response());
                   if (telemetry::IsLogged(telemetry::LogLevel::kDebug)) {
                     telemetry::Log(telemetry::LogLevel::kDebug, "stepped",
                                    {{"step_index", std::to_string(answer->frame->step_index)},
                                     {"steps_done", std::to_string(answer->steps_done)},
                                     {"sweeps", std::to_string(answer->sweep_count)}});
                   }
                   call->End(absl::OkStatus());
                 });
  return call;
}

}  // namespace talus::rpc
