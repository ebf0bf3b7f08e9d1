#include "server/rpc/recording_service.h"

#include <utility>

#include "server/rpc/info_encoding.h"
#include "server/rpc/recording_download.h"
#include "server/rpc/unary_call.h"
#include "server/session/error.h"
#include "server/session/resource_name.h"

namespace talus::rpc {
namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

absl::StatusOr<StartRecordingCall> DecodeStart(const v1::StartRecordingRequest& request) {
  absl::StatusOr<std::string> scene = ParseSceneName(request.scene());
  if (!scene.ok()) return scene.status();
  StartRecordingCall call;
  call.scene_id = *std::move(scene);
  call.recording_id = request.recording_id();
  if (request.has_selection()) {
    const v1::RecordingSelection& selection = request.selection();
    call.parts = {selection.positions(), selection.orientations(), selection.velocities(),
                  selection.contacts(), selection.diagnostics()};
  } else {
    call.parts.positions = call.parts.orientations = true;
  }
  call.every_n_steps = request.every_n_steps() == 0 ? 1 : request.every_n_steps();
  switch (request.when_behind()) {
    case v1::BEHIND_POLICY_UNSPECIFIED:
    case v1::BEHIND_POLICY_DROP_FRAMES:
      break;
    case v1::BEHIND_POLICY_STOP:
      call.stop_when_behind = true;
      break;
    default:
      return InvalidFieldError("when_behind",
                               std::to_string(static_cast<int>(request.when_behind())),
                               "must be a value of BehindPolicy");
  }
  return call;
}

// Ends a call whose answer is a recording.
template <typename Response>
Completion<RecordingInfo> AnswerRecording(UnaryCall<Response>* call) {
  return [call](absl::StatusOr<RecordingInfo> info) {
    if (info.ok()) EncodeRecording(*info, *call->response().mutable_recording());
    call->End(info.status());
  };
}

void EncodeReplay(const ReplayAnswer& answer, v1::ReplayInputsResponse& response) {
  EncodeSceneInfo(answer.scene, *response.mutable_scene());
  response.set_steps_replayed(answer.steps_replayed);
  response.set_inputs_replayed(answer.inputs_replayed);
  response.set_truncated(answer.truncated);
  if (!answer.mismatch.has_value()) return;
  v1::ReplayMismatch& mismatch = *response.mutable_mismatch();
  mismatch.set_step_index(answer.mismatch->step_index);
  mismatch.set_input_index(answer.mismatch->input_index);
  mismatch.set_recorded_hash(answer.mismatch->recorded_hash);
  mismatch.set_replayed_hash(answer.mismatch->replayed_hash);
  mismatch.set_error(answer.mismatch->error);
}

}  // namespace

ServerUnaryReactor* RecordingService::StartRecording(CallbackServerContext* call_context,
                                                     const v1::StartRecordingRequest* request,
                                                     v1::StartRecordingResponse* response) {
  auto* call = new UnaryCall("RecordingService/StartRecording", *call_context, *response);
  const absl::StatusOr<StartRecordingCall> start = DecodeStart(*request);
  if (start.ok()) {
    context_.host.recordings().Start(*start, codec_, call->control(), AnswerRecording(call));
  } else {
    call->End(start.status());
  }
  return call;
}

ServerUnaryReactor* RecordingService::StopRecording(CallbackServerContext* call_context,
                                                    const v1::StopRecordingRequest* request,
                                                    v1::StopRecordingResponse* response) {
  auto* call = new UnaryCall("RecordingService/StopRecording", *call_context, *response);
  const absl::StatusOr<std::string> id = ParseRecordingName(request->recording());
  if (id.ok()) {
    context_.host.recordings().Stop(*id, AnswerRecording(call));
  } else {
    call->End(id.status());
  }
  return call;
}

ServerUnaryReactor* RecordingService::GetRecording(CallbackServerContext* call_context,
                                                   const v1::GetRecordingRequest* request,
                                                   v1::GetRecordingResponse* response) {
  auto* call = new UnaryCall("RecordingService/GetRecording", *call_context, *response);
  const absl::StatusOr<std::string> id = ParseRecordingName(request->recording());
  if (id.ok()) {
    context_.host.recordings().Find(*id, AnswerRecording(call));
  } else {
    call->End(id.status());
  }
  return call;
}

ServerUnaryReactor* RecordingService::ListRecordings(CallbackServerContext* call_context,
                                                     const v1::ListRecordingsRequest* request,
                                                     v1::ListRecordingsResponse* response) {
  auto* call = new UnaryCall("RecordingService/ListRecordings", *call_context, *response);
  context_.host.recordings().List(request->page_size(), request->page_token(),
                                  [call](absl::StatusOr<RecordingPage> page) {
                                    if (!page.ok()) return call->End(page.status());
                                    for (const RecordingInfo& info : page->recordings) {
                                      EncodeRecording(info, *call->response().add_recordings());
                                    }
                                    call->response().set_next_page_token(page->next_page_token);
                                    call->End(absl::OkStatus());
                                  });
  return call;
}

ServerUnaryReactor* RecordingService::DeleteRecording(CallbackServerContext* call_context,
                                                      const v1::DeleteRecordingRequest* request,
                                                      v1::DeleteRecordingResponse* response) {
  auto* call = new UnaryCall("RecordingService/DeleteRecording", *call_context, *response);
  const absl::StatusOr<std::string> id = ParseRecordingName(request->recording());
  if (id.ok()) {
    context_.host.recordings().Delete(*id,
                                      [call](const absl::Status& status) { call->End(status); });
  } else {
    call->End(id.status());
  }
  return call;
}

grpc::ServerWriteReactor<v1::DownloadRecordingResponse>* RecordingService::DownloadRecording(
    CallbackServerContext* call_context, const v1::DownloadRecordingRequest* request) {
  auto* reactor = new RecordingDownload(*call_context, context_.host.recordings());
  const absl::StatusOr<std::string> id = ParseRecordingName(request->recording());
  if (id.ok()) {
    context_.host.recordings().OpenView(
        *id, [reactor](auto opened) { reactor->Send(std::move(opened)); });
  } else {
    reactor->Send(id.status());
  }
  return reactor;
}

ServerUnaryReactor* RecordingService::ReplayInputs(CallbackServerContext* call_context,
                                                   const v1::ReplayInputsRequest* request,
                                                   v1::ReplayInputsResponse* response) {
  auto* call = new UnaryCall("RecordingService/ReplayInputs", *call_context, *response);
  const absl::StatusOr<std::string> id = ParseRecordingName(request->recording());
  const absl::Status scene =
      request->scene_id().empty() ? absl::OkStatus() : ValidateId(request->scene_id(), "scene_id");
  if (!id.ok() || !scene.ok()) {
    call->End(id.ok() ? scene : id.status());
    return call;
  }
  context_.host.recordings().Replay(
      {*id, request->scene_id(), context_.gate.NameClient(*call_context)}, codec_, call->control(),
      [call](absl::StatusOr<ReplayAnswer> answer) {
        if (answer.ok()) EncodeReplay(*answer, call->response());
        call->End(answer.status());
      });
  return call;
}

}  // namespace talus::rpc
