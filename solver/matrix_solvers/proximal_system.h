// The linear equation of a semismooth Newton step:
//
//   (I + κ J W') δ = r,   J block diagonal: the derivative of the law's map
//
// by a direct factorisation. Where W' = H'ᵀ M⁻¹ H' + E' comes from velocities the matrix is as
// large as those,
//
//   δ = A⁻¹ r − κ A⁻¹ J H'ᵀ (M + κ H' A⁻¹ J H'ᵀ)⁻¹ H' A⁻¹ r,   A = I + κ J E',
//
// and sparse; where W' is all there is, it is as large as the impulses of the blocks whose J is not
// zero.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/direct_factor.h"
#include "solver/matrix_solvers/velocity_matrix.h"

namespace talus::matrix {

class ProximalSystem {
 public:
  // `limits`: of each factorisation.
  explicit ProximalSystem(const ScaledProblem& problem, FactorLimits limits = {})
      : problem_(problem), limits_(std::move(limits)) {}

  // `derivatives`: J, by block. False: the matrix is singular, beyond the limits, or it was
  // stopped.
  bool Factorize(std::span<const Matrix6> derivatives, double kappa);
  // Whether the last factorisation was refused for its size: so will all be.
  bool is_too_large() const { return factor_.is_too_large(); }
  // False: there was nothing to solve with.
  bool Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;

 private:
  bool FactorizeVelocities(std::span<const Matrix6> derivatives);
  bool FactorizeImpulses(std::span<const Matrix6> derivatives);
  bool SolveVelocities(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;
  bool SolveImpulses(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;

  const ScaledProblem& problem_;
  FactorLimits limits_;
  double kappa_ = 0.0;
  std::vector<Matrix6> inverses_;         // A⁻¹, by block
  std::vector<Matrix6> derivatives_;      // A⁻¹ J from velocities, J without
  std::vector<uint32_t> active_;          // blocks whose J is not zero
  std::optional<VelocityMatrix> matrix_;  // where W' comes from velocities, once it is needed
  DirectFactor factor_;
};

}  // namespace talus::matrix
