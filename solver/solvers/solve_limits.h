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
  // Asked where a solve of matrices looks at its residual: true ends it as max_sweeps does. Sweeps
  // over lanes do not ask.
  std::function<bool()> stop = {};
};

}  // namespace talus
