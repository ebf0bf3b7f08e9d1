#include "server/rpc/upload_reactor.h"

#include <utility>

#include "server/rpc/info_encoding.h"
#include "server/rpc/status.h"
#include "server/session/error.h"
#include "server/session/resource_name.h"

namespace talus::rpc {
namespace {

constexpr size_t kLargestChunk = size_t{1} << 20;

}  // namespace

UploadReactor::UploadReactor(grpc::CallbackServerContext& context, SceneHost& host,
                             std::atomic<int64_t>& held_bytes, v1::UploadSnapshotResponse& response)
    : context_(context), host_(host), held_bytes_(held_bytes), response_(response) {
  StartRead(&message_);
}

void UploadReactor::OnReadDone(bool ok) {
  if (context_.IsCancelled()) return End(CancelledError());
  if (ok) {
    const absl::Status status = Take();
    if (!status.ok()) return End(status);
    StartRead(&message_);
    return;
  }
  host_.archive().Save(snapshot_id_, std::move(bytes_), [this](absl::StatusOr<SnapshotInfo> info) {
    if (info.ok()) EncodeSnapshotInfo(*info, *response_.mutable_snapshot());
    End(info.status());
  });
}

absl::Status UploadReactor::Take() {
  const bool first = std::exchange(first_, false);
  if (first) {
    if (absl::Status room = host_.AdmitMemory(); !room.ok()) return room;
    snapshot_id_ = message_.snapshot_id();
    const absl::Status valid =
        snapshot_id_.empty() ? absl::OkStatus() : ValidateId(snapshot_id_, "snapshot_id");
    if (!valid.ok()) return valid;
  } else if (!message_.snapshot_id().empty()) {
    return InvalidFieldError("snapshot_id", message_.snapshot_id(),
                             "must be empty after the first message");
  }
  if (message_.chunk().size() > kLargestChunk) {
    return InvalidFieldError("chunk", std::to_string(message_.chunk().size()) + " bytes",
                             "must have at most 1048576");
  }
  const int64_t limit = host_.options().limits.snapshot_bytes;
  const auto size = static_cast<int64_t>(message_.chunk().size());
  held_here_ += size;
  const int64_t held = held_bytes_.fetch_add(size, std::memory_order_relaxed) + size;
  if (held > limit) return LimitError("snapshot_bytes", limit, held);
  bytes_ += message_.chunk();
  return absl::OkStatus();
}

void UploadReactor::OnDone() {
  held_bytes_.fetch_sub(held_here_, std::memory_order_relaxed);
  delete this;
}

void UploadReactor::End(const absl::Status& status) {
  Finish(EncodeStatus(status, "SnapshotService/UploadSnapshot", context_));
}

}  // namespace talus::rpc
