// What the service benchmark may be asked on the command line; its usage says it to a user.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/bench/service/trip_times.h"

namespace talus::bench {

struct ServiceOptions {
  Effort effort;                     // of each case
  std::string json_file;             // empty: none
  std::vector<std::string> filters;  // empty: all cases
  bool list = false;
  bool help = false;
};

// Nothing when an option is unknown or its value is none; the reason and the usage are on stderr
// then. With `help` the usage is on stdout.
std::optional<ServiceOptions> ParseServiceOptions(int count, char** arguments);

}  // namespace talus::bench
