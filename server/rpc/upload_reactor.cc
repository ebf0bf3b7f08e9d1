#include "server/rpc/upload_reactor.h"

#include <utility>

#include "server/rpc/info_encoding.h"
#include "server/session/resource_name.h"

namespace talus::rpc {

UploadReactor* UploadReactor::Make(grpc::CallbackServerContext& context, SceneHost& host,
                                   Room& room, OpenStreams<ChunkReactor>& streams,
                                   v1::UploadSnapshotResponse& response) {
  std::shared_ptr<UploadReactor> reactor(new UploadReactor(context, host, room, streams, response));
  reactor->Begin(reactor);
  return reactor.get();
}

absl::Status UploadReactor::Take(v1::UploadSnapshotRequest& message, bool first) {
  if (first) {
    snapshot_id_ = message.snapshot_id();
    const absl::Status valid =
        snapshot_id_.empty() ? absl::OkStatus() : ValidateId(snapshot_id_, "snapshot_id");
    if (!valid.ok()) return valid;
  } else if (!message.snapshot_id().empty()) {
    return InvalidFieldError("snapshot_id", message.snapshot_id(),
                             "must be empty after the first message");
  }
  bytes_ += message.chunk();
  return absl::OkStatus();
}

void UploadReactor::Complete() {
  auto self = std::static_pointer_cast<UploadReactor>(shared_from_this());
  host().archive().Save(snapshot_id_, std::move(bytes_),
                        [self = std::move(self)](absl::StatusOr<SnapshotInfo> info) {
                          if (info.ok()) {
                            EncodeSnapshotInfo(*info, *self->response_.mutable_snapshot());
                          }
                          self->FinishWith(info.status());
                        });
}

}  // namespace talus::rpc
