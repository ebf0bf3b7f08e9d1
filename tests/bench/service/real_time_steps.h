// A scene of ten balls that the server steps a thousand times a second by its own clock, and a
// controller who answers every answer with the next request: ticks that were missed, and how late
// after their ticks the steps were done. Beside it, in turns of five seconds, a program that wakes
// up a thousand times a second and makes a round trip to the bare echo: what it misses, the machine
// misses.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "tests/bench/service/server_pair.h"
#include "tests/bench/service/service_row.h"
#include "tests/bench/service/trip_times.h"

namespace talus::bench {

// The controller keeps `ahead` requests waiting at the server, beside the one that it has just
// sent: each acts so many ticks later, and only who is late by as many more misses one. The times
// of the row are latenesses. The state at the end must be the library's, and ticks, answers and
// misses must agree.
absl::StatusOr<ServiceRow> MeasureRealTimeSteps(const std::string& id, const std::string& transport,
                                                const ServerPair& servers, int ahead,
                                                const Effort& effort);

}  // namespace talus::bench
