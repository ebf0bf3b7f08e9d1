// Newton's method on NCP with its corners rounded (smoothed_system.h), the rounding falling as fast
// as the steps allow: from impulses that may be near, such as those sweeps end with.
//
// Each step is one of Newton at the present τ, shortened until what is left falls; where little is
// left, τ is halved. Where steps become too short to lead anywhere, τ grows, each time by more:
// there the corners that hold the method up are rounder. That the answers follow each other loosely
// is what makes it quick, and why it may fail where smoothed_path.h, which follows them closely,
// does not.
//
// After L. Qi, D. Sun and G. Zhou, A new look at smoothing Newton methods for nonlinear
// complementarity problems and box constrained variational inequalities, 2000, whose τ falls with
// the residual; the growth of τ is ours.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "solver/matrix_solvers/smoothed_system.h"

namespace talus::matrix {

class SmoothingNewton {
 public:
  // As for SmoothedSystem; without compliance. `impulse`: where it begins.
  SmoothingNewton(const ScaledProblem& problem, Eigen::VectorXd impulse, FactorLimits limits = {});

  // One step, one factorisation. False: the rounding has become too small to matter, or it cannot
  // go on.
  bool Advance();

  // Of the smoothed problem: clip it to have an admissible one.
  const Eigen::VectorXd& impulse() const { return impulse_; }
  double rounding() const { return rounding_; }  // τ
  int32_t factorization_count() const { return system_.factorization_count(); }

 private:
  SmoothedSystem system_;
  double near_;  // ‖F‖ / τ where little is left
  Eigen::VectorXd impulse_;
  double rounding_;
  double growth_;
  int short_steps_ = 0;  // since the rounding grew
};

}  // namespace talus::matrix
