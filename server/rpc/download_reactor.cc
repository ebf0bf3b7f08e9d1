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

// With its frame it must fit the smallest limit on messages, 1 MiB.
constexpr size_t kSnapshotChunk = size_t{1} << 19;

}  // namespace

DownloadReactor::DownloadReactor(grpc::CallbackServerContext& context, HeldBytes& held)
    : context_(context),
      held_(held),
      control_(std::make_shared<CallControl>(FindDeadline(context))) {}

void DownloadReactor::Send(absl::StatusOr<StoredSnapshot> snapshot) {
  if (!snapshot.ok()) return End(snapshot.status());
  auto hold = held_.Take(static_cast<int64_t>(snapshot->bytes.size()));
  if (!hold.ok()) return End(hold.status());
  hold_ = *std::move(hold);
  bytes_ = std::move(snapshot->bytes);
  EncodeSnapshotInfo(snapshot->info, *chunk_.mutable_snapshot());
  SendNextChunk();
}

void DownloadReactor::SendNextChunk() {
  const size_t size = std::min(kSnapshotChunk, bytes_.size() - sent_);
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
