// The commands that wait for one scene, in two bounded lanes: changes, done one after the other in
// the order they came, and reads, served between any two steps.
//
// Not thread-safe: the actor has the lock. Full means RESOURCE_EXHAUSTED / MAILBOX_FULL; nothing
// blocks.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "server/runtime/command.h"

namespace talus {

class Mailbox {
 public:
  enum class Lane { kChanges, kReads };

  // `depth` commands wait in each lane at most.
  explicit Mailbox(int64_t depth) : depth_(depth) {}

  // Moves from `command` only when it goes in; `retry_after_ms` is passed on in the error.
  absl::Status Submit(Lane lane, std::unique_ptr<Command>& command, int64_t retry_after_ms);
  // The next change; null when none waits.
  std::unique_ptr<Command> TakeChange();
  // All that waits in a lane.
  std::deque<std::unique_ptr<Command>> TakeAll(Lane lane) { return std::exchange(Of(lane), {}); }
  // Puts back, in front, what TakeAll gave and is not done.
  void PutBack(Lane lane, std::deque<std::unique_ptr<Command>> commands);

  int64_t size() const { return static_cast<int64_t>(changes_.size() + reads_.size()); }
  bool empty() const { return size() == 0; }
  int64_t depth() const { return depth_; }

 private:
  std::deque<std::unique_ptr<Command>>& Of(Lane lane) {
    return lane == Lane::kChanges ? changes_ : reads_;
  }

  const int64_t depth_;
  std::deque<std::unique_ptr<Command>> changes_;
  std::deque<std::unique_ptr<Command>> reads_;
};

}  // namespace talus
