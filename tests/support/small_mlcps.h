// Complementarity problems small enough to be solved by trying every set of sides.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <vector>

#include "solver/base/random.h"
#include "solver/lcp/mlcp.h"

namespace talus::testing {

inline Eigen::VectorXd VectorOf(std::initializer_list<double> values) {
  Eigen::VectorXd vector(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), vector.begin());
  return vector;
}

// Rows without bounds.
inline lcp::Mlcp MakeMlcp(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {.matrix = a.sparseView(0.0, 0.0),
          .offset = b,
          .lower = Eigen::VectorXd::Constant(b.size(), -kInfinity),
          .upper = Eigen::VectorXd::Constant(b.size(), kInfinity),
          .coupled_to = std::vector<int32_t>(static_cast<size_t>(b.size()), lcp::kUncoupled)};
}

inline Eigen::VectorXd RandomVector(Random& random, Eigen::Index size) {
  Eigen::VectorXd x(size);
  for (double& value : x) value = random.Uniform(-1.0, 1.0);
  return x;
}

// B Bᵀ + a skew part + `diagonal`: positive definite though not symmetric, so a P-matrix.
inline Eigen::MatrixXd RandomDefinite(Random& random, Eigen::Index size, double diagonal) {
  Eigen::MatrixXd b(size, size);
  Eigen::MatrixXd skew(size, size);
  for (double& value : b.reshaped()) value = random.Uniform(-1.0, 1.0);
  for (double& value : skew.reshaped()) value = random.Uniform(-1.0, 1.0);
  return b * b.transpose() + (skew - skew.transpose()) +
         diagonal * Eigen::MatrixXd::Identity(size, size);
}

// All solutions that have their sides apart: every row free, at its lower or at its upper bound, 3ⁿ
// systems of equations; nothing is shared with the solver.
inline std::vector<Eigen::VectorXd> EnumerateSolutions(const lcp::Mlcp& problem) {
  const Eigen::Index n = problem.row_count();
  const Eigen::MatrixXd a(problem.matrix);
  std::vector<Eigen::VectorXd> found;
  int64_t combinations = 1;
  for (Eigen::Index i = 0; i < n; ++i) combinations *= 3;
  for (int64_t code = 0; code < combinations; ++code) {
    Eigen::MatrixXd equations = a;
    Eigen::VectorXd right = -problem.offset;
    int64_t rest = code;
    bool possible = true;
    std::vector<int> sides;
    for (Eigen::Index i = 0; i < n; ++i, rest /= 3) {
      sides.push_back(static_cast<int>(rest % 3));
      if (sides.back() == 0) continue;
      const double bound = sides.back() == 1 ? problem.lower[i] : problem.upper[i];
      possible = possible && std::isfinite(bound);
      equations.row(i).setZero();
      equations(i, i) = 1.0;
      right[i] = problem.IsCoupled(i) ? 0.0 : bound;
      if (problem.IsCoupled(i)) {
        equations(i, problem.coupled_to[static_cast<size_t>(i)]) = -bound;
      }
    }
    if (!possible) continue;
    const Eigen::FullPivLU<Eigen::MatrixXd> factor(equations);
    if (!factor.isInvertible()) continue;
    const Eigen::VectorXd z = factor.solve(right);
    const Eigen::VectorXd w = a * z + problem.offset;
    bool holds = true;
    for (Eigen::Index i = 0; i < n; ++i) {
      const int side = sides[static_cast<size_t>(i)];
      holds = holds && (side == 0 ? z[i] >= problem.LowerBound(i, z) - 1e-10 &&
                                        z[i] <= problem.UpperBound(i, z) + 1e-10
                        : side == 1 ? w[i] >= -1e-10
                                    : w[i] <= 1e-10);
    }
    if (holds) found.push_back(z);
  }
  return found;
}

}  // namespace talus::testing
