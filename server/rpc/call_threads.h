// How many of gRPC's threads that wait for calls do so: one at least, and in lock-step one alone.
//
// gRPC has half as many of them as there are cores, but at least two (1.51). One of them waits in
// the kernel. As it gets a call it first wakes another one to wait in its place, and whatever ends
// on a thread that answers wakes the one that waits. To who waits for an answer each of these
// wake-ups is time, where cores are slow to wake more than the answer itself. One thread alone
// wakes nobody; so the others rest while few callers step in lock-step (rpc/lock_step_row.h). They
// are there again soon after the last call of a row, so that a call which holds up the one that is
// left holds up the others for no longer than that.
//
// One that got nothing for a second gRPC sends to sleep for a tenth, and where all are, the next
// call waits. So at least one gets something to do twice a second.
//
// No result depends on any of this. Thread-safe.
#pragma once

#include <grpcpp/generic/generic_stub.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "server/rpc/lock_step_row.h"
#include "solver/base/mutex.h"

namespace talus::rpc {

class CallThreads {
 public:
  explicit CallThreads(const LockStepRule& rule = {});
  // Stops.
  ~CallThreads();
  CallThreads(const CallThreads&) = delete;
  CallThreads& operator=(const CallThreads&) = delete;

  // A call has come that is to step; `caller` is the scene or the stream by which callers who step
  // are told apart.
  void NoteCall(const void* caller);
  // Leaves them to gRPC from now on. Returns when none rests, for which gRPC must still run.
  // Idempotent.
  void Stop();

  // Threads that rest now.
  int resting() const { return resting_.load(std::memory_order_relaxed); }
  // How often one was given something to do.
  int64_t wakes() const { return wakes_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  // gRPC tells of its end on one of its threads.
  struct CallToNobody;

  void MakeCall(CallToNobody& call, std::function<void()> end) TALUS_REQUIRES(mutex_);
  // For each thread that is to rest makes a call.
  void AskToRest();
  // Whether gRPC has more than one.
  bool HasSpare() TALUS_REQUIRES(mutex_);
  void EndRest();
  // On a thread of gRPC's, which has it back when this returns.
  void RestHere();
  void WakeOneNowAndThen();

  const std::chrono::microseconds patience_;
  const std::unique_ptr<grpc::GenericStub> nobody_;
  std::atomic_flag noting_;  // who has set it has the row
  LockStepRow row_;
  std::atomic<Clock::time_point> last_;  // when a call was noted
  std::atomic<bool> asked_{false};       // to rest
  std::atomic<int> resting_{0};
  std::atomic<int64_t> wakes_{0};
  Mutex mutex_;
  CondVar changed_;
  int thread_count_ TALUS_GUARDED_BY(mutex_) = 0;  // gRPC's, once counted
  Clock::time_point next_count_ TALUS_GUARDED_BY(mutex_);
  int pending_ TALUS_GUARDED_BY(mutex_) = 0;  // calls to rest whose end is to come, or rests
  bool waking_ TALUS_GUARDED_BY(mutex_) = false;
  // The last ones. They hold the channel, which must not end on a thread of gRPC's.
  std::vector<std::unique_ptr<CallToNobody>> calls_ TALUS_GUARDED_BY(mutex_);
  std::unique_ptr<CallToNobody> wake_ TALUS_GUARDED_BY(mutex_);
  bool stopped_ TALUS_GUARDED_BY(mutex_) = false;
  std::thread waker_;
};

}  // namespace talus::rpc
