// The beginning of a step, made ahead of it (step_preparation.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "solver/state/scene_state.h"
#include "solver/world/contact_set.h"
#include "solver/world/step_report.h"

namespace talus {

class PreparedStep {
 public:
  // What of the set counts: contacts, marks, and the rows of kept impulses in the slots.
  ContactSet set;
  std::vector<BodyLoad> loads;  // that the free velocities were made with
  StepReport report;            // of the stages so far
  bool assembled = false;       // the solver holds the problem of the contacts

  bool made() const { return made_; }
  void NoteMade() { made_ = true; }
  // The state is no longer the one it was made of.
  void Forget() {
    if (std::exchange(made_, false)) NoteWaste();
  }
  // For a step; the caller has seen that it fits.
  void Take() {
    made_ = false;
    wasted_ = 0;
  }

  // Whether to make another one. What was made for nothing comes to be tried more and more rarely:
  // who changes the scene before every step will do so again.
  bool IsWorthMaking() {
    if (pause_ == 0) return true;
    --pause_;
    return false;
  }

 private:
  static constexpr int32_t kMostWasted = 6;

  void NoteWaste() {
    wasted_ = std::min(wasted_ + 1, kMostWasted);
    pause_ = (1 << wasted_) - 2;  // none after the first
  }

  bool made_ = false;
  int32_t wasted_ = 0;  // in a row
  int32_t pause_ = 0;   // steps that begin where they did before
};

}  // namespace talus
