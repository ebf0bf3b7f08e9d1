// Proximal steps solved by semismooth Newton: for tolerances that sweeps do not reach.
//
//   γ ← the solution of  γ = P(γ̄ − κ (W' γ + q')),   γ̄ ← γ,
//
// P the projection for CCP, which makes it the augmented Lagrangian method (ALM–SSN), and Alart and
// Curnier's clipping for NCP. Each proximal step (proximal_step.h) is a few Newton steps of one
// factorisation each (proximal_system.h): under CCP with Armijo's rule on the convex
//
//   θ(γ) = ½ γᵀ W' γ + (‖x‖² − ‖x − Π(x)‖²) / 2κ,   x = γ̄ − κ (W' γ + q'),
//
// under NCP with the length of γ − P(x) in W'. Sweeps lead to where Newton's method works. A step
// that it does not solve is tried again with a smaller κ, a solved one is followed by a larger.
//
// Why large κ: where contacts are redundant, the last of the residual is of impulses that stress
// nothing but each other, and that have far to go until a contact opens or slips; sweeps take them
// there by steps as small as the residual, a proximal step by κ times that.
//
// Where some tens of factorisations have not come near, or later ones are slow, NCP is solved by
// way of smoothed problems (smoothed_solve.h), once; proximal steps go on from where they come
// near. Where that is near enough for the tolerance, the first few factorisations decide.
//
// Where contacts alone are in touch and some tens of factorisations have not done, the convex
// problem is solved from the middle of its cones (interior_point.h), once; proximal steps go on
// from there where that is nearer.
//
// A step that is solved but for round-off counts: a smaller κ takes the round-off off what a larger
// one has moved, and where the residual may be nothing else the next κ is smaller. A residual of
// nothing but round-off is a stall.
//
// A factorisation counts as a sweep. SolveLimits::stop is asked between its analysis and its
// numbers too; where the analysis foresees too many operations (sparse_factor.h) the solve stalls.
#pragma once

#include <cstddef>

#include "solver/matrix_solvers/matrix_algorithm.h"

namespace talus::matrix {

class ProximalNewton {
 public:
  // A scene with more is not for it: a factorisation would take minutes.
  static constexpr size_t kMostContacts = 50'000;

  // `patience`: this many factorisations and sweeps without an improvement by 5 % are a stall.
  // `first_sweeps`: at most as many lead from where it begins; 0 where sweeps have been made.
  explicit ProximalNewton(int32_t patience = 4000, int32_t first_sweeps = 250)
      : patience_(patience), first_sweeps_(first_sweeps) {}

  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse);

  int32_t factorization_count() const { return factorization_count_; }  // of the last solve

 private:
  int32_t patience_;
  int32_t first_sweeps_;
  int32_t factorization_count_ = 0;
};

static_assert(MatrixAlgorithm<ProximalNewton>);

}  // namespace talus::matrix
