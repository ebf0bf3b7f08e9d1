// Lock-step control of ten balls while a scene of 100 000 on the same server steps as fast as it
// can, beside the same with that scene at rest: whether one who needs much delays one who needs
// little.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "tests/bench/service/server_pair.h"
#include "tests/bench/service/service_row.h"
#include "tests/bench/service/trip_times.h"

namespace talus::bench {

// The times of the row are those beside the busy scene, those of its `echo` those beside the scene
// at rest, in turns of a second. The busy scene must have made steps, and the state of the ten
// balls must be the library's.
absl::StatusOr<ServiceRow> MeasureCrowdedSteps(const std::string& id, const std::string& transport,
                                               const ServerPair& servers, const Effort& effort);

}  // namespace talus::bench
