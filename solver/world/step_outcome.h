// The end of a step: is the result a state at all, and if so, make it the scene's; if not, go back
// to the bits before.
//
// This is the second of the two places where non-finite numbers are stopped; scene/validate.h is
// the first.
#pragma once

#include <cstdint>
#include <string>

#include "solver/world/step_context.h"

namespace talus {

// What a step changes before it is known to succeed: bodies born, emitters moved on.
class RollbackPoint {
 public:
  explicit RollbackPoint(StepContext& context);
  void Restore(StepContext& context) const;

 private:
  size_t body_count_;
  uint64_t next_id_;
  int64_t layout_version_;
};

// Empty when every new pose, velocity and impulse is finite and in bounds; otherwise what is wrong,
// and where.
std::string FindFault(const StepContext& context);

// Makes the new poses and velocities the state's, and counts the step.
void CommitStep(StepContext& context);

// Takes out the dynamic bodies whose centre has left the domain.
void RemoveLeavers(StepContext& context);

// Fills in what the step came to: counts, energies and the hash of the new state.
void Account(StepContext& context);

}  // namespace talus
