// The rows of many small scenes: each thread takes the next scene and steps it to the end, one
// scene a thread at a time, as a server with more scenes than cores does.
#pragma once

#include <string>
#include <vector>

#include "solver/scene/solver_settings.h"
#include "tests/bench/bench_row.h"

namespace talus::bench {

struct ManyScenesOptions {
  ContactLaw law = ContactLaw::kNcp;
  int steps = 100;
  int repeats = 1;
};

// A row for one thread and a row for two, taken in turns. Times are those of all scenes over
// their steps; the hash is of all scenes' hashes in order. Ends the program when hashes differ.
std::vector<BenchRow> MeasureManyScenes(const std::vector<std::string>& snapshots,
                                        const ManyScenesOptions& options, const BenchRow& row);

}  // namespace talus::bench
