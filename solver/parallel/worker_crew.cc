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

WorkerCrew::WorkerCrew(int size)
    : shares_(static_cast<size_t>(size)), tallies_(static_cast<size_t>(size)) {
  TALUS_CHECK(size >= 1);
}

void WorkerCrew::RunPhase(size_t chunk_count, Body body) {
  TALUS_CHECK(chunk_count <= std::numeric_limits<uint32_t>::max());
  if (chunk_count == 0) return;
  announced_ += chunk_count;
  ++phase_;
  const size_t size = shares_.size();
  // The leader has the first chunk for itself: an exchange would wait until the helpers have got
  // their shares.
  const size_t dealt = chunk_count - 1;
  for (size_t member = 0; member < size; ++member) {
    Share& share = shares_[member];
    share.body.store(&body, std::memory_order_relaxed);
    share.untaken.store(Pack(1 + member * dealt / size, 1 + (member + 1) * dealt / size),
                        std::memory_order_release);
    share.phase.store(phase_, std::memory_order_release);
  }
  body(0);
  AddDone(0, 1);
  WorkOff(0);
  Patience patience;
  while (CountDone() != announced_) patience.Wait();
}

void WorkerCrew::Help(size_t member) {
  uint64_t seen = 0;  // none: what is left of a phase under way is taken too
  Patience patience;
  while (assembled()) {
    const uint64_t phase = shares_[member].phase.load(std::memory_order_acquire);
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
    const uint64_t done = Drain(shares_[(member + turn) % shares_.size()]);
    if (done > 0) AddDone(member, done);
  }
}

void WorkerCrew::AddDone(size_t member, uint64_t count) {
  std::atomic<uint64_t>& done = tallies_[member].done;
  done.store(done.load(std::memory_order_relaxed) + count, std::memory_order_release);
}

uint64_t WorkerCrew::Drain(Share& share) {
  uint64_t done = 0;
  uint64_t untaken = share.untaken.load(std::memory_order_acquire);
  while (NextOf(untaken) < EndOf(untaken)) {
    if (!share.untaken.compare_exchange_weak(untaken, untaken + 1, std::memory_order_acq_rel,
                                             std::memory_order_acquire)) {
      continue;
    }
    // The phase cannot end before this chunk is done, so the body is the one it belongs to.
    (*share.body.load(std::memory_order_relaxed))(NextOf(untaken));
    ++done;
    untaken = share.untaken.load(std::memory_order_acquire);
  }
  return done;
}

uint64_t WorkerCrew::CountDone() const {
  uint64_t done = 0;
  for (const Tally& tally : tallies_) done += tally.done.load(std::memory_order_acquire);
  return done;
}

}  // namespace talus
