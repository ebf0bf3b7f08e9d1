// The convex contact problem, CCP, by an interior point method: for tolerances below those at which
// proximal steps have found what is in touch.
//
//   min ½ γᵀ W' γ + q'ᵀ γ,   each friction part with its normal, y = (m γ_n, γ_part), in its own
//   second-order cone (second_order_cone.h),
//
// with a velocity z in the same cone for each: u = W' γ + q' = Gᵀ z where y = G γ, and y ∘ z = 0 at
// the solution. Predictor and corrector of Mehrotra in the scaling of Nesterov and Todd; one
// factorisation a step, of the equation of proximal_system.h with J = (Gᵀ F G)⁻¹, which has a
// closed form without differences.
//
// It starts in the middle of all cones, whatever is known already, and where many impulses solve
// the problem it goes to the middle of them: no impulse has far to go when contacts have been told
// apart, which is what a proximal step spends its Newton steps on. Near round-off (at 1e-6 to 1e-8
// on heaps) its equations lose their digits; proximal steps go on from there.
//
// For contacts alone: blocks of bounds have no cone.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/proximal_system.h"
#include "solver/matrix_solvers/second_order_cone.h"

namespace talus::matrix {

class InteriorPoint {
 public:
  static bool Applies(const ScaledProblem& problem);

  // `problem` must outlive it and be one it applies to.
  explicit InteriorPoint(const ScaledProblem& problem, FactorLimits limits = {});

  // One step, one factorisation: the share of it that the cones left, or 0 where there was none.
  double Advance();

  const Eigen::VectorXd& impulse() const { return impulse_; }

 private:
  // A friction part with the normal; a contact without friction has its normal alone.
  struct Part {
    Eigen::Index at = 0;  // first row of the contact
    int row = 1;          // first row of the part in it
    int size = 0;
    double coefficient = 1.0;  // m
    ConePoint impulse;         // y
    ConePoint velocity;        // z
    ConeScaling scaling;
    ConePoint predicted_impulse, predicted_velocity;  // of the predictor
    ConePoint pushed;                                 // R⁻¹ (λ \ what complementarity lacks)
    ConePoint step;                                   // dz
  };

  void AddParts(size_t block);
  ConePoint Gather(const Part& part, const Eigen::VectorXd& rows) const;
  void Scatter(const Part& part, const ConePoint& point, Eigen::VectorXd& rows) const;
  Matrix6 InverseOf(size_t block) const;
  // What u lacks of Gᵀ z, only in rows that a part has.
  Eigen::VectorXd Mismatch() const;
  // dγ for y ∘ z = `center`, with the second order of the last predictor or without; the share of
  // it inside the cones.
  double Solve(const Eigen::VectorXd& mismatch, double center, bool second_order,
               Eigen::VectorXd& step);

  const ScaledProblem& problem_;
  ProximalSystem system_;
  std::vector<Part> parts_;
  std::vector<size_t> first_;  // part of a block
  std::vector<Matrix6> inverses_;
  Eigen::VectorXd impulse_;
};

}  // namespace talus::matrix
