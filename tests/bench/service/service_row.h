// One result of the service benchmark, and how results are written. 0 says "not measured".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/bench/service/trip_times.h"

namespace talus::bench {

struct ServiceRow {
  std::string id;         // client/what/transport
  std::string client;     // cpp, python, node; ring or library: no client
  std::string transport;  // tcp, unix, or none
  int64_t count = 0;      // trips or, with watchers, steps
  double median_us = 0.0;
  double p99_us = 0.0;
  double rate_per_s = 0.0;
  // What stands beside it in the same run: the bare echo through the same client and transport; of
  // ring and library, the library; of steps that are watched, the same steps with nobody watching;
  // of fairness, the same steps while the large scene is at rest; of ticks, round trips to the
  // echo.
  double echo_median_us = 0.0;
  double echo_p99_us = 0.0;
  double echo_rate_per_s = 0.0;
  int64_t missed = 0;         // ticks; count has those that were not
  int64_t echo_missed = 0;    // by the echo
  double frames_per_s = 0.0;  // that the watcher who read fewest got
  double server_mib = 0.0;    // resident, at the end
  double stolen_share = 0.0;  // of the processors' time, by the hypervisor, during the whole case
};

ServiceRow MakeRow(const std::string& id, const std::string& client, const std::string& transport,
                   const TripTimes& times, const TripTimes& floor);

std::string ToJson(const std::vector<ServiceRow>& rows);
std::string ToTable(const std::vector<ServiceRow>& rows);

}  // namespace talus::bench
