// NCP followed from where it has one answer and no corners (smoothed_system.h), τ = 3, to where the
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

#include "solver/matrix_solvers/smoothed_system.h"

namespace talus::matrix {

class SmoothedPath {
 public:
  // As for SmoothedSystem; another compliance makes another path.
  SmoothedPath(const ScaledProblem& problem, double compliance, FactorLimits limits = {});

  // One step along the path, a few factorisations. False: it is at its end, or cannot go on.
  bool Advance();

  // Of the smoothed problem: clip it to have an admissible one.
  const Eigen::VectorXd& impulse() const { return at_.impulse; }
  double rounding() const;  // τ
  int32_t factorization_count() const { return system_.factorization_count(); }

 private:
  struct Point {
    Eigen::VectorXd impulse;
    double place = 0.0;  // log τ
  };

  // From τ = 3: false where Newton's method does not find the beginning.
  bool Begin();
  bool Correct(Point& point);
  Eigen::VectorXd RestOf(const Point& point, bool keep);
  void TurnTo(const Eigen::VectorXd& slope);
  bool TurnHere();

  SmoothedSystem system_;
  double begun_at_;       // ‖F‖ at the beginning
  double contact_count_;  // as far as corrections count them
  Point at_;
  Point tangent_;  // of length 1 in weight_ ‖γ‖² + (log τ)²
  double weight_ = 0.0;
  double length_ = 0.5;  // of the next step
  bool begun_ = false;
};

}  // namespace talus::matrix
