#include "server/rpc/call_threads.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/support/byte_buffer.h>

#include <utility>

#include "server/telemetry/process_usage.h"

namespace talus::rpc {

struct CallThreads::CallToNobody {
  grpc::ClientContext context;
  grpc::Slice empty;
  grpc::ByteBuffer request{&empty, 1};
  grpc::ByteBuffer response;
};

// Without credentials there is no channel to anybody, and each call on it ends at once.
CallThreads::CallThreads(const LockStepRule& rule)
    : patience_(rule.patience),
      nobody_(std::make_unique<grpc::GenericStub>(grpc::CreateChannel("", nullptr))),
      row_(rule),
      last_(Clock::now()),
      waker_([this] { WakeOneNowAndThen(); }) {}

CallThreads::~CallThreads() { Stop(); }

void CallThreads::MakeCall(CallToNobody& call, std::function<void()> end) {
  nobody_->UnaryCall(&call.context, "/nobody/Answers", {}, &call.request, &call.response,
                     [end = std::move(end)](const grpc::Status&) { end(); });
}

void CallThreads::NoteCall(const void* caller) {
  const Clock::time_point now = Clock::now();
  last_.store(now, std::memory_order_relaxed);
  // Another thread just notes one: there will be more.
  if (noting_.test_and_set(std::memory_order_acquire)) return;
  const LockStepRow::Finding found = row_.Note(caller, now);
  noting_.clear(std::memory_order_release);
  const bool asked = asked_.load(std::memory_order_relaxed);
  if (found == LockStepRow::Finding::kRow && !asked) AskToRest();
  if (found == LockStepRow::Finding::kCrowd && asked) EndRest();
}

bool CallThreads::HasSpare() {
  // What gRPC calls its threads that wait for calls. One that has just begun may have no name yet.
  constexpr char kName[] = "nexting_thread";
  constexpr std::chrono::milliseconds kCountInterval{100};
  if (thread_count_ < 2 && Clock::now() >= next_count_) {
    thread_count_ = telemetry::CountThreads(kName);
    next_count_ = Clock::now() + kCountInterval;
  }
  return thread_count_ >= 2;
}

void CallThreads::AskToRest() {
  MutexLock lock(mutex_);
  // Of the row before some may still be on their way back.
  if (stopped_ || asked_.load() || pending_ > 0 || !HasSpare()) return;
  calls_.clear();
  asked_.store(true);
  for (pending_ = 0; pending_ < thread_count_ - 1; ++pending_) {
    CallToNobody& call = *calls_.emplace_back(std::make_unique<CallToNobody>());
    MakeCall(call, [this] { RestHere(); });
  }
}

void CallThreads::EndRest() {
  MutexLock lock(mutex_);
  asked_.store(false);
  changed_.notify_all();
}

void CallThreads::RestHere() {
  MutexLock lock(mutex_);
  const bool watches = resting_.fetch_add(1) == 0;
  while (asked_.load() && !stopped_) {
    if (!watches) {
      changed_.wait(mutex_);
      continue;
    }
    changed_.wait_for(mutex_, patience_ / 2);
    if (Clock::now() - last_.load() <= patience_) continue;
    asked_.store(false);
    changed_.notify_all();
  }
  resting_.fetch_sub(1);
  if (--pending_ == 0) changed_.notify_all();
}

// A thread that was woken waits for a second: one woken after less than that has not gone to sleep.
void CallThreads::WakeOneNowAndThen() {
  constexpr std::chrono::milliseconds kWakeInterval{450};
  MutexLock lock(mutex_);
  while (!stopped_) {
    changed_.wait_for(mutex_, kWakeInterval);
    if (stopped_ || waking_) continue;
    waking_ = true;
    wake_ = std::make_unique<CallToNobody>();
    MakeCall(*wake_, [this] {
      MutexLock end_lock(mutex_);
      wakes_.fetch_add(1);
      waking_ = false;
      if (stopped_) changed_.notify_all();
    });
  }
}

void CallThreads::Stop() {
  {
    MutexLock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
    while (pending_ > 0 || waking_) changed_.wait(mutex_);
  }
  if (waker_.joinable()) waker_.join();
}

}  // namespace talus::rpc
