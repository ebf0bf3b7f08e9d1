// When a sweep-based solver measures its residual: a measurement costs about as much as a sweep,
// and one that comes late costs the sweeps that were not needed.
//
// At first when the change of a sweep says that the tolerance may be reached. Then half way to
// where the residual, falling as fast as between the last two measurements, would be at the
// tolerance; never sooner than after two sweeps nor later than after ten.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace talus {

class CheckSchedule {
 public:
  explicit CheckSchedule(double tolerance) : tolerance_(tolerance) {}

  // `promising`: the change of the sweep is as small as the tolerance.
  bool IsDue(int32_t sweep, bool promising) const {
    return last_sweep_ == 0 ? promising || sweep >= kLatest : sweep >= next_sweep_;
  }

  // Notes what was measured after `sweep` sweeps, above the tolerance.
  void Note(int32_t sweep, double residual) {
    int32_t wait = last_sweep_ == 0 ? kSoonest : kLatest;
    if (last_sweep_ > 0 && residual < last_residual_) {
      const double rate = std::log(last_residual_ / residual) / (sweep - last_sweep_);
      const double way = 0.5 * std::log(residual / tolerance_) / rate;
      wait = static_cast<int32_t>(std::clamp<double>(way, kSoonest, kLatest));
    }
    last_sweep_ = sweep;
    last_residual_ = residual;
    next_sweep_ = sweep + wait;
  }

 private:
  static constexpr int32_t kSoonest = 2;
  static constexpr int32_t kLatest = 10;

  double tolerance_;
  int32_t last_sweep_ = 0;  // 0: nothing was measured yet
  int32_t next_sweep_ = 0;
  double last_residual_ = 0.0;
};

}  // namespace talus
