// One thing a scene was asked to do, waiting or under way.
//
// Owned by the scene's mailbox, later by its actor. Whatever happens to it, each of its waiters is
// answered exactly once: through Advance, Sweep or Fail.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "server/runtime/clock.h"

namespace talus {

class Quantum;
class HostedWorld;

// Answers that are due, to be given once no lock is held.
using DueAnswers = std::vector<std::function<void()>>;

class Command {
 public:
  virtual ~Command() = default;

  // Ends the waits that were cancelled or have expired. False when nobody waits any more: the
  // command is over. Called with the actor's lock or without; gives no answer itself.
  virtual bool Sweep(Clock::TimePoint now, int64_t step_index, DueAnswers& answers) = 0;
  // Works until done (true) or until the quantum ends it (false).
  virtual bool Advance(HostedWorld& state, Quantum& quantum) = 0;
  // The scene takes no more commands: answers all waiters with `status`.
  virtual void Fail(const absl::Status& status) = 0;
};

}  // namespace talus
