// NCP followed from where it has one answer and no corners:
//
//   γ = C_ν(γ − (W' + ε I) γ − q'),   ν = τ γ₁,   ε = c τ,
//
// C_ν the clipping of smoothed_clipping.h and γ₁ a typical impulse, from τ = 3 to where the
// rounding matters no more. Between them (γ, log τ) is a curve, which turns back where an answer
// ceases to be; Newton's method follows its arc, not τ (pseudo-arclength: H. B. Keller, Numerical
// solution of bifurcation and nonlinear eigenvalue problems, 1977), and so round those points.
//
// It finds on piles of unlike or steep contacts what touches, sticks and slips within some tens of
// factorisations, where proximal steps find it in hundreds or not at all; the last digits are for
// them. docs/TRIED.md has where it fails.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/proximal_system.h"
#include "solver/matrix_solvers/smoothed_clipping.h"

namespace talus::matrix {

class SmoothedPath {
 public:
  // `problem` must outlive it and have a driving velocity (free_scale > 0). `compliance`: c ≥ 0, no
  // unit; another makes another path.
  SmoothedPath(const ScaledProblem& problem, double compliance, FactorLimits limits = {});

  // One step along the path, a few factorisations. False: it is at its end, or cannot go on.
  bool Advance();

  // Of the smoothed problem: clip it to have an admissible one.
  const Eigen::VectorXd& impulse() const { return at_.impulse; }
  double rounding() const;  // τ
  int32_t factorization_count() const { return factorization_count_; }

 private:
  struct Point {
    Eigen::VectorXd impulse;
    double place = 0.0;  // log τ
  };

  // From τ = 3: false where Newton's method does not find the beginning.
  bool Begin();
  bool Correct(Point& point);
  // γ − C_ν(x); its derivatives go to maps_ where `keep`.
  Eigen::VectorXd RestOf(const Point& point, bool keep);
  bool Factorize(double place);
  // F_γ⁻¹ of a vector, by the last factorisation.
  bool Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;
  void TurnTo(const Eigen::VectorXd& slope);
  bool TurnHere();

  const ScaledProblem& problem_;
  double compliance_;  // c
  double typical_;     // γ₁
  ProximalSystem system_;
  std::vector<SmoothedMap> maps_;
  std::vector<Matrix6> inverses_;  // (I − J + ε J)⁻¹, by block
  Point at_;
  Point tangent_;  // of length 1 in weight_ ‖γ‖² + (log τ)²
  double weight_ = 0.0;
  double length_ = 0.5;  // of the next step
  bool begun_ = false;
  int32_t factorization_count_ = 0;
};

}  // namespace talus::matrix
