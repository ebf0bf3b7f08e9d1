// Lemke's complementary pivoting for the standard problem w = M z + q ≥ 0, z ≥ 0, wᵀz = 0, on a
// dense tableau.
//
// The covering vector is of ones. Ties are broken lexicographically, so that no basis comes twice
// and the method ends: with a solution, or on a ray. Rounding may show rays that are none; three
// other covering vectors are tried then. Where M is copositive and qᵀz ≥ 0 for every
// solution z of the problem with q = 0, there is no ray (Cottle, Pang & Stone, The Linear
// Complementarity Problem, theorem 4.4.13): that holds for pyramids of friction whose gaps are not
// negative (Anitescu & Potra, Nonlinear Dynamics 14 (1997)). Time n² a pivot, memory 2 n².
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>

namespace talus::lcp {

enum class LemkeOutcome : uint8_t { kSolved = 0, kRay = 1, kPivotLimit = 2 };

struct LemkeAnswer {
  LemkeOutcome outcome = LemkeOutcome::kSolved;
  int32_t pivot_count = 0;
  Eigen::VectorXd z;  // zero where it was not solved
};

// M and q must be of one size, finite, and scaled so that entries are about one. `stop` is asked
// before each pivot; true ends them as their limit would.
LemkeAnswer SolveByLemke(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& offset,
                         int32_t max_pivots, const std::function<bool()>& stop = {});

}  // namespace talus::lcp
