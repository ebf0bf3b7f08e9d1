// NCP with its corners rounded, as equations that Newton's method solves:
//
//   F(γ, τ) = γ − C_ν(γ − (W' + ε I) γ − q') = 0,   ν = τ γ₁,   ε = c τ,
//
// C_ν the clipping of smoothed_clipping.h and γ₁ a typical impulse. At τ = 3 there is one answer;
// as τ → 0 those of the law are left.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/proximal_system.h"
#include "solver/matrix_solvers/smoothed_clipping.h"

namespace talus::matrix {

class SmoothedSystem {
 public:
  static constexpr double kFirst = 3.0;  // τ

  // `problem` must outlive it and have a driving velocity (free_scale > 0). `compliance`: c ≥ 0, no
  // unit.
  SmoothedSystem(const ScaledProblem& problem, double compliance, FactorLimits limits = {});

  double typical_impulse() const { return typical_; }  // γ₁
  // Of contacts γ₁ τ along their normals, of all else nothing.
  Eigen::VectorXd Beginning(double rounding) const;

  // F. Where `keep`, Factorize has its derivatives from here.
  Eigen::VectorXd RestOf(const Eigen::VectorXd& impulse, double rounding, bool keep);
  // F_γ. False: it is singular, beyond the limits, or was stopped.
  bool Factorize();
  // F_γ⁻¹ of a vector, by the last factorisation.
  bool Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;
  int32_t factorization_count() const { return factorization_count_; }

 private:
  const ScaledProblem& problem_;
  double compliance_;
  double typical_;
  int32_t most_factorizations_;
  ProximalSystem system_;
  double kept_compliance_ = 0.0;  // ε
  std::vector<SmoothedMap> maps_;
  std::vector<Matrix6> inverses_;  // (I − J + ε J)⁻¹, by block
  int32_t factorization_count_ = 0;
};

}  // namespace talus::matrix
