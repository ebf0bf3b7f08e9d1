#include "tests/system/chaos/chaos_options.h"

#include <getopt.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace talus::chaos {
namespace {

constexpr const char* kUsage =
    "usage: %s [--seconds S] [--clients N] [--scenes N] [--seed N] [--address ADDRESS]\n"
    "          [--growth MIB_PER_HOUR] [--vandal] [--help]\n"
    "Many clients do at random what clients do, cancel, give up, vanish and send nonsense; what "
    "one\n"
    "does must not harm another.\n"
    "  --seconds  how long, in [1, 86400] [15]; the check of the scenes comes after it\n"
    "  --clients  in [4, 2000] [40]\n"
    "  --scenes   in [2, 500] [20]; three of five have an owner, who is a client too\n"
    "  --seed     in [1, 2^63): the plan of each client [from the clock]\n"
    "  --address  HOST:PORT, V4, of a server that runs with --data-dir [one of its own]\n"
    "  --growth   fail when memory or its heap grows faster after the warm-up, in (0, 1e6] [not "
    "judged]\n"
    "  --vandal   one client resets scenes that are not his and makes scenes that stay: a test of "
    "this\n"
    "             program, which must find it\n"
    "Exit code: 0 nothing was harmed, 1 something was, 2 wrong options.\n";

const option kOptions[] = {{"seconds", required_argument, nullptr, 's'},
                           {"clients", required_argument, nullptr, 'c'},
                           {"scenes", required_argument, nullptr, 'n'},
                           {"seed", required_argument, nullptr, 'r'},
                           {"address", required_argument, nullptr, 'a'},
                           {"growth", required_argument, nullptr, 'g'},
                           {"vandal", no_argument, nullptr, 'v'},
                           {"help", no_argument, nullptr, 'h'},
                           {nullptr, 0, nullptr, 0}};

bool ReadNumber(const char* name, const char* text, double low, double high, double* number) {
  char* end = nullptr;
  *number = std::strtod(text, &end);
  if (end != text && *end == '\0' && *number >= low && *number <= high) return true;
  std::fprintf(stderr, "chaos: --%s = %s must be in [%g, %g]\n", name, text, low, high);
  return false;
}

bool ReadCount(const char* name, const char* text, int low, int high, int* count) {
  double number = 0.0;
  if (!ReadNumber(name, text, low, high, &number)) return false;
  *count = static_cast<int>(number);
  return true;
}

bool ReadSeed(const char* text, uint64_t* seed) {
  char* end = nullptr;
  *seed = std::strtoull(text, &end, 10);
  if (end != text && *end == '\0' && *seed >= 1 && *seed < (uint64_t{1} << 63)) return true;
  std::fprintf(stderr, "chaos: --seed = %s must be in [1, 2^63)\n", text);
  return false;
}

bool ReadOption(int found, ChaosOptions* options) {
  switch (found) {
    case 's':
      return ReadNumber("seconds", optarg, 1.0, 86400.0, &options->seconds);
    case 'c':
      return ReadCount("clients", optarg, 4, 2000, &options->clients);
    case 'n':
      return ReadCount("scenes", optarg, 2, 500, &options->scenes);
    case 'r':
      return ReadSeed(optarg, &options->seed);
    case 'a':
      options->address = optarg;
      return true;
    case 'g':
      return ReadNumber("growth", optarg, 1e-9, 1e6, &options->most_mib_per_hour);
    case 'v':
      options->vandal = true;
      return true;
    case 'h':
      options->help = true;
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<ChaosOptions> ParseChaosOptions(int count, char** arguments) {
  ChaosOptions options;
  bool valid = true;
  for (int found; (found = getopt_long(count, arguments, "", kOptions, nullptr)) != -1;) {
    valid = ReadOption(found, &options) && valid;
  }
  if (valid && options.clients <= options.scenes * 3 / 5) {
    std::fprintf(stderr, "chaos: --clients = %d must be above three fifths of --scenes = %d\n",
                 options.clients, options.scenes);
    valid = false;
  }
  if (!valid || optind < count) {
    std::fprintf(stderr, kUsage, arguments[0]);
    return std::nullopt;
  }
  if (options.help) std::printf(kUsage, arguments[0]);
  if (options.seed == 0) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    options.seed = static_cast<uint64_t>(now.count()) % 1'000'000'000 + 1;
  }
  return options;
}

}  // namespace talus::chaos
