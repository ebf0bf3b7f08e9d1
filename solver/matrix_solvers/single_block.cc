#include "solver/matrix_solvers/single_block.h"

#include <cmath>

#include "solver/base/check.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/block_steps.h"

namespace talus::matrix {
namespace {

constexpr double kBlockTolerance = 1e-15;  // beside what the residual is relative to
constexpr double kStickingTolerance = 1e-13;

// Whether it moves apart by itself: û lies in the dual of the law's cone. Under NCP û is u lifted
// by what friction takes off, so that only the normal velocity counts.
bool MovesApart(ContactLaw contact_law, const BlockLaw& law, const Wrench& velocity) {
  if (law.kind == BlockLawKind::kBounds) return ProjectBlock(law, -velocity).isZero(0.0);
  if (contact_law == ContactLaw::kNcp) return velocity[0] >= 0.0;
  return velocity[0] >= law.cone.sliding * velocity.segment<2>(1).norm() +
                            law.cone.spinning * std::abs(velocity[3]) +
                            law.cone.rolling * velocity.tail<2>().norm();
}

}  // namespace

SolvedBlock SolveSingleBlock(const MatrixProblem& problem, ContactLaw law) {
  TALUS_CHECK(problem.block_count() == 1);
  const Wrench start = problem.free_rows;
  // Then no impulse is the solution, whatever the units of a measure.
  if (MovesApart(law, problem.laws[0], start)) return {Wrench::Zero(), start, {}};
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
