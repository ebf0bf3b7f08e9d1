#include "solver/matrix_solvers/single_block.h"

#include "solver/base/check.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/block_steps.h"

namespace talus::matrix {
namespace {

constexpr double kBlockTolerance = 1e-15;  // beside what the residual is relative to

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
  const ScaledBlock scaled = ScaleBlock(problem.laws[0], w);
  const Matrix6 scaled_w = scaled.steps.asDiagonal() * w * scaled.steps.asDiagonal();
  const Wrench scaled_row = scaled.steps.cwiseProduct(start);
  const double free_scale = ProjectBlock(scaled.law, -scaled_row).norm();
  const Wrench solved = SolveBlock(law, scaled.law, scaled_w, kBlockTolerance * free_scale,
                                   Wrench::Zero(), scaled_row);
  SolvedBlock block;
  block.impulse = solved.cwiseProduct(scaled.steps);
  block.velocity = w * block.impulse + start;
  block.certificate = CertifyBlock(problem.laws[0], w, start, law, block.impulse);
  return block;
}

}  // namespace talus::matrix
