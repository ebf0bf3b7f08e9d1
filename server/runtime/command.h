// One thing a scene was asked to do, waiting or under way.
//
// Owned by the scene's mailbox, later by its actor. Whatever happens to it, each of its waiters is
// answered exactly once: by Advance, Sweep or Fail.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "server/runtime/clock.h"

namespace talus {

class SceneState;
class Quantum;

class Command {
 public:
  virtual ~Command() = default;

  // Ends the waits that were cancelled or have expired. False when nobody waits any more: the
  // command is over.
  virtual bool Sweep(Clock::TimePoint now) = 0;
  // Works until done (true) or until the quantum is spent (false).
  virtual bool Advance(SceneState& state, Quantum& quantum) = 0;
  // The scene takes no more commands: answers all waiters with `status`.
  virtual void Fail(const absl::Status& status) = 0;
};

}  // namespace talus
