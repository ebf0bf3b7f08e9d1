// Lock-step control by many at once, each with a connection and a scene of ten balls of his own,
// beside as many streams of the echo: what a server answers that one caller cannot keep busy.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "tests/bench/service/server_pair.h"
#include "tests/bench/service/service_row.h"
#include "tests/bench/service/trip_times.h"

namespace talus::bench {

// The times of the row are those of all callers, its rate what they make together, in turns of a
// second. Each scene's state must be the library's.
absl::StatusOr<ServiceRow> MeasureFleetSteps(const std::string& id, const std::string& transport,
                                             const ServerPair& servers, const Effort& effort);

}  // namespace talus::bench
