#include "tests/bench/bench_options.h"

#include <getopt.h>

#include <cstdio>

namespace talus::bench {
namespace {

constexpr const char* kUsage =
    "usage: %s [--quick | --million] [--only PATTERN]... [--list] [--json FILE]\n"
    "          [--fresh] [--states FOLDER]\n"
    "  --quick    piles of 1000 and 4000 stones and 64 small scenes alone\n"
    "  --million  a heap with a million contacts alone\n"
    "  --only     rows whose id contains PATTERN; * and ? stand for any text, any character\n"
    "  --list     print the ids of the rows and measure nothing\n"
    "  --json     write the rows to FILE too\n"
    "  --fresh    make the states again instead of taking them from FOLDER\n"
    "  --states   FOLDER of the states, build/bench-states unless said otherwise\n";

const option kOptions[] = {
    {"quick", no_argument, nullptr, 'q'},        {"million", no_argument, nullptr, 'm'},
    {"only", required_argument, nullptr, 'o'},   {"list", no_argument, nullptr, 'l'},
    {"json", required_argument, nullptr, 'j'},   {"fresh", no_argument, nullptr, 'f'},
    {"states", required_argument, nullptr, 's'}, {nullptr, 0, nullptr, 0}};

}  // namespace

std::optional<BenchOptions> ParseOptions(int count, char** arguments) {
  BenchOptions options;
  bool quick = false;
  bool million = false;
  bool valid = true;
  for (int found; (found = getopt_long(count, arguments, "", kOptions, nullptr)) != -1;) {
    switch (found) {
      case 'q':
        quick = true;
        break;
      case 'm':
        million = true;
        break;
      case 'o':
        options.only.emplace_back(optarg);
        break;
      case 'l':
        options.list = true;
        break;
      case 'j':
        options.json_file = optarg;
        break;
      case 'f':
        options.store.fresh = true;
        break;
      case 's':
        options.store.folder = optarg;
        break;
      default:
        valid = false;
    }
  }
  if (!valid || optind < count || (quick && million)) {
    std::fprintf(stderr, kUsage, arguments[0]);
    return std::nullopt;
  }
  if (quick) options.size = PlanSize::kQuick;
  if (million) options.size = PlanSize::kMillion;
  return options;
}

}  // namespace talus::bench
