#include "solver/matrix_solvers/separate_blocks.h"

#include <cmath>

#include "solver/base/check.h"
#include "solver/matrix/immobile_rows.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/block_steps.h"

namespace talus::matrix {
namespace {

constexpr double kBlockTolerance = 1e-15;  // beside what the residual is relative to
constexpr double kStickingTolerance = 1e-13;
constexpr size_t kBlocksBetweenStops = 64;

// Whether it moves apart by itself: û lies in the dual of the law's cone. Under NCP û is u lifted
// by what friction takes off, so that only the normal velocity counts.
bool MovesApart(ContactLaw contact_law, const BlockLaw& law, const Wrench& velocity) {
  if (law.kind == BlockLawKind::kBounds) return ProjectBlock(law, -velocity).isZero(0.0);
  if (contact_law == ContactLaw::kNcp) return velocity[0] >= 0.0;
  return velocity[0] >= law.cone.sliding * velocity.segment<2>(1).norm() +
                            law.cone.spinning * std::abs(velocity[3]) +
                            law.cone.rolling * velocity.tail<2>().norm();
}

bool AllMoveApart(const MatrixProblem& problem, ContactLaw law) {
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    if (!MovesApart(law, problem.laws[i], problem.free_rows.segment<6>(at))) return false;
  }
  return true;
}

struct SolvedBlock {
  Wrench impulse;
  Wrench velocity;
  CertificateSums sums;
};

SolvedBlock SolveOne(const BlockLaw& law, const Matrix6& w, const Wrench& start,
                     ContactLaw contact_law) {
  const auto measure = [&](const Wrench& impulse) {
    const Wrench velocity = w * impulse + start;
    return SolvedBlock{impulse, velocity,
                       MeasureBlock(law, w, start, contact_law, impulse, velocity)};
  };
  if (MovesApart(contact_law, law, start)) return measure(Wrench::Zero());
  const ScaledBlock scaled = ScaleBlock(law, w);
  const bool immobile = HasImmobileRows(scaled.steps);
  const auto describe = [&](const Wrench& mobile) {
    return measure(immobile ? CompleteImpulse(law, scaled.steps, start, mobile) : mobile);
  };
  const Wrench mobile_start =
      immobile ? MobileFreeRow(contact_law, law, scaled.steps, start) : start;
  // Most contacts stick, and that takes one factorisation; a nearly singular one is left to what
  // follows.
  if (const auto sticking = StickingImpulse(law, w, mobile_start)) {
    const SolvedBlock block = describe(*sticking);
    if (WorstOf(block.sums.ToCertificate()) <= kStickingTolerance) return block;
  }
  const Matrix6 scaled_w = scaled.steps.asDiagonal() * w * scaled.steps.asDiagonal();
  const Wrench scaled_row = scaled.steps.cwiseProduct(mobile_start);
  const double free_scale = ProjectBlock(scaled.law, -scaled_row).norm();
  const Wrench solved = SolveBlock(contact_law, scaled.law, scaled_w, kBlockTolerance * free_scale,
                                   Wrench::Zero(), scaled_row);
  return describe(solved.cwiseProduct(scaled.steps));
}

}  // namespace

bool AreSeparate(const MatrixProblem& problem) {
  return problem.delassus.stored_count() == problem.block_count();
}

std::optional<SeparateSolution> SolveSeparateBlocks(const MatrixProblem& problem, ContactLaw law,
                                                    const std::function<bool()>& stop) {
  TALUS_CHECK(AreSeparate(problem));
  // Then no impulse is the solution, whatever the units of a measure.
  if (AllMoveApart(problem, law)) {
    return SeparateSolution{Eigen::VectorXd::Zero(problem.row_count()), problem.free_rows, {}};
  }
  SeparateSolution solution;
  solution.impulse.resize(problem.row_count());
  solution.velocity.resize(problem.row_count());
  CertificateSums sums;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    if (stop && i % kBlocksBetweenStops == 0 && stop()) return std::nullopt;
    const auto at = 6 * static_cast<Eigen::Index>(i);
    Matrix6 w = problem.delassus.Diagonal(i);
    w.diagonal() += problem.compliance.segment<6>(at);
    const SolvedBlock block = SolveOne(problem.laws[i], w, problem.free_rows.segment<6>(at), law);
    solution.impulse.segment<6>(at) = block.impulse;
    solution.velocity.segment<6>(at) = block.velocity;
    sums.Add(block.sums);
  }
  solution.certificate = sums.ToCertificate();
  return solution;
}

}  // namespace talus::matrix
