// One proximal step of proximal_newton.h on its way: the equation
//
//   γ = P(x),  x = γ̄ − κ (W' γ + q'),
//
// by Newton's method from γ = γ̄.
//
// Round-off of W' γ + q' comes into x κ times. Where that would be more than the tolerance allows,
// W' γ̄ + q' is summed with more digits than it is kept with, and what counts from there on is
// γ − γ̄, which is small: neither is γ itself rounded, nor what W' makes of it.
#pragma once

#include <cstdint>

#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/proximal_system.h"
#include "solver/scene/solver_settings.h"

namespace talus::matrix {

inline constexpr double kRoundOff = 4e-16;  // of each number that a sum is made of

// |W'| |γ| + |q'|: what the sums that make up velocities come to without their signs.
Eigen::VectorXd MagnitudesOf(const ScaledProblem& problem, const Eigen::VectorXd& impulse);

class ProximalStep {
 public:
  // `floor`: what a length may be at the tolerance.
  ProximalStep(const ScaledProblem& problem, ContactLaw law, double kappa,
               const Eigen::VectorXd& center, double floor);

  const Eigen::VectorXd& target() const { return target_; }  // P(x)

  // ‖γ − P(x)‖ in W', zero where the step is solved; it is as good as solved where this is small
  // beside what the step itself leaves, ‖γ̄ − P(x)‖ / κ.
  bool IsSolved() const;
  // Only a smaller κ would show more digits of it.
  bool IsRoundOff();
  // Whether `distance`, that of its target from the answer of the whole problem, may be that too.
  bool Drowns(double distance);

  // One Newton step; false where it leads nowhere.
  bool Improve(ProximalSystem& system, int32_t& factorization_count);

 private:
  void MoveTo(const Eigen::VectorXd& change, const Eigen::VectorXd& velocity);
  double FindNoise();

  const ScaledProblem& problem_;
  ContactLaw law_;
  double kappa_;
  double floor_;
  Eigen::VectorXd center_;    // γ̄
  Eigen::VectorXd velocity_;  // W' γ + q'
  double most_noise_;         // FindNoise is no more, where nothing has moved
  // Once they are needed: what rounding leaves of W' γ̄ + q' is a share of them.
  Eigen::VectorXd magnitudes_;
  Eigen::VectorXd change_;  // γ − γ̄
  Eigen::VectorXd moved_;   // x
  Eigen::VectorXd target_;  // P(x)
  double length_ = 0.0;
  double merit_ = 0.0;
};

}  // namespace talus::matrix
