// One turn of a scene on an executor thread, as the command under way sees it: workers to step
// with, and the boundary it must pass between two steps.
#pragma once

#include <optional>

#include "server/runtime/clock.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

class Quantum {
 public:
  virtual ~Quantum() = default;

  // The time at the last boundary.
  virtual Clock::TimePoint now() const = 0;
  // The workers lent for this turn.
  virtual WorkerArena& Workers() = 0;
  // In the middle of a step: the time, where a while has passed since it was last told, as a step
  // does not take long for. Whoever waits for the scene no longer is then told.
  virtual std::optional<Clock::TimePoint> LookUp() = 0;
  // The scene has ended and waits no longer for the step under way.
  virtual bool GivesUpSteps() const = 0;
  // Between two steps, the state is whole: publishes it, serves reads. False: return to the actor,
  // the turn is over.
  virtual bool PassBoundary() = 0;
};

}  // namespace talus
