#include "clients/cli/run_display.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace talus::cli {

RunDisplay::RunDisplay(bool quiet, int64_t first_step, int64_t last_step)
    : quiet_(quiet),
      terminal_(::isatty(STDERR_FILENO) == 1),
      first_step_(first_step),
      last_step_(last_step),
      start_(Clock::now()),
      next_(start_) {}

RunDisplay::~RunDisplay() {
  if (line_open_) std::fputc('\n', stderr);
}

void RunDisplay::Show(int64_t step, double time_s, int64_t contacts, double residual) {
  const Clock::time_point now = Clock::now();
  if (quiet_ || (now < next_ && step < last_step_)) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds{200} : std::chrono::seconds{10});
  const double elapsed_s = std::chrono::duration<double>(now - start_).count();
  const double rate = elapsed_s > 0 ? static_cast<double>(step - first_step_) / elapsed_s : 0;
  const double left_s = rate > 0 ? static_cast<double>(last_step_ - step) / rate : 0;
  const auto eta = static_cast<int64_t>(std::min(left_s, 3.6e8));
  std::fprintf(
      stderr,
      "%sstep %lld/%lld (%.1f %%)  %.3f s  %.1f steps/s  contacts %lld  residual %.1e"
      "  ETA %lld:%02lld:%02lld%s",
      terminal_ ? "\r\033[K" : "", static_cast<long long>(step), static_cast<long long>(last_step_),
      100.0 * static_cast<double>(step) / static_cast<double>(std::max<int64_t>(last_step_, 1)),
      time_s, rate, static_cast<long long>(contacts), residual, static_cast<long long>(eta / 3600),
      static_cast<long long>(eta / 60 % 60), static_cast<long long>(eta % 60),
      terminal_ ? "" : "\n");
  std::fflush(stderr);
  line_open_ = terminal_;
}

}  // namespace talus::cli
