#include "clients/cli/interruption.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>

#include "clients/cli/exit_code.h"

namespace talus::cli {
namespace {

// A handler reaches only globals: how many signals came, and the pipe that wakes the listener.
std::atomic<int> signals_seen{0};
std::atomic<int64_t> first_ms{0};
// timeout(1) signals its child and then the child's group: what comes so close is one signal.
constexpr int64_t kOneSignalMs = 1000;
std::array<int, 2> wake_pipe{-1, -1};
struct sigaction old_int;
struct sigaction old_term;

int64_t NowMs() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);  // may be called in a handler
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void OnSignal(int) {
  const int saved = errno;
  if (signals_seen.fetch_add(1) == 0) {
    first_ms = NowMs();
  } else if (NowMs() - first_ms.load() >= kOneSignalMs) {
    ::_exit(kExitInterrupted);
  }
  (void)!::write(wake_pipe[1], "s", 1);
  errno = saved;
}

}  // namespace

Interruption::Interruption() {
  signals_seen = 0;
  if (::pipe2(wake_pipe.data(), O_CLOEXEC) != 0) return;
  listener_ = std::thread([this] {
    char letter = 0;
    while (::read(wake_pipe[0], &letter, 1) < 0 && errno == EINTR) {
    }
    if (letter == 's') source_.request_stop();
  });
  struct sigaction action {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &old_int);
  ::sigaction(SIGTERM, &action, &old_term);
}

Interruption::~Interruption() {
  if (!listener_.joinable()) return;
  ::sigaction(SIGINT, &old_int, nullptr);
  ::sigaction(SIGTERM, &old_term, nullptr);
  (void)!::write(wake_pipe[1], "q", 1);
  listener_.join();
  ::close(wake_pipe[0]);
  ::close(wake_pipe[1]);
}

}  // namespace talus::cli
