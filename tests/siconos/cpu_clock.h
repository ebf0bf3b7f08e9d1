// The processor's time of this process, in seconds: what both sides are measured by, so that a busy
// machine is no excuse.
#pragma once

#include <ctime>

namespace talus::siconos {

inline double ProcessCpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace talus::siconos
