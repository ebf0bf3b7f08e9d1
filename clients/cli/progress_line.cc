#include "clients/cli/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace talus::cli {
namespace {

constexpr std::chrono::milliseconds kOfTerminal{300};
constexpr std::chrono::seconds kOfLog{10};

}  // namespace

ProgressLine::ProgressLine(std::string what)
    : what_(std::move(what)), terminal_(::isatty(STDERR_FILENO) == 1) {
  next_ = Clock::now() + (terminal_ ? kOfTerminal : kOfLog);
}

ProgressLine::~ProgressLine() {
  if (line_open_) std::fputs("\r\033[K", stderr);
}

void ProgressLine::Show(uint64_t done_bytes, uint64_t all_bytes) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? kOfTerminal : kOfLog);
  std::fprintf(stderr, "%s%s: %.1f %% of %.1f MB%s", terminal_ ? "\r\033[K" : "", what_.c_str(),
               100.0 * static_cast<double>(done_bytes) /
                   static_cast<double>(std::max<uint64_t>(all_bytes, 1)),
               static_cast<double>(all_bytes) / 1e6, terminal_ ? "" : "\n");
  std::fflush(stderr);
  line_open_ = terminal_;
}

}  // namespace talus::cli
