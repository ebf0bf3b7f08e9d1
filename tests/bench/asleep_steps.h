// The rows of steps in which a heap at rest sleeps: `asleep`, where nothing else is in the scene
// and steps are repeated, and `beside`, where one stone that slides far away keeps them computed.
#pragma once

#include <string_view>
#include <vector>

#include "solver/scene/solver_settings.h"
#include "tests/bench/bench_row.h"

namespace talus::bench {

struct AsleepStepsOptions {
  ContactLaw law = ContactLaw::kNcp;
  bool sliding_stone = false;
  int steps = 100;
};

// A row for one thread and a row for two, from the moment the heap sleeps; one that was not reached
// where it does not fall asleep within two seconds of simulated time. `row` is what they begin as.
// Ends the program when a hash differs on 1, 2, 3 or 7 threads.
std::vector<BenchRow> MeasureAsleepSteps(std::string_view snapshot,
                                         const AsleepStepsOptions& options, const BenchRow& row);

}  // namespace talus::bench
