#include "server/rpc/simulation_service.h"

#include <atomic>
#include <memory>
#include <utility>

#include "server/rpc/info_encoding.h"
#include "server/rpc/step_codec.h"
#include "server/rpc/unary_call.h"
#include "server/session/error.h"
#include "server/telemetry/log.h"

namespace talus::rpc {
namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

constexpr int kLargestBatch = 1024;

void LogSteps(const StepAnswer& answer) {
  if (!telemetry::IsLogged(telemetry::LogLevel::kDebug)) return;
  telemetry::Log(telemetry::LogLevel::kDebug, "stepped",
                 {{"step_index", std::to_string(answer.frame->step_index)},
                  {"steps_done", std::to_string(answer.steps_done)},
                  {"sweeps", std::to_string(answer.sweep_count)}});
}

// A BatchStep under way: the call ends when the last of its steps is answered.
struct Batch {
  Batch(UnaryCall<v1::BatchStepResponse>* batch_call, int step_count)
      : call(batch_call), left(step_count) {
    for (int index = 0; index < step_count; ++index) call->response().add_results();
  }
  void EndOne() {
    if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) call->End(absl::OkStatus());
  }

  UnaryCall<v1::BatchStepResponse>* const call;
  std::atomic<int> left;
};

void StepOneOf(const std::shared_ptr<Batch>& batch, const ServiceContext& context,
               const v1::StepRequest& request, v1::BatchStepResult& result) {
  const auto fail = [&](const absl::Status& status) {
    EncodeErrorStatus(status, *result.mutable_error());
    batch->EndOne();
  };
  const auto scene = FindScene(context, request.scene());
  if (!scene.ok()) return fail(scene.status());
  absl::StatusOr<StepCall> step = DecodeStep(request);
  if (!step.ok()) return fail(step.status());
  const wire::FrameView view = wire::DecodeView(request.selection());
  step->may_run_here = false;  // the others would wait for it
  (*scene)->Step(*std::move(step), batch->call->control(),
                 [batch, view, &result](const absl::StatusOr<StepAnswer>& answer) {
                   if (answer.ok()) {
                     EncodeStepAnswer(*answer, view, *result.mutable_step());
                   } else {
                     EncodeErrorStatus(answer.status(), *result.mutable_error());
                   }
                   batch->EndOne();
                 });
}

absl::StatusOr<ResetCall> DecodeReset(const v1::ResetSceneRequest& request) {
  ResetCall call;
  call.all = request.scopes().empty();
  for (int index = 0; index < request.scopes_size(); ++index) {
    switch (request.scopes(index)) {
      case v1::RESET_SCOPE_UNSPECIFIED:
      case v1::RESET_SCOPE_ALL:
        call.all = true;
        break;
      case v1::RESET_SCOPE_TIME:
        call.scope.time = true;
        break;
      case v1::RESET_SCOPE_STATE:
        call.scope.state = true;
        break;
      case v1::RESET_SCOPE_SPAWNED:
        call.scope.spawned = true;
        break;
      default:
        return InvalidFieldError("scopes[" + std::to_string(index) + "]",
                                 std::to_string(static_cast<int>(request.scopes(index))),
                                 "must be a value of ResetScope");
    }
  }
  return call;
}

// Ends the call with what the scene is after `change`.
template <typename Response, typename Change>
ServerUnaryReactor* ChangeScene(const ServiceContext& context, const std::string& name,
                                UnaryCall<Response>* call, Change change) {
  const auto scene = FindScene(context, name);
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  change(**scene, [call](const absl::StatusOr<SceneInfo>& info) {
    if (info.ok()) EncodeSceneInfo(*info, *call->response().mutable_scene());
    call->End(info.status());
  });
  return call;
}

}  // namespace

