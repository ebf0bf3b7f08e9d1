// How far a run is, for the person who waits: one line on standard error that is redrawn in a
// terminal, and a line every ten seconds in a log. It does not know what a run is made of.
#pragma once

#include <chrono>
#include <cstdint>

#include "clients/cpp/result.h"

namespace talus::cli {

class RunDisplay {
 public:
  // `first_step`: where this process starts, for the estimate of what is left.
  RunDisplay(bool quiet, int64_t first_step, int64_t last_step);
  ~RunDisplay();
  RunDisplay(const RunDisplay&) = delete;
  RunDisplay& operator=(const RunDisplay&) = delete;

  void Show(int64_t step, double time_s, int64_t contacts, double residual);

 private:
  using Clock = std::chrono::steady_clock;

  bool quiet_;
  bool terminal_;
  bool line_open_ = false;
  int64_t first_step_;
  int64_t last_step_;
  Clock::time_point start_;
  Clock::time_point next_;
};

}  // namespace talus::cli
