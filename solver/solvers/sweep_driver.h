// The outer iteration of all sweep-based algorithms: sweep, measure, extrapolate, guard.
//
// A sweep brings each contact closer to its law with the velocities its neighbours just left behind
// (block Gauss–Seidel in colour order). The residual is measured when check_schedule.h says so;
// after every sweep when a history is asked for.
#pragma once

#include <vector>

#include "solver/parallel/worker_arena.h"
#include "solver/solvers/iterate.h"
#include "solver/solvers/solve_limits.h"
#include "solver/solvers/solve_report.h"

namespace talus {

struct SweepScratch {
  Iterate previous;
  Iterate best;
  std::vector<SweepChange> partial;
};

// One of the sweeps of kernels/block_kernels.h, and how it is run.
struct SweepMethod {
  SweepChange (*sweep)(const SweepBlocks&, const BlockChunk&) = nullptr;
  bool accelerated = true;  // capped momentum, local steps, and the start of cold_start.h
};

SolveReport RunSweeps(WorkerArena& workers, const ContactProblem& problem,
                      const SolveLimits& limits, const SweepMethod& method, Iterate& current,
                      SweepScratch& scratch);

}  // namespace talus
