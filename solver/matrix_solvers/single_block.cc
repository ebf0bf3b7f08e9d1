#include "solver/matrix_solvers/single_block.h"

#include <Eigen/Dense>
#include <optional>

#include "solver/base/check.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/block_steps.h"

namespace talus::matrix {
namespace {

constexpr double kBlockTolerance = 1e-15;  // beside what the residual is relative to
constexpr double kStickingTolerance = 1e-13;

// What keeps a contact from moving at all, W γ + q = 0, where its cone allows that much.
std::optional<Wrench> StickingImpulse(const BlockLaw& law, Matrix6 w, const Wrench& start) {
  if (law.kind == BlockLawKind::kBounds) return std::nullopt;
  // A row without any mobility, as where nothing can spin, does not move by itself.
  for (int row = 0; row < 6; ++row) {
    if (w(row, row) == 0.0) w(row, row) = 1.0;
  }
  const Eigen::LLT<Matrix6> factor(w);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Wrench impulse = -factor.solve(start);
  if (ProjectBlock(law, impulse) != impulse) return std::nullopt;
  return impulse;
}

}  // namespace

SolvedBlock SolveSingleBlock(const MatrixProblem& problem, ContactLaw law) {
  TALUS_CHECK(problem.block_count() == 1);
  const Wrench start = problem.free_rows;
  if (ProjectBlock(problem.laws[0], -PairedVelocity(law, problem.laws[0], start)).isZero(0.0)) {
    // It moves apart by itself: no impulse is the solution, whatever the units of a measure.
    return {Wrench::Zero(), start, {}};
  }
  Matrix6 w = problem.delassus.Diagonal(0);
  w.diagonal() += problem.compliance;
  const auto certify = [&](const Wrench& impulse) {
    return SolvedBlock{impulse, w * impulse + start,
                       CertifyBlock(problem.laws[0], w, start, law, impulse)};
  };
  // Most contacts stick, and that takes one factorisation; a nearly singular one is left to what
  // follows.
  if (const auto sticking = StickingImpulse(problem.laws[0], w, start)) {
    const SolvedBlock block = certify(*sticking);
    if (WorstOf(block.certificate) <= kStickingTolerance) return block;
  }
  const ScaledBlock scaled = ScaleBlock(problem.laws[0], w);
  const Matrix6 scaled_w = scaled.steps.asDiagonal() * w * scaled.steps.asDiagonal();
  const Wrench scaled_row = scaled.steps.cwiseProduct(start);
  const double free_scale = ProjectBlock(scaled.law, -scaled_row).norm();
  const Wrench solved = SolveBlock(law, scaled.law, scaled_w, kBlockTolerance * free_scale,
                                   Wrench::Zero(), scaled_row);
  return certify(solved.cwiseProduct(scaled.steps));
}

}  // namespace talus::matrix
