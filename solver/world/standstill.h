// A scene in which everything sleeps: its steps change nothing but their number.
//
// When a step has found every dynamic body asleep, and no kinematic body moves, the next one would
// find the same contacts in the same places. It is then not computed but repeated, to the same
// bits, until bodies come or go or are driven. Knows the step it repeats by its number and layout,
// so that it is never taken for one of another state; a fork or a restored scene computes one step
// of its own first.
#pragma once

#include <cstdint>

#include "solver/state/scene_state.h"
#include "solver/world/step_report.h"

namespace talus {

class Standstill {
 public:
  // Takes in a step that has been made; `all_asleep`: every dynamic body slept in it.
  void Note(const SceneState& after, const StepReport& report, bool all_asleep);
  // Whether the next step repeats the last one.
  bool Holds(const SceneState& state) const;
  // The state is not the one the last step left.
  void Forget() { step_index_ = -1; }
  // Makes it. The contacts of the last step are those of this one too.
  void Repeat(SceneState& state, StepReport& report);

 private:
  int64_t step_index_ = -1;  // of the state after the last step; -1: it cannot be repeated
  int64_t layout_version_ = 0;
  StepReport report_;
};

}  // namespace talus
