#include "server/rpc/download_reactor.h"

#include <algorithm>
#include <memory>
#include <optional>
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

DownloadReactor* DownloadReactor::Make(grpc::CallbackServerContext& context, Clock& clock,
                                       HeldBytes& held) {
  std::shared_ptr<DownloadReactor> reactor(new DownloadReactor(context, clock, held));
  reactor->self_ = reactor;
  return reactor.get();
}

DownloadReactor::DownloadReactor(grpc::CallbackServerContext& context, Clock& clock,
                                 HeldBytes& held)
    : context_(context),
      clock_(clock),
      held_(held),
      control_(std::make_shared<CallControl>(FindDeadline(context))) {}

void DownloadReactor::Send(absl::StatusOr<StoredSnapshot> snapshot) {
  if (!snapshot.ok()) return End(snapshot.status());
  auto hold = held_.Take(static_cast<int64_t>(snapshot->bytes.size()));
  if (!hold.ok()) return End(hold.status());
  hold_ = *std::move(hold);
  bytes_ = std::move(snapshot->bytes);
  EncodeSnapshotInfo(snapshot->info, *chunk_.mutable_snapshot());
  {
    MutexLock lock(mutex_);
    PlanCutOff();
  }
  SendNextChunk();
}

void DownloadReactor::SendNextChunk() {
  const size_t size = std::min(kSnapshotChunk, bytes_.size() - sent_);
  chunk_.set_chunk(bytes_.data() + sent_, size);
  sent_ += size;
  {
    MutexLock lock(mutex_);
    writing_ = true;
  }
  StartWrite(&chunk_);
}

void DownloadReactor::OnWriteDone(bool ok) {
  {
    MutexLock lock(mutex_);
    writing_ = false;
    ++written_;
  }
  if (!ok) return End(CancelledError());
  if (sent_ == bytes_.size()) return End(absl::OkStatus());
  chunk_.Clear();
  SendNextChunk();
}

void DownloadReactor::PlanCutOff() {
  clock_.CallAt(clock_.Now() + kSnapshotPatience, [weak = weak_from_this(), written = written_] {
    if (const auto self = weak.lock()) self->CutOff(written);
  });
}

void DownloadReactor::CutOff(int64_t written_before) {
  {
    MutexLock lock(mutex_);
    if (written_ != written_before) return PlanCutOff();
    // A write in flight: the call is there, and stays so while its end is held.
    if (!writing_) return;
    end_.Hold();
  }
  context_.TryCancel();
  std::optional<absl::Status> end;
  {
    MutexLock lock(mutex_);
    end = end_.Release();
  }
  if (end.has_value()) End(*end);
}

void DownloadReactor::End(const absl::Status& status) {
  {
    MutexLock lock(mutex_);
    if (end_.Keep(status)) return;
  }
  // Before the end is told: who hears of it finds the room free.
  std::string().swap(bytes_);
  hold_.reset();
  Finish(EncodeStatus(status, "SnapshotService/DownloadSnapshot", context_));
}

}  // namespace talus::rpc
