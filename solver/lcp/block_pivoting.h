// Block principal pivoting for an MLCP with bounds, and what stands behind it where it fails.
//
// Each row is free (w = 0) or at one of its bounds. A pivot solves the equations of the free rows
// and moves every row whose answer is on the wrong side (Júdice & Pires, Computers & Operations
// Research 21 (1994)). When that brought nothing for ten pivots, only the last such row moves
// (Murty's rule), until there are fewer than ever before: for a P-matrix with plain bounds this
// ends at the solution. Contacts that are more than needed make the equations singular, coupled
// bounds and multipliers make a matrix that is no P-matrix, only copositive: then Lemke's method
// (lemke.h) goes on from the beginning. Keller's method was not taken: it asks for a symmetric or
// row sufficient matrix, which a friction pyramid does not give.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "solver/lcp/mlcp.h"

namespace talus::lcp {

// What Lemke's method takes of a problem's standard form (standard_form.h): a tableau of 70 MB, and
// six equations for each of 128 joints. A box takes 16 rows a contact, so 128 of them.
inline constexpr Eigen::Index kMaxLemkeRows = 2048;
inline constexpr Eigen::Index kMaxLemkeEquations = 768;

enum class PivotMethod : uint8_t {
  kBlocksFirst = 0,
  kLemkeAlone = 1,
};

struct PivotLimits {
  double tolerance = 1e-10;    // residual to reach (mlcp.h), no unit
  int32_t max_pivots = 10000;  // of all kinds together
  PivotMethod method = PivotMethod::kBlocksFirst;
  bool residual_history = false;
  // Asked before each pivot, and within a factorisation before its numbers; true ends them as their
  // limit would.
  std::function<bool()> stop = {};
};

enum class PivotOutcome : uint8_t {
  kSolved = 0,
  kPivotLimit = 1,
  kRay = 2,       // Lemke's method ended on a ray: there may be no solution
  kSingular = 3,  // equations that contradict or repeat each other
  kTooLarge = 4,  // more than kMaxLemkeRows or kMaxLemkeEquations, and no block pivots solved it
};

struct PivotReport {
  PivotOutcome outcome = PivotOutcome::kSolved;
  int32_t block_pivots = 0;   // factorisations that moved all rows
  int32_t single_pivots = 0;  // factorisations that moved one
  int32_t lemke_pivots = 0;
  double residual = 0.0;  // of the answer, ComputeResidual on the scaled problem
  // The best so far after each pivot, when asked for. On its way Lemke's method has no answer.
  std::vector<double> residual_history = {};

  int32_t pivot_count() const { return block_pivots + single_pivots + lemke_pivots; }
};

struct PivotAnswer {
  PivotReport report;
  Eigen::VectorXd z;  // the best met
};

// INVALID_ARGUMENT where the problem or the limits are not valid. Not solving is an answer.
// `start`, where it is as long as z: a guess, as of the step before. Block pivots begin from the
// sides that it stands at, and anew without it when they bring nothing.
absl::StatusOr<PivotAnswer> SolveByPivoting(const Mlcp& problem, const PivotLimits& limits,
                                            const Eigen::VectorXd& start = {});

}  // namespace talus::lcp
