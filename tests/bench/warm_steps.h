// The rows of warm steps, what a user pays for: the state goes on, on one thread
// and on two, and ends in the same bits on any number of them.
#pragma once

#include <string_view>
#include <vector>

#include "solver/scene/solver_settings.h"
#include "tests/bench/bench_row.h"

namespace talus::bench {

struct WarmStepsOptions {
  ContactLaw law = ContactLaw::kNcp;
  int steps = 40;
  int repeats = 1;
  int hash_steps = 0;  // steps on 3, 7 and 16 threads, for their hashes alone; <= steps
  double tolerance = 1e-3;
  int max_sweeps = 1000;
};

// A row for one thread and a row for two, taken in turns. `row` is what both begin as. Ends the
// program when a hash differs.
std::vector<BenchRow> MeasureWarmSteps(std::string_view snapshot, const WarmStepsOptions& options,
                                       const BenchRow& row);

}  // namespace talus::bench
