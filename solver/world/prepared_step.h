// The beginning of a step, made ahead of it, and where the steps before got nothing new all of it
// up to the new state (step_preparation.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "solver/world/contact_set.h"
#include "solver/world/step_report.h"

namespace talus {

class PreparedStep {
 public:
  // What of the set counts: contacts, marks, and the rows of kept impulses in the slots or, of a
  // step that is solved, its solution.
  ContactSet set;
  StepReport report;       // of the stages so far
  bool assembled = false;  // the solver holds the problem of the contacts
  bool solved = false;     // the buffers of the step hold its result

  bool made() const { return made_; }
  void NoteMade() { made_ = true; }
  // The state is no longer the one it was made of.
  void Forget() {
    unchanged_ = 0;
    if (std::exchange(made_, false)) NoteWaste();
  }
  // Targets of joints have changed, which nothing but the result depends on.
  void ForgetResult() {
    unchanged_ = -1;
    if (solved) made_ = false;
  }
  // For a step; the caller has seen that it fits.
  void Take() {
    made_ = false;
    wasted_ = 0;
    unchanged_ = std::min(unchanged_ + 1, kUnchangedEnough);
  }

  // Whether to make another one. What was made for nothing comes to be tried more and more rarely:
  // who changes the scene before every step will do so again.
  bool IsWorthMaking() {
    if (pause_ == 0) return true;
    --pause_;
    return false;
  }
  // Whether to go on to its result. Who sets actuators before every step makes it for nothing.
  bool IsWorthSolving() const { return unchanged_ >= kUnchangedEnough; }

 private:
  static constexpr int32_t kUnchangedEnough = 2;
  static constexpr int32_t kMostWasted = 6;

  void NoteWaste() {
    wasted_ = std::min(wasted_ + 1, kMostWasted);
    pause_ = (1 << wasted_) - 2;  // none after the first
  }

  bool made_ = false;
  int32_t wasted_ = 0;     // in a row
  int32_t pause_ = 0;      // steps that begin where they did before
  int32_t unchanged_ = 0;  // steps in a row that were taken with nothing changed before them
};

}  // namespace talus
