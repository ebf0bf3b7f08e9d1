// Whether the server's memory stays flat while it streams 10 000 bodies at 60 Hz to watchers of
// whom all but one have stopped reading.
#include <getopt.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "clients/cpp/server_process.h"
#include "talus/v1/server_service.grpc.pb.h"
#include "tests/system/chaos/memory_curve.h"
#include "tests/system/memory/audience.h"

namespace talus::memory {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kUsageError = 2;
constexpr const char* kUsage =
    "usage: %s [--minutes M] [--watchers N] [--growth MIB_PER_HOUR] [--help]\n"
    "  --minutes   how long, in (0, 1440] [1]\n"
    "  --watchers  1 to 64 [16], all but one stalled\n"
    "  --growth    fail when resident memory grows faster after the first quarter, in (0, 1e6] "
    "[16]\n"
    "Exit code: 0 flat, 1 not, 2 wrong options.\n";

struct Options {
  double minutes = 1.0;
  double watchers = 16.0;
  double growth = 16.0;
  bool help = false;
};

bool ReadNumber(const char* name, double high, double* number) {
  char* end = nullptr;
  *number = std::strtod(optarg, &end);
  if (end != optarg && *end == '\0' && *number > 0.0 && *number <= high) return true;
  std::fprintf(stderr, "flat memory: --%s = %s must be in (0, %g]\n", name, optarg, high);
  return false;
}

bool ParseOptions(int count, char** arguments, Options* options) {
  const option known[] = {{"minutes", required_argument, nullptr, 'm'},
                          {"watchers", required_argument, nullptr, 'w'},
                          {"growth", required_argument, nullptr, 'g'},
                          {"help", no_argument, nullptr, 'h'},
                          {nullptr, 0, nullptr, 0}};
  bool valid = true;
  for (int found; (found = getopt_long(count, arguments, "", known, nullptr)) != -1;) {
    if (found == 'm') valid = ReadNumber("minutes", 1440.0, &options->minutes) && valid;
    if (found == 'w') valid = ReadNumber("watchers", 64.0, &options->watchers) && valid;
    if (found == 'g') valid = ReadNumber("growth", 1e6, &options->growth) && valid;
    if (found == 'h') options->help = true;
    if (found == '?') valid = false;
  }
  valid = valid && optind == count;
  if (!valid || options->help) std::fprintf(valid ? stdout : stderr, kUsage, arguments[0]);
  return valid;
}

// Resident memory, MiB; negative: the server does not answer.
double AskMemory(v1::ServerService::Stub& stub) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  v1::GetServerInfoResponse info;
  if (!stub.GetServerInfo(&context, {}, &info).ok()) return -1.0;
  return static_cast<double>(info.memory_bytes()) / (1 << 20);
}

bool WatchMemory(const Options& options, const std::string& address, chaos::MemoryCurve* curve) {
  const auto stub = v1::ServerService::NewStub(OpenChannel(address));
  Audience audience(address, std::max(1, static_cast<int>(options.watchers)));
  if (!audience.complete()) {
    std::fprintf(stderr, "flat memory: a watcher got no first frame\n");
    return false;
  }
  const double most_s = options.minutes * 60.0;
  const auto pause = std::chrono::duration<double>(std::min(1.0, most_s / 60.0));
  const Clock::time_point start = Clock::now();
  int64_t minutes_told = 0;
  for (double passed = 0.0; passed < most_s;) {
    std::this_thread::sleep_for(pause);
    passed = std::chrono::duration<double>(Clock::now() - start).count();
    const double mib = AskMemory(*stub);
    if (mib < 0.0) return false;
    curve->Add(passed, mib);
    if (static_cast<int64_t>(passed / 60.0) > minutes_told) {
      minutes_told = static_cast<int64_t>(passed / 60.0);
      std::fprintf(stderr, "flat memory: %lld of %g min, %.1f MiB, %lld frames\n",
                   static_cast<long long>(minutes_told), options.minutes, mib,
                   static_cast<long long>(audience.frame_count()));
    }
  }
  std::printf("flat memory: who reads got %.1f frames a second\n",
              static_cast<double>(audience.frame_count()) / most_s);
  return audience.frame_count() > 0;
}

int Run(const Options& options) {
  client::ServerProcessOptions server_options;
  server_options.arguments = {"--listen", "127.0.0.1:0", "--log-level", "error"};
  server_options.start_timeout = std::chrono::milliseconds{60000};
  server_options.drain_timeout = std::chrono::milliseconds{120000};
  auto server = client::ServerProcess::Start(server_options);
  if (!server) {
    std::fprintf(stderr, "flat memory: %s\n", server.error().ToString().c_str());
    return 1;
  }
  if (const std::string wrong = StartScene(server->address()); !wrong.empty()) {
    std::fprintf(stderr, "flat memory: %s\n", wrong.c_str());
    return 1;
  }
  chaos::MemoryCurve curve;
  const bool served = WatchMemory(options, server->address(), &curve);
  const int status = server->Terminate();
  const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const bool flat = curve.FindSlope() <= options.growth;
  std::printf("%sflat memory: %s\n", curve.ToText().c_str(),
              !served  ? "the server did not serve"
              : !ended ? "the server did not end well"
              : flat   ? "flat"
                       : "grows");
  return served && ended && flat ? 0 : 1;
}

}  // namespace
}  // namespace talus::memory

int main(int argc, char** argv) {
  talus::memory::Options options;
  if (!talus::memory::ParseOptions(argc, argv, &options)) return talus::memory::kUsageError;
  return options.help ? 0 : talus::memory::Run(options);
}
