// When a contact algorithm stops, and what it records: the part of the settings that every
// algorithm shares.
#pragma once

#include <cstdint>
#include <functional>

#include "solver/scene/solver_settings.h"

namespace talus {

struct SolveLimits {
  ContactLaw law = ContactLaw::kNcp;  // the law the residual is measured by
  double tolerance = 0.0;             // residual to reach
  int32_t max_sweeps = 0;
  bool residual_history = false;
  bool cold_start = false;  // the iterate starts at zero impulses
  // Asked before each sweep, and within a factorisation before its numbers: true ends the solve as
  // max_sweeps does.
  std::function<bool()> stop = {};

  bool IsStopped() const { return stop && stop(); }
};

}  // namespace talus
