#include "server/rpc/snapshot_service.h"

#include <utility>

#include "server/rpc/download_reactor.h"
#include "server/rpc/info_encoding.h"
#include "server/rpc/unary_call.h"
#include "server/rpc/upload_reactor.h"
#include "server/session/error.h"

namespace talus::rpc {
namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

}  // namespace

ServerUnaryReactor* SnapshotService::CreateSnapshot(CallbackServerContext* call_context,
                                                    const v1::CreateSnapshotRequest* request,
                                                    v1::CreateSnapshotResponse* response) {
  auto* call = new UnaryCall("SnapshotService/CreateSnapshot", *call_context, *response);
  absl::StatusOr<std::string> scene = ParseSceneName(request->scene());
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  context_.host.archive().SaveScene(
      *scene, request->snapshot_id(), call->control(), [call](absl::StatusOr<SnapshotInfo> info) {
        if (info.ok()) EncodeSnapshotInfo(*info, *call->response().mutable_snapshot());
        call->End(info.status());
      });
  return call;
}

ServerUnaryReactor* SnapshotService::GetSnapshot(CallbackServerContext* call_context,
                                                 const v1::GetSnapshotRequest* request,
                                                 v1::GetSnapshotResponse* response) {
  auto* call = new UnaryCall("SnapshotService/GetSnapshot", *call_context, *response);
  absl::StatusOr<std::string> snapshot = ParseSnapshotName(request->snapshot());
  if (!snapshot.ok()) {
    call->End(snapshot.status());
    return call;
  }
  context_.host.archive().Find(*snapshot, [call](absl::StatusOr<SnapshotInfo> info) {
    if (info.ok()) EncodeSnapshotInfo(*info, *call->response().mutable_snapshot());
    call->End(info.status());
  });
  return call;
}

grpc::ServerReadReactor<v1::UploadSnapshotRequest>* SnapshotService::UploadSnapshot(
    CallbackServerContext* call_context, v1::UploadSnapshotResponse* response) {
  return UploadReactor::Make(*call_context, context_.host, uploading_, uploads_, *response);
}

ServerUnaryReactor* SnapshotService::ListSnapshots(CallbackServerContext* call_context,
                                                   const v1::ListSnapshotsRequest* request,
                                                   v1::ListSnapshotsResponse* response) {
  auto* call = new UnaryCall("SnapshotService/ListSnapshots", *call_context, *response);
  context_.host.archive().List(request->page_size(), request->page_token(),
                               [call](absl::StatusOr<SnapshotPage> page) {
                                 if (!page.ok()) return call->End(page.status());
                                 for (const SnapshotInfo& info : page->snapshots) {
                                   EncodeSnapshotInfo(info, *call->response().add_snapshots());
                                 }
                                 call->response().set_next_page_token(page->next_page_token);
                                 call->End(absl::OkStatus());
                               });
  return call;
}

ServerUnaryReactor* SnapshotService::DeleteSnapshot(CallbackServerContext* call_context,
                                                    const v1::DeleteSnapshotRequest* request,
                                                    v1::DeleteSnapshotResponse* response) {
  auto* call = new UnaryCall("SnapshotService/DeleteSnapshot", *call_context, *response);
  absl::StatusOr<std::string> snapshot = ParseSnapshotName(request->snapshot());
  if (snapshot.ok()) {
    context_.host.archive().Delete(*snapshot,
                                   [call](const absl::Status& status) { call->End(status); });
  } else {
    call->End(snapshot.status());
  }
  return call;
}

ServerUnaryReactor* SnapshotService::RestoreSnapshot(CallbackServerContext* call_context,
                                                     const v1::RestoreSnapshotRequest* request,
                                                     v1::RestoreSnapshotResponse* response) {
  auto* call = new UnaryCall("SnapshotService/RestoreSnapshot", *call_context, *response);
  absl::StatusOr<std::string> scene = ParseSceneName(request->scene());
  absl::StatusOr<std::string> snapshot = ParseSnapshotName(request->snapshot());
  if (!scene.ok() || !snapshot.ok()) {
    call->End(scene.ok() ? snapshot.status() : scene.status());
    return call;
  }
  context_.host.archive().RestoreScene(
      *scene, *snapshot, call->control(), [call](absl::StatusOr<SceneInfo> info) {
        if (info.ok()) EncodeSceneInfo(*info, *call->response().mutable_scene());
        call->End(info.status());
      });
  return call;
}

ServerUnaryReactor* SnapshotService::ForkScene(CallbackServerContext* call_context,
                                               const v1::ForkSceneRequest* request,
                                               v1::ForkSceneResponse* response) {
  auto* call = new UnaryCall("SnapshotService/ForkScene", *call_context, *response);
  absl::StatusOr<std::string> scene = ParseSceneName(request->scene());
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  ForkSceneCall fork;
  fork.scene_id = *std::move(scene);
  fork.fork_ids.assign(request->scene_ids().begin(), request->scene_ids().end());
  fork.request_id = request->request_id();
  fork.client = context_.gate.NameClient(*call_context);
  context_.host.registry().Fork(std::move(fork), call->control(),
                                [call](absl::StatusOr<std::vector<SceneInfo>> infos) {
                                  if (!infos.ok()) return call->End(infos.status());
                                  for (const SceneInfo& info : *infos) {
                                    EncodeSceneInfo(info, *call->response().add_scenes());
                                  }
                                  call->End(absl::OkStatus());
                                });
  return call;
}

grpc::ServerWriteReactor<v1::DownloadSnapshotResponse>* SnapshotService::DownloadSnapshot(
    CallbackServerContext* call_context, const v1::DownloadSnapshotRequest* request) {
  auto* reactor = DownloadReactor::Make(*call_context, context_.host.clock(), downloading_);
  if (absl::Status room = context_.host.AdmitMemory(); !room.ok()) {
    reactor->Send(std::move(room));
    return reactor;
  }
  switch (request->source_case()) {
    case v1::DownloadSnapshotRequest::kSnapshot: {
      absl::StatusOr<std::string> id = ParseSnapshotName(request->snapshot());
      if (!id.ok()) {
        reactor->Send(id.status());
        break;
      }
      context_.host.archive().Load(*id, [reactor](absl::StatusOr<StoredSnapshot> snapshot) {
        reactor->Send(std::move(snapshot));
      });
      break;
    }
    case v1::DownloadSnapshotRequest::kScene: {
      auto scene = FindScene(context_, request->scene());
      if (!scene.ok()) {
        reactor->Send(scene.status());
        break;
      }
      (*scene)->TakeSnapshot(reactor->control(), [reactor](absl::StatusOr<SceneSnapshot> taken) {
        if (!taken.ok()) return reactor->Send(taken.status());
        StoredSnapshot snapshot;
        snapshot.info.step_index = taken->step_index;
        snapshot.info.state_hash = taken->state_hash;
        snapshot.info.byte_size = static_cast<int64_t>(taken->bytes.size());
        snapshot.bytes = std::move(taken->bytes);
        reactor->Send(std::move(snapshot));
      });
      break;
    }
    case v1::DownloadSnapshotRequest::SOURCE_NOT_SET:
      reactor->Send(InvalidFieldError("source", "", "must be set: snapshot or scene"));
      break;
  }
  return reactor;
}

}  // namespace talus::rpc
