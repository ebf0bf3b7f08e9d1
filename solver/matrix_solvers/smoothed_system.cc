#include "solver/matrix_solvers/smoothed_system.h"

#include <cmath>
#include <utility>

#include "solver/matrix_solvers/gauss_seidel.h"

namespace talus::matrix {

SmoothedSystem::SmoothedSystem(const ScaledProblem& problem, double compliance, FactorLimits limits)
    : problem_(problem),
      compliance_(compliance),
      typical_(problem.free_scale / std::sqrt(static_cast<double>(problem.block_count()))),
      most_factorizations_(limits.max_factorizations),
      system_(problem, std::move(limits)),
      maps_(problem.block_count()),
      inverses_(problem.block_count()) {}

Eigen::VectorXd SmoothedSystem::Beginning(double rounding) const {
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem_.free_rows.size());
  for (size_t i = 0; i < maps_.size(); ++i) {
    if (problem_.laws[i].kind != BlockLawKind::kContact) continue;
    impulse[6 * static_cast<Eigen::Index>(i)] = rounding * typical_;
  }
  return impulse;
}

Eigen::VectorXd SmoothedSystem::RestOf(const Eigen::VectorXd& impulse, double rounding, bool keep) {
  const double compliance = compliance_ * rounding;
  const Eigen::VectorXd moved = (1.0 - compliance) * impulse - VelocityOf(problem_, impulse);
  Eigen::VectorXd rest = impulse;
  for (size_t i = 0; i < maps_.size(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const SmoothedMap map =
        MapSmoothly(problem_.laws[i], moved.segment<6>(at), rounding * typical_);
    rest.segment<6>(at) -= map.value;
    if (keep) maps_[i] = map;
  }
  if (keep) kept_compliance_ = compliance;
  return rest;
}

bool SmoothedSystem::Factorize() {
  if (factorization_count_ >= most_factorizations_) return false;
  std::vector<Matrix6> derivatives(maps_.size());
  for (size_t i = 0; i < maps_.size(); ++i) {
    inverses_[i] = InvertComplement(maps_[i], kept_compliance_);
    derivatives[i] = inverses_[i] * maps_[i].derivative;
    if (!derivatives[i].allFinite()) return false;
  }
  ++factorization_count_;
  return system_.Factorize(derivatives, 1.0);
}

bool SmoothedSystem::Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const {
  Eigen::VectorXd own(right.size());
  for (size_t i = 0; i < inverses_.size(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    own.segment<6>(at) = inverses_[i] * right.segment<6>(at);
  }
  return system_.Solve(own, solution) && solution.allFinite();
}

}  // namespace talus::matrix
