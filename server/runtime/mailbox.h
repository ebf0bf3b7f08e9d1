// The commands that wait for one scene, in two bounded lanes: changes, done one after the other in
// the order they came, and reads, served between any two steps.
//
// Not thread-safe: the actor has the lock. Full means RESOURCE_EXHAUSTED / MAILBOX_FULL; nothing
// blocks.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "server/runtime/command.h"

namespace talus {

class Mailbox {
 public:
  enum class Lane { kChanges, kReads };

  // `depth` commands wait in each lane at most.
  explicit Mailbox(int64_t depth) : depth_(depth) {}

  // RESOURCE_EXHAUSTED (MAILBOX_FULL) where Submit would be refused.
  absl::Status CheckRoom(Lane lane, int64_t retry_after_ms) const;
  // Moves from `command` only when it goes in; `retry_after_ms` is passed on in the error.
  absl::Status Submit(Lane lane, std::unique_ptr<Command>& command, int64_t retry_after_ms);
  // The next change; null when none waits.
  std::unique_ptr<Command> TakeChange();
  std::vector<std::unique_ptr<Command>> TakeReads();
  // All that waits, reads first.
  std::vector<std::unique_ptr<Command>> TakeAll();
  // Drops the commands nobody waits for any more.
  void Sweep(Clock::TimePoint now, int64_t step_index, DueAnswers& answers);

  int64_t size() const { return static_cast<int64_t>(changes_.size() + reads_.size()); }
  bool empty() const { return size() == 0; }
  int64_t depth() const { return depth_; }

 private:
  const int64_t depth_;
  std::deque<std::unique_ptr<Command>> changes_;
  std::vector<std::unique_ptr<Command>> reads_;
};

}  // namespace talus
