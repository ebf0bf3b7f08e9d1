#include "tests/bench/service/service_options.h"

#include <getopt.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace talus::bench {
namespace {

constexpr const char* kUsage =
    "usage: %s [--seconds S] [--count N] [--filter PATTERN]... [--list] [--json FILE] [--help]\n"
    "  --seconds  of each case, in (0, 86400] [10]; half of it goes to what stands beside it\n"
    "  --count    so many round trips (with watchers: steps) of each side instead, 1 to 100000000\n"
    "  --filter   cases whose id contains PATTERN; * and ? stand for any text, any character\n"
    "  --list     print the ids of the cases and measure nothing\n"
    "  --json     write the results to FILE too\n";

const option kOptions[] = {{"seconds", required_argument, nullptr, 's'},
                           {"count", required_argument, nullptr, 'c'},
                           {"filter", required_argument, nullptr, 'f'},
                           {"list", no_argument, nullptr, 'l'},
                           {"json", required_argument, nullptr, 'j'},
                           {"help", no_argument, nullptr, 'h'},
                           {nullptr, 0, nullptr, 0}};

bool ReadSeconds(const char* text, double* seconds) {
  char* end = nullptr;
  *seconds = std::strtod(text, &end);
  if (end != text && *end == '\0' && *seconds > 0.0 && *seconds <= 86400.0) return true;
  std::fprintf(stderr, "service: --seconds = %s must be in (0, 86400]\n", text);
  return false;
}

bool ReadCount(const char* text, int64_t* count) {
  char* end = nullptr;
  *count = std::strtoll(text, &end, 10);
  if (end != text && *end == '\0' && *count >= 1 && *count <= 100'000'000) return true;
  std::fprintf(stderr, "service: --count = %s must be in [1, 100000000]\n", text);
  return false;
}

}  // namespace

std::optional<ServiceOptions> ParseServiceOptions(int count, char** arguments) {
  ServiceOptions options;
  bool valid = true;
  for (int found; (found = getopt_long(count, arguments, "", kOptions, nullptr)) != -1;) {
    switch (found) {
      case 's':
        valid = ReadSeconds(optarg, &options.effort.seconds) && valid;
        break;
      case 'c':
        valid = ReadCount(optarg, &options.effort.count) && valid;
        break;
      case 'f':
        options.filters.emplace_back(optarg);
        break;
      case 'l':
        options.list = true;
        break;
      case 'j':
        options.json_file = optarg;
        break;
      case 'h':
        options.help = true;
        break;
      default:
        valid = false;
    }
  }
  if (!valid || optind < count) {
    std::fprintf(stderr, kUsage, arguments[0]);
    return std::nullopt;
  }
  if (options.help) std::printf(kUsage, arguments[0]);
  return options;
}

}  // namespace talus::bench
