#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/siconos/comparison.h"

namespace talus::siconos {
namespace {

constexpr Eigen::Index kMostRows = 1500;  // of which eigenvalues are found within a second

double Largest(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

// Rows of W that mean something, and what friction weighs them with: 0 for a normal row.
struct Rows {
  std::vector<Eigen::Index> at;
  std::vector<Eigen::Index> normal;  // of `at`
  std::vector<Eigen::Index> others;
  Eigen::VectorXd weights;  // of `others`
};

Rows FindRows(const MatrixProblem& problem) {
  Rows rows;
  std::vector<double> weights;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const FrictionCone& cone = problem.laws[i].cone;
    for (Eigen::Index k = 0; k < 6; ++k) {
      if (problem.delassus.Diagonal(i)(k, k) == 0.0) continue;
      const auto place = static_cast<Eigen::Index>(rows.at.size());
      rows.at.push_back(6 * static_cast<Eigen::Index>(i) + k);
      (k == 0 ? rows.normal : rows.others).push_back(place);
      if (k > 0) weights.push_back(k <= 2 ? cone.sliding : cone.rolling);
    }
  }
  rows.weights = Eigen::Map<Eigen::VectorXd>(weights.data(), static_cast<int>(weights.size()));
  return rows;
}

}  // namespace

std::string NameOf(Uniqueness uniqueness) {
  switch (uniqueness) {
    case Uniqueness::kNone:
      return "-";
    case Uniqueness::kDecoupled:
      return "decoupled";
    case Uniqueness::kContraction:
      return "contraction";
  }
  return "";
}

Uniqueness FindUniqueness(const MatrixProblem& problem) {
  const Rows rows = FindRows(problem);
  if (static_cast<Eigen::Index>(rows.at.size()) > kMostRows) return Uniqueness::kNone;
  const Eigen::MatrixXd w = problem.delassus.ToDense()(rows.at, rows.at);
  const Eigen::MatrixXd normal = w(rows.normal, rows.normal);
  // Of entries beside the diagonal's: a coupling so small moves a velocity by rounding.
  const Eigen::VectorXd roots = w.diagonal().cwiseSqrt();
  const Eigen::MatrixXd coupling = w(rows.normal, rows.others);
  const double coupled = coupling
                             .cwiseQuotient(Eigen::VectorXd(roots(rows.normal)) *
                                            Eigen::VectorXd(roots(rows.others)).transpose())
                             .cwiseAbs()
                             .maxCoeff();
  const Eigen::LDLT<Eigen::MatrixXd> normal_factor(normal);
  const bool definite =
      normal_factor.vectorD().minCoeff() > 1e-12 * normal_factor.vectorD().maxCoeff();
  if (definite && coupled <= 1e-14) return Uniqueness::kDecoupled;
  const Eigen::LDLT<Eigen::MatrixXd> factor(w);
  if (!(factor.vectorD().minCoeff() > 1e-12 * factor.vectorD().maxCoeff())) {
    return Uniqueness::kNone;
  }
  const Eigen::MatrixXd inverse =
      factor.solve(Eigen::MatrixXd::Identity(w.rows(), w.cols()))(rows.normal, rows.normal);
  const Eigen::MatrixXd friction =
      rows.weights.asDiagonal() * w(rows.others, rows.others) * rows.weights.asDiagonal();
  const double c = std::numbers::sqrt2 * std::sqrt(Largest(inverse) * Largest(friction));
  return c < 1.0 ? Uniqueness::kContraction : Uniqueness::kNone;
}

}  // namespace talus::siconos
