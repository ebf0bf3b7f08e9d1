// When a sweep-based solver measures its residual: a measurement costs about as much as a sweep,
// and one that comes late costs the sweeps that were not needed.
//
// What a sweep changes, which is known for nothing, goes with the residual it leaves: over a solve
// of a heap their ratio stays within 0.7 and 1.1. So the residual is due when the ratio of the last
// measurement says that it is at the tolerance; never sooner than two sweeps after that nor later
// than twenty.
#pragma once

#include <cstdint>

namespace talus {

class CheckSchedule {
 public:
  explicit CheckSchedule(double tolerance) : tolerance_(tolerance) {}

  // `change` of the sweep, relative to what the residual is relative to.
  bool IsDue(int32_t sweep, double change) const {
    const int32_t wait = sweep - last_sweep_;
    if (wait >= kLatest) return true;
    if (last_sweep_ == 0) return change <= kPromising * tolerance_;
    return wait >= kSoonest && ratio_ * change <= kNear * tolerance_;
  }
  // The same where a measurement costs many sweeps: only when it promises to be the last, and after
  // two hundred.
  bool IsDueRarely(int32_t sweep, double change) const {
    const int32_t wait = sweep - last_sweep_;
    const double near = last_sweep_ == 0 ? kNear : kBelow;
    return wait >= kLatestRarely || (wait >= kSoonest && ratio_ * change <= near * tolerance_);
  }

  // Notes a residual above the tolerance, and the change of the sweep that left it.
  void Note(int32_t sweep, double change, double residual) {
    last_sweep_ = sweep;
    ratio_ = residual / change;
  }

 private:
  static constexpr int32_t kSoonest = 2;
  static constexpr int32_t kLatest = 20;
  static constexpr int32_t kLatestRarely = 200;
  static constexpr double kPromising = 2.0;  // before any ratio is known
  static constexpr double kNear = 1.05;      // the ratio changes by some per cent
  static constexpr double kBelow = 0.98;     // so that few measurements are in vain

  double tolerance_;
  int32_t last_sweep_ = 0;  // 0: nothing was measured yet
  double ratio_ = 1.0;
};

}  // namespace talus
