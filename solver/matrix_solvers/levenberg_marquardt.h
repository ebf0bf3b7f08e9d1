// Levenberg and Marquardt's steps on NCP, for the last of a residual: the impulses near by that
// miss the law least, in the square of two measures of it together, our residual and Siconos'
// error.
//
//   min ½ ‖w (γ − P(γ − s u))‖² + λ/2 ‖w s δ‖²,   λ falling with what is left,
//
// P Alart and Curnier's clipping. A row has the step s and the weight w with which a velocity that
// is left in it counts as it does in both measures, and so does an impulse:
//
//   (w s)² = 1/f² + 1/(S a)²,   w² = 1/f² + (S/a)²,
//
// f and a what the residual and Siconos' error are relative to, S the step of the scaling.
//
// Why: contacts that are redundant leave velocities the size of the noise in their gaps, which no
// impulse near by takes to zero. How they are shared out is open, and decides which of the measures
// is met: turning is small to the residual and large to who adds rad/s to N s. Under an error bound
// such steps converge quadratically to a set of solutions; here they stop where no mode of a
// contact near by leaves less. docs/TRIED.md has what they do not do.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/direct_factor.h"

namespace talus::matrix {

class LevenbergMarquardt {
 public:
  // `problem` must outlive it. From `impulse`, in its unknowns.
  LevenbergMarquardt(const ScaledProblem& problem, Eigen::VectorXd impulse,
                     FactorLimits limits = {});

  // One step nearer. False: none leads on or could be made, or it would take more factorisations
  // than `most_factorizations` of all steps.
  bool Advance(int32_t most_factorizations);

  const Eigen::VectorXd& impulse() const { return impulse_; }
  double length() const { return length_; }  // ‖w (γ − P)‖
  int32_t factorization_count() const { return factorization_count_; }

 private:
  // w (γ − P(γ − s u)); x = γ − s u goes to moved_ where `keep`.
  Eigen::VectorXd RestOf(const Eigen::VectorXd& impulse, bool keep);
  SparseMatrix Derivative() const;  // of it, at moved_

  const ScaledProblem& problem_;
  FactorLimits limits_;
  Eigen::VectorXd weights_;  // w
  Eigen::VectorXd steps_;    // s
  Eigen::VectorXd impulse_;
  Eigen::VectorXd moved_;
  Eigen::VectorXd rest_;
  double length_ = 0.0;
  double damping_;  // λ / length
  int32_t factorization_count_ = 0;
  DirectFactor factor_;
};

}  // namespace talus::matrix