ServerUnaryReactor* SimulationService::Step(CallbackServerContext* call_context,
                                            const v1::StepRequest* request,
                                            v1::StepResponse* response) {
  auto* call = new UnaryCall("SimulationService/Step", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  absl::StatusOr<StepCall> step = DecodeStep(*request);
  if (!step.ok()) {
    call->End(step.status());
    return call;
  }
  call->Afterwards([scene = *scene] { scene->PrepareStep(); });
  (*scene)->Step(*std::move(step), call->control(),
                 [call, view = wire::DecodeView(request->selection())](
                     const absl::StatusOr<StepAnswer>& answer) {
                   if (!answer.ok()) return call->End(answer.status());
                   EncodeStepAnswer(*answer, view, call->response());
                   LogSteps(*answer);
                   call->End(absl::OkStatus());
                 });
  return call;
}

ServerUnaryReactor* SimulationService::StepUntil(CallbackServerContext* call_context,
                                                 const v1::StepUntilRequest* request,
                                                 v1::StepUntilResponse* response) {
  auto* call = new UnaryCall("SimulationService/StepUntil", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  const int64_t most = context_.host.options().limits.steps_per_call;
  absl::StatusOr<StepCall> step = DecodeStepUntil(*request, most);
  if (!step.ok()) {
    call->End(step.status());
    return call;
  }
  (*scene)->Step(*std::move(step), call->control(),
                 [call, view = wire::DecodeView(request->selection())](
                     const absl::StatusOr<StepAnswer>& answer) {
                   if (!answer.ok()) return call->End(answer.status());
                   EncodeStepAnswer(*answer, view, *call->response().mutable_step());
                   call->response().set_stop_reason(EncodeStopReason(answer->stop));
                   LogSteps(*answer);
                   call->End(absl::OkStatus());
                 });
  return call;
}

ServerUnaryReactor* SimulationService::BatchStep(CallbackServerContext* call_context,
                                                 const v1::BatchStepRequest* request,
                                                 v1::BatchStepResponse* response) {
  auto* call = new UnaryCall("SimulationService/BatchStep", *call_context, *response);
  const int count = request->steps_size();
  if (count < 1 || count > kLargestBatch) {
    call->End(InvalidFieldError("size(steps)", std::to_string(count),
                                "must be in [1, " + std::to_string(kLargestBatch) + "]"));
    return call;
  }
  const auto batch = std::make_shared<Batch>(call, count);
  for (int index = 0; index < count; ++index) {
    StepOneOf(batch, context_, request->steps(index), *response->mutable_results(index));
  }
  return call;
}

grpc::ServerBidiReactor<v1::ControlRequest, v1::ControlResponse>* SimulationService::Control(
    CallbackServerContext* call_context) {
  return ControlReactor::Make(*call_context, context_, streams_);
}

ServerUnaryReactor* SimulationService::Run(CallbackServerContext* call_context,
                                           const v1::RunRequest* request,
                                           v1::RunResponse* response) {
  auto* call = new UnaryCall("SimulationService/Run", *call_context, *response);
  const absl::StatusOr<ProblemCapture> capture = DecodeCapture(request->problem_capture());
  if (!capture.ok()) {
    call->End(capture.status());
    return call;
  }
  RunCall run;
  run.capture = *capture;
  if (request->has_real_time_factor()) run.real_time_factor = request->real_time_factor();
  run.step_limit = request->step_limit();
  return ChangeScene(context_, request->scene(), call,
                     [run, call](SceneActor& scene, Completion<SceneInfo> done) {
                       scene.Run(run, call->control(), std::move(done));
                     });
}

ServerUnaryReactor* SimulationService::Pause(CallbackServerContext* call_context,
                                             const v1::PauseRequest* request,
                                             v1::PauseResponse* response) {
  auto* call = new UnaryCall("SimulationService/Pause", *call_context, *response);
  return ChangeScene(context_, request->scene(), call,
                     [call](SceneActor& scene, Completion<SceneInfo> done) {
                       scene.Pause(call->control(), std::move(done));
                     });
}

ServerUnaryReactor* SimulationService::ResetScene(CallbackServerContext* call_context,
                                                  const v1::ResetSceneRequest* request,
                                                  v1::ResetSceneResponse* response) {
  auto* call = new UnaryCall("SimulationService/ResetScene", *call_context, *response);
  const absl::StatusOr<ResetCall> reset = DecodeReset(*request);
  if (!reset.ok()) {
    call->End(reset.status());
    return call;
  }
  return ChangeScene(context_, request->scene(), call,
                     [reset = *reset, call](SceneActor& scene, Completion<SceneInfo> done) {
                       scene.Reset(reset, call->control(), std::move(done));
                     });
}

}  // namespace talus::rpc
