// Watches the residual of an iteration without a convergence proof: says which iterate is the best,
// for the caller to keep, when to go back to it and when nothing helps any more.
//
// Going back: the residual is 100 times the best, or did not improve by 5 % within kPatience
// sweeps. After going back the caller sweeps plainly for kPlainSweeps. The third fruitless return
// is a stall.
#pragma once

#include <cstdint>
#include <limits>

namespace talus {

class ProgressGuard {
 public:
  // kKeep: go on, and keep what was noted, the best so far.
  enum class Advice { kKeep, kGoOn, kGoBack, kStalled };

  // Notes the residual of the iterate after `sweep` sweeps.
  Advice Note(int32_t sweep, double residual) {
    if (residual < best_residual_) {
      if (residual < 0.95 * mark_residual_) {
        mark_residual_ = residual;
        mark_sweep_ = sweep;
        returns_ = 0;
      }
      best_residual_ = residual;
      return Advice::kKeep;
    }
    const bool diverged = residual > kDiverged * best_residual_;
    if (!diverged && sweep - mark_sweep_ < kPatience) return Advice::kGoOn;
    if (++returns_ > kMaxReturns) return Advice::kStalled;
    mark_sweep_ = sweep;
    plain_until_ = sweep + kPlainSweeps;
    return Advice::kGoBack;
  }

  bool plain(int32_t sweep) const { return sweep < plain_until_; }
  double best_residual() const { return best_residual_; }

 private:
  static constexpr int32_t kPatience = 300;
  static constexpr double kDiverged = 100.0;
  static constexpr int32_t kPlainSweeps = 20;
  static constexpr int kMaxReturns = 2;

  double best_residual_ = std::numeric_limits<double>::infinity();
  double mark_residual_ = std::numeric_limits<double>::infinity();
  int32_t mark_sweep_ = 0;
  int32_t plain_until_ = 0;
  int returns_ = 0;
};

}  // namespace talus
