// talus_server: reads its options, serves until SIGTERM or SIGINT (or the end of standard input,
// when told so), drains, exits.
//
// Exit codes: 0 after a drain (or a health check answered SERVING), 1 when it could not start
// or drain in time (or the check failed), 2 for bad options, a folder of scenes with a bad one
// among them.

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "server/app/health_probe.h"
#include "server/app/options.h"
#include "server/app/scene_folder.h"
#include "server/app/server.h"
#include "server/telemetry/log.h"

namespace {

constexpr int kOverdue = 1;
constexpr int kBadOptions = 2;

using talus::app::Options;
using talus::telemetry::Log;
using talus::telemetry::LogLevel;

// Where the signal handler writes what it got, and WaitForSignal reads it. A handler, because a
// library that starts threads of its own when it is loaded (a BLAS does) leaves them open to every
// signal: blocking it everywhere else and waiting for it would let its default action end the
// process there.
std::array<int, 2> end_pipe = {-1, -1};

extern "C" void NoteEndSignal(int signal) {
  const int kept = errno;
  const auto byte = static_cast<char>(signal);
  [[maybe_unused]] const ssize_t written = write(end_pipe[1], &byte, 1);
  errno = kept;
}

sigset_t EndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

// Notes the signals from now on, and blocks them in this thread and all that it starts, so that no
// call of ours is interrupted by them. False: there is no pipe to be had.
bool CatchEndSignals() {
  if (pipe(end_pipe.data()) != 0) return false;
  struct sigaction action = {};
  action.sa_handler = NoteEndSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  const sigset_t signals = EndSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // A reader of our output that went away must not end the server.
  std::signal(SIGPIPE, SIG_IGN);
  return true;
}

int WaitForSignal() {
  const sigset_t signals = EndSignals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  char signal = 0;
  while (read(end_pipe[0], &signal, 1) != 1) {
  }
  return signal;
}

// Turns the end of standard input into a SIGTERM of our own. The thread waits in read() for as long
// as the process lives and touches nothing of it.
void EndWithStandardInput() {
  std::thread([] {
    std::array<char, 4096> ignored;
    ssize_t got = 0;
    do {
      got = read(STDIN_FILENO, ignored.data(), ignored.size());
    } while (got > 0 || (got < 0 && errno == EINTR));
    Log(LogLevel::kInfo, "standard input ended", {});
    kill(getpid(), SIGTERM);
  }).detach();
}

// Abseil as Debian builds it looks for deadlocks at every lock, gRPC's among them, in a graph of
// all locks under one lock for all threads. In our builds for production nobody would read what it
// finds; the others go on looking.
void StopLookingForDeadlocks() {
#ifdef NDEBUG
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
#endif
}

int Serve(const Options& options) {
  StopLookingForDeadlocks();
  if (!CatchEndSignals()) {
    std::perror("talus_server: pipe");
    return 1;
  }
  talus::telemetry::ConfigureLog(options.log_level, options.log_format);
  auto scenes = talus::app::ReadSceneFolder(options.scenes_dir);
  if (!scenes.ok()) {
    std::fprintf(stderr, "talus_server: %s\n", std::string(scenes.status().message()).c_str());
    return kBadOptions;
  }
  auto server = talus::app::Server::Start(options, *std::move(scenes));
  if (!server.ok()) {
    std::fprintf(stderr, "talus_server: %s\n", std::string(server.status().message()).c_str());
    return 1;
  }
  if (const std::string& metrics = (*server)->metrics_address(); !metrics.empty()) {
    std::printf("metrics on http://%s/metrics\n", metrics.c_str());
  }
  for (const std::string& address : (*server)->addresses()) {
    std::printf("listening on %s\n", address.c_str());
  }
  std::fflush(stdout);
  if (options.end_with_stdin) EndWithStandardInput();
  const int signal = WaitForSignal();
  Log(LogLevel::kInfo, "signal received", {{"signal", std::to_string(signal)}});
  if ((*server)->Drain(std::chrono::seconds(options.drain_seconds))) return 0;
  // A scene outlasted our patience. What is left of it dies with the process anyway.
  std::_Exit(kOverdue);
}

// Ends without the clean-up at exit: a channel's threads are gRPC's and live on after it, and
// OpenSSL would take away what they still use (https://github.com/grpc/grpc/issues/38539).
[[noreturn]] void Probe(const Options& options) {
  const bool serves = talus::app::ProbeHealth(options);
  std::fflush(stdout);
  std::_Exit(serves ? 0 : 1);
}

}  // namespace

int main(int argc, char** argv) {
  const talus::app::ParsedOptions parsed = talus::app::ParseOptions(argc, argv);
  if (parsed.exit_now) {
    std::fputs(parsed.message.c_str(), parsed.exit_code == 0 ? stdout : stderr);
    return parsed.exit_code;
  }
  if (!parsed.options.health_check.empty()) Probe(parsed.options);
  return Serve(parsed.options);
}
