// Ten thousand bodies stepped as fast as they go while nobody, one, sixteen, or fifteen who do not
// read and one who does watch them at 60 Hz: what watching costs the steps. Beside them sixteen who
// read as many bytes from the bare echo, which knows nothing of the scene.
//
// The kinds of audience take turns of about a second. Watchers are threads of this process with a
// connection each, so on a small machine they take their cores from the steps as well: what the
// readers of the echo cost is what the machine costs.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/service/server_pair.h"
#include "tests/bench/service/service_row.h"
#include "tests/bench/service/trip_times.h"

namespace talus::bench {

// One row for each kind of audience.
absl::StatusOr<std::vector<ServiceRow>> MeasureWatchedSteps(const std::string& id,
                                                            const std::string& transport,
                                                            const ServerPair& servers,
                                                            const Effort& effort);

}  // namespace talus::bench
