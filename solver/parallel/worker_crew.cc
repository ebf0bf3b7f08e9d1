#include "solver/parallel/worker_crew.h"

#include <limits>
#include <thread>

#include "solver/base/check.h"

namespace talus {
namespace {

constexpr int kShareBits = 32;

uint64_t Pack(uint64_t next, uint64_t end) { return end << kShareBits | next; }
uint64_t NextOf(uint64_t untaken) { return untaken & std::numeric_limits<uint32_t>::max(); }
uint64_t EndOf(uint64_t untaken) { return untaken >> kShareBits; }

// Waits a moment: for some tens of microseconds on the core, then letting others have it.
class Patience {
 public:
  void Wait() {
    constexpr int kMoments = 2000;
    if (++moments_ > kMoments) {
      std::this_thread::yield();
      return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  void Renew() { moments_ = 0; }

 private:
  int moments_ = 0;
};

}  // namespace

WorkerCrew::WorkerCrew(int size) : shares_(static_cast<size_t>(size)) { TALUS_CHECK(size >= 1); }

void WorkerCrew::RunPhase(size_t chunk_count, Body body) {
  TALUS_CHECK(chunk_count <= std::numeric_limits<uint32_t>::max());
  const size_t size = shares_.size();
  body_ = &body;
  done_.store(0, std::memory_order_relaxed);
  for (size_t member = 0; member < size; ++member) {
    const uint64_t share = Pack(member * chunk_count / size, (member + 1) * chunk_count / size);
    shares_[member].untaken.store(share, std::memory_order_release);
  }
  phase_.fetch_add(1, std::memory_order_release);
  WorkOff(0);
  Patience patience;
  while (done_.load(std::memory_order_acquire) != chunk_count) patience.Wait();
}

void WorkerCrew::Help(size_t member) {
  uint64_t seen = 0;  // none: what is left of a phase under way is taken too
  Patience patience;
  while (assembled()) {
    const uint64_t phase = phase_.load(std::memory_order_acquire);
    if (phase == seen) {
      patience.Wait();
      continue;
    }
    seen = phase;
    WorkOff(member);
    patience.Renew();
  }
}

void WorkerCrew::WorkOff(size_t member) {
  for (size_t turn = 0; turn < shares_.size(); ++turn) {
    std::atomic<uint64_t>& untaken = shares_[(member + turn) % shares_.size()].untaken;
    uint64_t share = untaken.load(std::memory_order_acquire);
    while (NextOf(share) < EndOf(share)) {
      if (!untaken.compare_exchange_weak(share, share + 1, std::memory_order_acq_rel,
                                         std::memory_order_acquire)) {
        continue;
      }
      // The phase cannot end before this chunk is done, so the body is the one it belongs to.
      (*body_)(NextOf(share));
      done_.fetch_add(1, std::memory_order_release);
      share = untaken.load(std::memory_order_acquire);
    }
  }
}

}  // namespace talus
