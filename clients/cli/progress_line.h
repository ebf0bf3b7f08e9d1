// How much of a known amount of bytes is done, for the person who waits: one line on standard error
// that is redrawn in a terminal, and a line every ten seconds in a log; nothing of short work.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace talus::cli {

class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(uint64_t done_bytes, uint64_t all_bytes);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool terminal_;
  bool line_open_ = false;
  Clock::time_point next_;
};

}  // namespace talus::cli
