// A scope's wall-clock time, added to one entry of a step report. The only clock in the solver; no
// decision reads it.
#pragma once

#include <chrono>

namespace talus {

class StageClock {
 public:
  explicit StageClock(double& seconds) : seconds_(seconds) {}
  ~StageClock() {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    seconds_ += spent.count();
  }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace talus
