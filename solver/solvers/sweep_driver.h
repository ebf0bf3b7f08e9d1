// The outer iteration of all sweep-based algorithms: sweep, measure, extrapolate, guard.
//
// A sweep brings each contact closer to its law with the velocities its neighbours just left behind
// (block Gauss–Seidel, strand by strand). The residual is measured when check_schedule.h says so;
// after every sweep when a history is asked for. Where many sweeps are to come they are made in
// single precision (single_sweeps.h) until their change says that the tolerance is reached, or that
// a float can tell no more; residuals are those of double precision.
#pragma once

#include <vector>

#include "solver/parallel/worker_arena.h"
#include "solver/solvers/iterate.h"
#include "solver/solvers/previous_iterate.h"
#include "solver/solvers/single_sweeps.h"
#include "solver/solvers/solve_limits.h"
#include "solver/solvers/solve_report.h"
#include "solver/solvers/strand_sweep.h"

namespace talus {

struct SweepScratch {
  PreviousIterate previous;
  std::vector<WrenchBlock> best;  // impulses, if they were found in double precision
  std::vector<SweepChange> partial;
  SingleSweeps single;
};

SolveReport RunSweeps(WorkerArena& workers, const ContactProblem& problem,
                      const SolveLimits& limits, const SweepMethod& method, Iterate& current,
                      SweepScratch& scratch);

}  // namespace talus
