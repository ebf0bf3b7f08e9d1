// How far an accelerated sweep extrapolates: Nesterov's sequence with gradient restart, alone or
// under an adaptive cap.
//
//   θ⁺ = (−θ² + θ sqrt(θ² + 4)) / 2,   β = θ (1 − θ) / (θ² + θ⁺)
//
// Restart (β = 0, θ = 1) when the last extrapolation pointed against the last change: (y − γ⁺)·(γ⁺
// − γ) > 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/contact/kernels/block_kernels.h"

namespace talus {

class NesterovMomentum {
 public:
  double NextBeta(const SweepChange& change) {
    if (change.against > 0.0) {
      Restart();
      return 0.0;
    }
    const double square = theta_ * theta_;
    const double next = 0.5 * (-square + theta_ * std::sqrt(square + 4.0));
    const double beta = theta_ * (1.0 - theta_) / (square + next);
    theta_ = next;
    return beta;
  }
  void Restart() { theta_ = 1.0; }

 private:
  double theta_ = 1.0;
};

// Nesterov under a cap that is tuned while solving. The Alart–Curnier sweep is not a symmetric map,
// so full momentum makes it cycle; a cap below one damps that. The projected sweep gains from it
// too: near the answer full momentum mostly restarts. Every window of sweeps the cap moves on in
// its direction while the error falls faster, turns when it falls slower, and retreats when the
// error grows. For a loose tolerance it starts lower: the residual falls faster at first, but the
// impulses are then further from where they will rest, so that a tight tolerance would take longer.
class CappedMomentum {
 public:
  explicit CappedMomentum(double tolerance) : cap_(tolerance >= kLoose ? 0.9 : 0.97) {}

  double NextBeta(const SweepChange& change) {
    window_best_ = std::min(window_best_, change.length_squared);
    if (++window_sweeps_ == kWindow) CloseWindow();
    return std::min(nesterov_.NextBeta(change), cap_);
  }
  void Restart() { nesterov_.Restart(); }

 private:
  static constexpr int kWindow = 20;
  static constexpr double kLargestCap = 0.99;
  static constexpr double kLoose = 5e-4;

  void CloseWindow() {
    // An empty window before the first gives ratio 0, which keeps the cap.
    const double ratio = std::sqrt(window_best_ / previous_best_);
    const double rate = -std::log(std::max(ratio, std::numeric_limits<double>::min()));
    if (ratio > 1.05) {
      cap_ = 1.0 - 2.0 * (1.0 - cap_);
      direction_ = -1;
      nesterov_.Restart();
    } else if (ratio >= 0.3) {
      if (rate < previous_rate_) direction_ = -direction_;
      cap_ = 1.0 - (1.0 - cap_) * (direction_ > 0 ? 0.7 : 1.0 / 0.7);
    }
    cap_ = std::clamp(cap_, 0.0, kLargestCap);
    previous_best_ = window_best_;
    previous_rate_ = rate;
    window_best_ = std::numeric_limits<double>::infinity();
    window_sweeps_ = 0;
  }

  NesterovMomentum nesterov_;
  double cap_;  // at first as heaps want it: docs/TRIED.md
  int direction_ = -1;
  int window_sweeps_ = 0;
  double window_best_ = std::numeric_limits<double>::infinity();
  double previous_best_ = std::numeric_limits<double>::infinity();
  double previous_rate_ = 0.0;
};

}  // namespace talus
