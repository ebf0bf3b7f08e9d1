// What the calls have in common that take bytes chunk by chunk and then do something with all of
// them.
//
// What has come so far is held in memory, never more of all such calls together than their limit:
// the first chunk beyond ends its call, and so does a silence of kSnapshotPatience. A reactor
// deletes itself once gRPC is done with it.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "server/rpc/deadline.h"
#include "server/rpc/lease_metadata.h"
#include "server/rpc/open_streams.h"
#include "server/rpc/planned_end.h"
#include "server/rpc/status.h"
#include "server/runtime/call_control.h"
#include "server/session/error.h"
#include "server/session/held_bytes.h"
#include "server/session/scene_host.h"

namespace talus::rpc {

inline constexpr size_t kLargestChunk = size_t{1} << 20;

template <typename Request>
class ChunkReactor : public grpc::ServerReadReactor<Request>,
                     public std::enable_shared_from_this<ChunkReactor<Request>> {
 public:
  // Of all calls of one method: what they hold together, and may.
  struct Room {
    const char* limit_name;
    int64_t limit_bytes;
    std::atomic<int64_t> held_bytes{0};
  };

  // Ends it with `status` unless all has come.
  void End(const absl::Status& status) {
    const auto self = this->shared_from_this();
    end_.Plan(status);
    FinishIfDue();
  }

 protected:
  // `method` is a literal; all but the context outlive the reactor.
  ChunkReactor(std::string_view method, grpc::CallbackServerContext& context, SceneHost& host,
               Room& room, OpenStreams<ChunkReactor>& streams)
      : method_(method),
        context_(context),
        host_(host),
        room_(room),
        streams_(streams),
        control_(std::make_shared<CallControl>(FindDeadline(context), FindLease(context))) {}

  // Lives until gRPC is done, and until then among the streams.
  void Begin(std::shared_ptr<ChunkReactor> self) {
    self_ = std::move(self);
    streams_.Add(self_);
    WatchSilence();
    Read();
  }

  // Takes a message in; of its chunk Hold has been asked.
  virtual absl::Status Take(Request& message, bool first) = 0;
  // All has come: does with it what the call is for, and ends with FinishWith.
  virtual void Complete() = 0;
  // What was taken in goes.
  virtual void Drop() = 0;

  void FinishWith(const absl::Status& status) {
    end_.EndNow(status);
    FinishIfDue();
  }
  SceneHost& host() { return host_; }
  const CallControlPtr& control() const { return control_; }

 private:
  void OnReadDone(bool ok) override {
    const auto self = this->shared_from_this();
    ++read_count_;
    if (!end_.BeginWork()) return;
    if (context_.IsCancelled()) return FinishWith(CancelledError());
    if (!ok) return Complete();
    const bool first = std::exchange(first_, false);
    absl::Status status = first ? host_.AdmitMemory() : absl::OkStatus();
    if (status.ok()) status = Hold(message_.chunk().size());
    if (status.ok()) status = Take(message_, first);
    if (!status.ok()) return FinishWith(status);
    Read();
  }
  void OnCancel() override { control_->Cancel(); }
  void OnDone() override {
    streams_.Remove(this);
    self_.reset();  // the last owner unless a completion is still to come; nothing may follow
  }

  void Read() {
    const auto self = this->shared_from_this();
    if (end_.BeginRead()) {
      this->StartRead(&message_);
      end_.ReadIsBegun();
    }
    FinishIfDue();
  }

  // Looks after a while whether chunks still come.
  void WatchSilence() {
    Clock& clock = host_.clock();
    clock.CallAt(clock.Now() + kSnapshotPatience,
                 [weak = this->weak_from_this(), before = read_count_.load()] {
                   const auto self = weak.lock();
                   if (self == nullptr) return;
                   if (self->read_count_.load() != before) return self->WatchSilence();
                   self->End(SilenceError());
                 });
  }
  static absl::Status SilenceError() {
    ErrorInfo info;
    info.reason = ErrorReason::kDeadline;
    return MakeError(absl::StatusCode::kDeadlineExceeded,
                     "no chunk came for " + std::to_string(kSnapshotPatience.count()) + " s", info);
  }

  absl::Status Hold(size_t bytes) {
    if (bytes > kLargestChunk) {
      return InvalidFieldError("chunk", std::to_string(bytes) + " bytes",
                               "must have at most 1048576");
    }
    const auto size = static_cast<int64_t>(bytes);
    held_here_ += size;
    const int64_t held = room_.held_bytes.fetch_add(size, std::memory_order_relaxed) + size;
    if (held <= room_.limit_bytes) return absl::OkStatus();
    return LimitError(room_.limit_name, room_.limit_bytes, held);
  }

  void FinishIfDue() {
    const std::optional<absl::Status> status = end_.TakeDue();
    if (!status.has_value()) return;
    // Before the end is told: who hears of it finds the room free.
    Drop();
    room_.held_bytes.fetch_sub(held_here_, std::memory_order_relaxed);
    this->Finish(EncodeStatus(*status, method_, context_));
  }

  const std::string_view method_;
  grpc::CallbackServerContext& context_;
  SceneHost& host_;
  Room& room_;
  int64_t held_here_ = 0;
  OpenStreams<ChunkReactor>& streams_;
  std::shared_ptr<ChunkReactor> self_;
  const CallControlPtr control_;
  Request message_;  // stays put while it is read
  std::atomic<int64_t> read_count_{0};
  bool first_ = true;
  PlannedEnd end_;
};

}  // namespace talus::rpc
