// Phases of chunks, dealt to the threads that happen to be there: what a WorkerArena's threads do
// while a job runs.
//
// The leader runs a job and announces phases; helpers wait for them without sleeping, because
// waking a thread takes longer than most phases. Each member owns a share of the chunks, the same
// part of every phase, so that what a core has in its cache is looked at by that core again; who is
// through with its own share takes from the others'. Nobody waits for a helper that has not come.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"

namespace talus {

class WorkerCrew {
 public:
  using Body = absl::FunctionRef<void(size_t)>;

  // `size` >= 1 members: the leader, who is number 0, and helpers.
  explicit WorkerCrew(int size);

  // The leader's calls. Phases run between Assemble and Dismiss.
  void Assemble() { assembled_.store(true, std::memory_order_release); }
  void Dismiss() { assembled_.store(false, std::memory_order_release); }
  bool assembled() const { return assembled_.load(std::memory_order_acquire); }
  // body(chunk) once for each of fewer than 2^32 chunks; returns when all are done.
  void RunPhase(size_t chunk_count, Body body);

  // A helper's call: works until the crew is dismissed. `member` in [1, size).
  void Help(size_t member);

 private:
  // What the leader hands to a member, on one cache line: between cores that share no cache a line
  // takes a quarter of a microsecond.
  struct alignas(64) Share {
    // The chunks that nobody has taken: [next, end), packed so that one exchange takes one.
    std::atomic<uint64_t> untaken{0};
    // Read only by who has taken a chunk of the share, so it is the phase's.
    std::atomic<const Body*> body{nullptr};
    std::atomic<uint64_t> phase{0};
  };
  // The chunks that a member has done, in all phases. It says so when it is out of work, and not
  // after every chunk.
  struct alignas(64) Tally {
    std::atomic<uint64_t> done{0};
  };

  // Takes and runs what is left, of the own share first.
  void WorkOff(size_t member);
  // Takes and runs what is left of a share; says how many chunks that were.
  static uint64_t Drain(Share& share);
  void AddDone(size_t member, uint64_t count);
  uint64_t CountDone() const;

  std::vector<Share> shares_;  // one a member, as are the tallies
  std::vector<Tally> tallies_;
  uint64_t phase_ = 0;
  uint64_t announced_ = 0;  // chunks of all phases
  std::atomic<bool> assembled_{false};
};

}  // namespace talus
