// When an island of touching bodies is at rest, so that steps may leave it out until something
// disturbs it. docs/decisions/0009-sleeping-islands.md.
#pragma once

#include <cmath>
#include <cstdint>

namespace talus {

struct SleepSettings {
  double speed_m_s = 0.005;  // a body is still when no point of it moves faster, in (0, 1e6]
  // An island sleeps when all of it has been still for this long: in (2 speed_m_s / |gravity|,
  // 1000]. A body that flies is slower than speed_m_s for no longer than the lower bound.
  double time_s = 0.5;
};

// A body has been still for the whole time when it was still after this many steps in a row: the
// first of them ended when the time began.
inline uint32_t CountStillSteps(const SleepSettings& sleep, double time_step_s) {
  return static_cast<uint32_t>(std::ceil(sleep.time_s / time_step_s)) + 1;
}

}  // namespace talus
