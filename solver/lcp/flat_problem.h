// A bare problem under a law with flat sides, solved by pivoting: what
// matrix_solvers/problem_solver.h is for the laws of cones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "solver/lcp/block_pivoting.h"
#include "solver/lcp/flat_law.h"
#include "solver/matrix/matrix_problem.h"
#include "solver/matrix_solvers/problem_solver.h"

namespace talus::lcp {

// Pivots solve some dozens of contacts; from here on one of them takes seconds.
inline constexpr size_t kMaxFlatBlocks = 1000;
// Entries of A: a block of W becomes up to 70 × 70 of them. A gigabyte with what pivots make of it.
inline constexpr double kMaxFlatEntries = 2e7;

struct FlatProblemSettings {
  // Facets even and in [4, 32], stiffness in [1e-3, 1e15] N/m, slip threshold in (0, 1e6] m/s, time
  // step in [1e-6, 1] s; errors name them as the wire does, `flat_law.facet_count`.
  FlatLaw law = {};
  PivotMethod method = PivotMethod::kBlocksFirst;
  double tolerance = 1e-8;     // to reach, in [1e-14, 1]: the residual of the law's rows (mlcp.h)
  int32_t max_pivots = 20000;  // in [1, 1000000]
  bool residual_history = false;
  // γ of the step before, which bristles remember (bristle_law.h); empty: they begin unbent. Of no
  // other law.
  Eigen::VectorXd old_impulse = {};
  std::function<bool()> stop = {};  // asked before each pivot; true ends the solve
};

// Short of the tolerance: how pivots ended.
SolveOutcome OutcomeOf(const PivotReport& report, double tolerance);

// From zero impulses. The certificate has the residual of the law's rows, and that
// of its worst block; Siconos' error is of cones and is NaN. The outcome is kSweepLimit where
// pivots ran out or `stop` said so. INVALID_ARGUMENT: the problem or a setting is not valid.
// RESOURCE_EXHAUSTED: more than kMaxFlatBlocks, what may be more than kMaxFlatEntries, or for
// Lemke's method alone more than it takes (block_pivoting.h).
absl::StatusOr<matrix::ProblemSolution> SolveFlatProblem(const MatrixProblem& problem,
                                                         const FlatProblemSettings& settings);

}  // namespace talus::lcp
