// The row of a cold start: one step of a real state without its warm impulses, solved to each
// residual of kGoals in turn, each with that residual as its tolerance.
#pragma once

#include <string_view>

#include "solver/scene/solver_settings.h"
#include "tests/bench/bench_row.h"

namespace talus::bench {

struct ColdStartOptions {
  ContactLaw law = ContactLaw::kNcp;
  SolverKind solver = SolverKind::kLawDefault;
  int max_sweeps = 1000;
  int repeats = 1;
  size_t goal_count = kGoals.size();  // the loosest so many of them
};

// On one thread. A goal that was missed ends the list: those below it are -1 too. The row's own
// residual, sweeps and times are those at 1e-4, or at the last goal tried when that is looser.
void MeasureColdStart(std::string_view snapshot, const ColdStartOptions& options, BenchRow& row);

}  // namespace talus::bench
