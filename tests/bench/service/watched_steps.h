// Ten thousand bodies stepped as fast as they go while nobody, one, sixteen, or fifteen who do not
// read and one who does watch them at 60 Hz: what watching costs the steps. Beside them sixteen who
// read as many bytes from the bare echo, which knows nothing of the scene.
//
// The kinds of audience take turns of about a second, each after a turn before nobody, which stands
// beside it. The first kind is nobody too: how far two measurements of one thing are apart.
// Watchers are threads of this process with a connection each. Where the steps have all cores of
// the machine these take theirs from the steps: what the readers of the echo cost there is what the
// machine costs.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/service/server_pair.h"
#include "tests/bench/service/service_row.h"
#include "tests/bench/service/trip_times.h"

namespace talus::bench {

// Whether the bodies move: a viewer is told of those that do.
enum class Motion { kResting, kRolling };

// One row for each kind of audience.
absl::StatusOr<std::vector<ServiceRow>> MeasureWatchedSteps(const std::string& id,
                                                            const std::string& transport,
                                                            const ServerPair& servers,
                                                            Motion motion, const Effort& effort);

}  // namespace talus::bench
