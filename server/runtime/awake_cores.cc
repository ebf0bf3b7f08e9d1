#include "server/runtime/awake_cores.h"

#include <pthread.h>
#include <sched.h>

#include <cstddef>

#include "server/runtime/chosen_cores.h"
#include "solver/base/check.h"

namespace talus {
namespace {

int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void Pause() {
  constexpr int kMoments = 20;  // about a microsecond
  for (int moment = 0; moment < kMoments; ++moment) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  // Who was made ready meanwhile begins at once, not at the next interrupt.
  sched_yield();
}

}  // namespace

AwakeCores::AwakeCores(int core_count, std::chrono::microseconds patience)
    : patience_(patience), last_ns_(NowNs() - 2 * std::chrono::nanoseconds(patience).count()) {
  TALUS_CHECK(core_count >= 1 && patience.count() > 0);
  // Left to the kernel both may lie on one core for long, and the other one falls asleep.
  const Cores usable = FindUsableCores();
  const auto count = static_cast<size_t>(core_count);
  const bool bound = !usable.empty() && usable.size() <= count;
  for (size_t k = 0; k < count; ++k) {
    const ChosenCores chosen(bound ? Cores{usable[k % usable.size()]} : Cores{});
    threads_.emplace_back([this] { RunThread(); });
  }
}

AwakeCores::~AwakeCores() {
  {
    MutexLock lock(mutex_);
    stopping_.store(true);
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void AwakeCores::NoteStep() {
  const int64_t now = NowNs();
  const int64_t patience = std::chrono::nanoseconds(patience_).count();
  const int64_t interval = now - last_ns_.exchange(now);
  if (!IsWorthIt(std::chrono::nanoseconds(interval)) || interval > patience) return;
  until_ns_.store(now + patience);
  if (asleep_.load() == 0) return;
  // Whoever falls asleep looks at the time again under the lock.
  { MutexLock lock(mutex_); }
  changed_.notify_all();
}

// Of steps that were made at once on several threads one is enough to know.
bool AwakeCores::IsWorthIt(std::chrono::nanoseconds interval) {
  // Without awake cores a step may come later than with them, and is then to count, too.
  constexpr int kPauses = 4;
  if (!noting_.test_and_set(std::memory_order_acquire)) {
    if (interval > kPauses * patience_) {
      trial_.Pause();
    } else {
      trial_.Note(interval);
    }
    worth_it_.store(trial_.awake(), std::memory_order_relaxed);
    noting_.clear(std::memory_order_release);
  }
  return worth_it_.load(std::memory_order_relaxed);
}

bool AwakeCores::IsPatient() const { return NowNs() < until_ns_.load(); }

bool AwakeCores::WaitForStep() {
  MutexLock lock(mutex_);
  asleep_.fetch_add(1);
  while (!stopping_.load() && !IsPatient()) changed_.wait(mutex_);
  asleep_.fetch_sub(1);
  return !stopping_.load();
}

void AwakeCores::RunThread() {
  const sched_param lowest{};
  // Never refused: it only ever takes something away.
  pthread_setschedparam(pthread_self(), SCHED_IDLE, &lowest);
  while (WaitForStep()) {
    spinning_.fetch_add(1, std::memory_order_relaxed);
    while (IsPatient() && !stopping_.load(std::memory_order_relaxed)) Pause();
    spinning_.fetch_sub(1, std::memory_order_relaxed);
  }
}

}  // namespace talus
