#include "server/rpc/simulation_service.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
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

// Of an answer for which the message has no room beside the others.
absl::Status MessageFullError(int64_t limit, int64_t asked, int64_t steps_done,
                              int64_t step_index) {
  const absl::Status full = LimitError("message_bytes", limit, asked);
  ErrorInfo info = FindErrorInfo(full);
  info.steps_done = steps_done;
  info.step_index = step_index;
  return MakeError(full.code(), std::string(full.message()), info);
}

// A BatchStep under way: the call ends when the last of its steps is answered. Answers that are
// larger than what each has of its own share what is left of the message.
struct Batch {
  static constexpr int64_t kOwnBytes = 512;

  Batch(UnaryCall<v1::BatchStepResponse>* batch_call, int step_count, int64_t message_bytes)
      : call(batch_call),
        limit(message_bytes),
        left(step_count),
        room(message_bytes - step_count * kOwnBytes) {
    for (int index = 0; index < step_count; ++index) call->response().add_results();
  }
  void EndOne(v1::BatchStepResult& result, int64_t steps_done, int64_t step_index) {
    constexpr int64_t kFraming = 16;
    const int64_t more = static_cast<int64_t>(result.ByteSizeLong()) + kFraming - kOwnBytes;
    if (const int64_t after = more > 0 ? room.fetch_sub(more) - more : 0; after < 0) {
      room.fetch_add(more);
      result.Clear();
      EncodeErrorStatus(MessageFullError(limit, limit - after, steps_done, step_index),
                        *result.mutable_error());
    }
    if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) call->End(absl::OkStatus());
  }

  UnaryCall<v1::BatchStepResponse>* const call;
  const int64_t limit;
  std::atomic<int> left;
  std::atomic<int64_t> room;
};

void StepOneOf(const std::shared_ptr<Batch>& batch, const ServiceContext& context,
               const v1::StepRequest& request, v1::BatchStepResult& result) {
  const auto fail = [batch, &result](const absl::Status& status) {
    const ErrorInfo info = FindErrorInfo(status);
    EncodeErrorStatus(status, *result.mutable_error());
    batch->EndOne(result, info.steps_done, info.step_index);
  };
  const auto scene = FindScene(context, request.scene());
  if (!scene.ok()) return fail(scene.status());
  absl::StatusOr<StepCall> step = DecodeStep(request);
  if (!step.ok()) return fail(step.status());
  const wire::FrameView view = wire::DecodeView(request.selection());
  step->may_run_here = false;  // the others would wait for it
  (*scene)->Step(*std::move(step), batch->call->control(),
                 [batch, view, &result, fail](const absl::StatusOr<StepAnswer>& answer) {
                   if (!answer.ok()) return fail(answer.status());
                   EncodeStepAnswer(*answer, view, *result.mutable_step());
                   batch->EndOne(result, answer->steps_done, answer->frame->step_index);
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
  context_.call_threads.NoteCall(scene->get());
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
  const auto batch =
      std::make_shared<Batch>(call, count, context_.host.options().limits.message_bytes);
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
