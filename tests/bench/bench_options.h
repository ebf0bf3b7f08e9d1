// What the benchmarks may be asked on the command line; kUsage says it to a user.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/bench/bench_plan.h"

namespace talus::bench {

struct BenchOptions {
  PlanSize size = PlanSize::kFull;
  std::string json_file;          // empty: none
  std::vector<std::string> only;  // empty: all rows
  bool list = false;
  StateStore store{"build/bench-states", false};
};

// Nothing when an option is unknown, lacks its value or contradicts another; the reason and the
// usage are on stderr then.
std::optional<BenchOptions> ParseOptions(int count, char** arguments);

}  // namespace talus::bench
