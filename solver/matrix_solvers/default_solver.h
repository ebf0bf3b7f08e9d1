// What a bare problem is solved by where nobody chose: sweeps of the law (A-AC for NCP, accelerated
// PSOR for CCP), and proximal Newton steps where those would be there sooner.
//
// A sweep costs a fraction of a factorisation, so they come first; they are given up when they
// stall, or when their way so far says that the tolerance is farther off than Newton's method
// usually needs, both counted in arithmetic that the sizes of the problem foretell and never in
// time. Newton steps that get nowhere are given up in turn, and sweeps go on from the best
// impulses; each round is more patient than the one before, until neither gets on.
//
// Contacts of which none touches another hardly come here: SolveProblem solves each of them at once
// (separate_blocks.h).
#pragma once

#include "solver/matrix_solvers/matrix_algorithm.h"

namespace talus::matrix {

class DefaultSolver {
 public:
  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse);

  int32_t newton_count() const { return newton_count_; }  // times it changed over in the last solve

 private:
  int32_t newton_count_ = 0;
};

static_assert(MatrixAlgorithm<DefaultSolver>);

// The arithmetic of a factorisation in sweeps: what the rule above goes by.
double FactorizationSweeps(const ScaledProblem& problem);

}  // namespace talus::matrix
