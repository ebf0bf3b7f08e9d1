#include "server/rpc/upload_reactor.h"

#include <optional>
#include <string>
#include <utility>

#include "server/rpc/info_encoding.h"
#include "server/rpc/status.h"
#include "server/session/error.h"
#include "server/session/held_bytes.h"
#include "server/session/resource_name.h"

namespace talus::rpc {
namespace {

constexpr size_t kLargestUploadChunk = size_t{1} << 20;

absl::Status SilenceError() {
  ErrorInfo info;
  info.reason = ErrorReason::kDeadline;
  return MakeError(absl::StatusCode::kDeadlineExceeded,
                   "no chunk came for " + std::to_string(kSnapshotPatience.count()) + " s", info);
}

}  // namespace

UploadReactor* UploadReactor::Make(grpc::CallbackServerContext& context, SceneHost& host,
                                   std::atomic<int64_t>& held_bytes,
                                   OpenStreams<UploadReactor>& streams,
                                   v1::UploadSnapshotResponse& response) {
  std::shared_ptr<UploadReactor> reactor(
      new UploadReactor(context, host, held_bytes, streams, response));
  reactor->self_ = reactor;
  streams.Add(reactor);
  reactor->WatchSilence();
  reactor->Read();
  return reactor.get();
}

UploadReactor::UploadReactor(grpc::CallbackServerContext& context, SceneHost& host,
                             std::atomic<int64_t>& held_bytes, OpenStreams<UploadReactor>& streams,
                             v1::UploadSnapshotResponse& response)
    : context_(context),
      host_(host),
      held_bytes_(held_bytes),
      streams_(streams),
      response_(response) {}

void UploadReactor::Read() {
  const std::shared_ptr<UploadReactor> self = shared_from_this();
  if (end_.BeginRead()) {
    StartRead(&message_);
    end_.ReadIsBegun();
  }
  FinishIfDue();
}

void UploadReactor::WatchSilence() {
  Clock& clock = host_.clock();
  clock.CallAt(clock.Now() + kSnapshotPatience,
               [weak = weak_from_this(), before = read_count_.load()] {
                 const std::shared_ptr<UploadReactor> self = weak.lock();
                 if (self == nullptr) return;
                 if (self->read_count_.load() != before) return self->WatchSilence();
                 self->End(SilenceError());
               });
}

void UploadReactor::OnReadDone(bool ok) {
  const std::shared_ptr<UploadReactor> self = shared_from_this();
  ++read_count_;
  if (!end_.BeginWork()) return;
  if (context_.IsCancelled()) return FinishWith(CancelledError());
  if (!ok) return Store();
  const absl::Status status = Take();
  if (!status.ok()) return FinishWith(status);
  Read();
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
  if (message_.chunk().size() > kLargestUploadChunk) {
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

void UploadReactor::Store() {
  host_.archive().Save(snapshot_id_, std::move(bytes_),
                       [self = shared_from_this()](absl::StatusOr<SnapshotInfo> info) {
                         if (info.ok()) {
                           EncodeSnapshotInfo(*info, *self->response_.mutable_snapshot());
                         }
                         self->FinishWith(info.status());
                       });
}

void UploadReactor::End(const absl::Status& status) {
  const std::shared_ptr<UploadReactor> self = shared_from_this();
  end_.Plan(status);
  FinishIfDue();
}

void UploadReactor::FinishWith(const absl::Status& status) {
  end_.EndNow(status);
  FinishIfDue();
}

void UploadReactor::FinishIfDue() {
  const std::optional<absl::Status> status = end_.TakeDue();
  if (status.has_value()) {
    // Before the end is told: who hears of it finds the room free.
    std::string().swap(bytes_);
    held_bytes_.fetch_sub(held_here_, std::memory_order_relaxed);
    Finish(EncodeStatus(*status, "SnapshotService/UploadSnapshot", context_));
  }
}

void UploadReactor::OnDone() {
  streams_.Remove(this);
  self_.reset();  // the last owner unless a completion is still to come; nothing may follow
}

}  // namespace talus::rpc
