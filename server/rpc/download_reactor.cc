#include "server/rpc/download_reactor.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "server/rpc/deadline.h"
#include "server/rpc/info_encoding.h"
#include "server/rpc/status.h"
#include "server/session/error.h"

namespace talus::rpc {
namespace {

constexpr size_t kLargestChunk = size_t{1} << 20;

}  // namespace

DownloadReactor::DownloadReactor(grpc::CallbackServerContext& context, const SceneHost& host,
                                 std::atomic<int64_t>& held_bytes)
    : context_(context),
      host_(host),
      held_bytes_(held_bytes),
      control_(std::make_shared<CallControl>(FindDeadline(context))) {}

void DownloadReactor::Send(absl::StatusOr<StoredSnapshot> snapshot) {
  if (!snapshot.ok()) return End(snapshot.status());
  const absl::Status room = Hold(static_cast<int64_t>(snapshot->bytes.size()));
  if (!room.ok()) return End(room);
  bytes_ = std::move(snapshot->bytes);
  EncodeSnapshotInfo(snapshot->info, *chunk_.mutable_snapshot());
  SendNextChunk();
}

absl::Status DownloadReactor::Hold(int64_t size) {
  held_here_ = size;
  const int64_t held = held_bytes_.fetch_add(size, std::memory_order_relaxed) + size;
  const int64_t limit = host_.options().limits.snapshot_bytes;
  // One alone passes whatever its size: a scene's state need not fit a stored snapshot.
  if (held > limit && held > size) return LimitError("snapshot_bytes", limit, held);
  return absl::OkStatus();
}

void DownloadReactor::OnDone() {
  held_bytes_.fetch_sub(held_here_, std::memory_order_relaxed);
  delete this;
}

void DownloadReactor::SendNextChunk() {
  const size_t size = std::min(kLargestChunk, bytes_.size() - sent_);
  chunk_.set_chunk(bytes_.data() + sent_, size);
  sent_ += size;
  StartWrite(&chunk_);
}

void DownloadReactor::OnWriteDone(bool ok) {
  if (!ok) return End(CancelledError());
  if (sent_ == bytes_.size()) return End(absl::OkStatus());
  chunk_.Clear();
  SendNextChunk();
}

void DownloadReactor::End(const absl::Status& status) {
  Finish(EncodeStatus(status, "SnapshotService/DownloadSnapshot", context_));
}

}  // namespace talus::rpc
