// How an accelerated solve from zero impulses begins: with the gaps of open contacts widened.
//
// Its first sweeps load contacts that are a micrometre open, and unload them again along the edge
// of their cone by steps as small as the velocity that is left there: most sweeps of a cold solve
// went into that (docs/TRIED.md). With b_n = Φ/h > 0 widened such contacts stay out until the
// others carry the load, and come in from below. The residual is that of the true problem all
// along.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "solver/solvers/momentum.h"
#include "solver/solvers/solve_limits.h"

namespace talus {

class WidenedGaps {
 public:
  WidenedGaps(const SolveLimits& limits, double free_scale)
      : last_sweep_(limits.cold_start ? std::min(kMostSweeps, limits.max_sweeps / 4) : 0),
        small_change_(std::max(kSmallChange, limits.tolerance) * free_scale) {}

  bool active(int32_t sweep) const { return sweep <= last_sweep_; }

  // Notes the change of a sweep made while active; true when it was the last of them.
  bool EndWith(int32_t sweep, const SweepChange& change) {
    if (std::sqrt(change.length_squared) <= small_change_) last_sweep_ = sweep;
    return sweep == last_sweep_;
  }

  // How many times more than once the gaps of open contacts count in this sweep.
  double ExtraGap(int32_t sweep) const { return active(sweep) ? kFactor - 1.0 : 0.0; }

 private:
  static constexpr double kFactor = 100.0;
  static constexpr double kSmallChange = 1e-2;  // of the driving velocity
  static constexpr int32_t kMostSweeps = 200;

  int32_t last_sweep_;
  double small_change_;
};

}  // namespace talus
