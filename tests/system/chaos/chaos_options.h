// What the chaos program is asked to do: how long, how many clients and scenes, by which plan,
// against which server. Values out of their ranges are refused before anything starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace talus::chaos {

struct ChaosOptions {
  double seconds = 15.0;
  int clients = 40;
  int scenes = 20;
  uint64_t seed = 0;               // 0: from the clock, and printed
  std::string address;             // empty: a server of its own
  double most_mib_per_hour = 0.0;  // 0: the slope of memory is told and not judged
  bool vandal = false;             // one client does harm: the run must find it out
  bool help = false;
};

// Nothing: wrong words, told on standard error.
std::optional<ChaosOptions> ParseChaosOptions(int count, char** arguments);

}  // namespace talus::chaos
