#include "solver/matrix/scaled_problem.h"

#include <cmath>

namespace talus {
namespace {

double InverseRoot(double value) { return value > 0.0 ? 1.0 / std::sqrt(value) : 0.0; }

Wrench StepsOf(const BlockLaw& law, const Matrix6& diagonal) {
  Wrench steps;
  if (law.kind == BlockLawKind::kBounds) {
    for (int row = 0; row < 6; ++row) steps[row] = InverseRoot(diagonal(row, row));
    return steps;
  }
  steps[0] = InverseRoot(diagonal(0, 0));
  steps[1] = steps[2] = InverseRoot(0.5 * (diagonal(1, 1) + diagonal(2, 2)));
  steps[3] = InverseRoot(diagonal(3, 3));
  steps[4] = steps[5] = InverseRoot(0.5 * (diagonal(4, 4) + diagonal(5, 5)));
  return steps;
}

double Quotient(double value, double step) { return step > 0.0 ? value / step : 0.0; }

void AddVelocities(const VelocityForm& velocities, ScaledProblem& scaled) {
  ScaledVelocities& form = scaled.velocities.emplace();
  form.mass = velocities.mass;
  form.directions = velocities.directions * scaled.steps.asDiagonal();
  form.directions_transposed = form.directions.transpose();
  // Each block has an arm at least, and each arm costs two products.
  const size_t stored = scaled.delassus.stored_count();
  if (2 * scaled.block_count() >= stored) return;
  scaled.bodies = BodyForm::Make(form, scaled.compliance);
  if (scaled.bodies && scaled.bodies->product_count() >= stored) scaled.bodies.reset();
}

}  // namespace

BlockLaw ScaleLaw(BlockLaw law, const Wrench& steps) {
  if (law.kind == BlockLawKind::kBounds) {
    for (int row = 0; row < 6; ++row) {
      law.lower[row] = Quotient(law.lower[row], steps[row]);
      law.upper[row] = Quotient(law.upper[row], steps[row]);
    }
    return law;
  }
  law.cone.sliding *= Quotient(steps[0], steps[1]);
  law.cone.spinning *= Quotient(steps[0], steps[3]);
  law.cone.rolling *= Quotient(steps[0], steps[4]);
  return law;
}

ScaledBlock ScaleBlock(const BlockLaw& law, const Matrix6& diagonal) {
  const Wrench steps = StepsOf(law, diagonal);
  return {steps, ScaleLaw(law, steps)};
}

ScaledProblem ScaleProblem(const MatrixProblem& problem) {
  ScaledProblem scaled;
  scaled.steps.resize(problem.row_count());
  scaled.laws.reserve(problem.block_count());
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    Matrix6 diagonal = problem.delassus.Diagonal(i);
    diagonal.diagonal() += problem.compliance.segment<6>(at);
    const ScaledBlock block = ScaleBlock(problem.laws[i], diagonal);
    scaled.steps.segment<6>(at) = block.steps;
    scaled.laws.push_back(block.law);
  }
  scaled.delassus = {problem.delassus, problem.compliance, scaled.steps};
  scaled.free_rows = scaled.steps.cwiseProduct(problem.free_rows);
  scaled.compliance = scaled.steps.cwiseAbs2().cwiseProduct(problem.compliance);
  // Where no block touches another there is nothing to go through bodies for.
  if (problem.velocities && scaled.delassus.stored_count() > problem.block_count()) {
    AddVelocities(*problem.velocities, scaled);
  }
  scaled.free_scale = ProjectBlocks(scaled, -scaled.free_rows).norm();
  return scaled;
}

Eigen::VectorXd MultiplyDelassus(const ScaledProblem& problem, const Eigen::VectorXd& impulse) {
  return problem.bodies ? problem.bodies->Multiply(impulse)
                        : problem.delassus.whole().Multiply(impulse);
}

Wrench ProjectBlock(const BlockLaw& law, const Wrench& impulse) {
  if (law.kind == BlockLawKind::kContact) return ProjectToCone(law.cone, impulse);
  return impulse.cwiseMax(law.lower).cwiseMin(law.upper);
}

Eigen::VectorXd ProjectBlocks(const ScaledProblem& problem, Eigen::VectorXd impulse) {
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const Wrench block = impulse.segment<6>(at);
    impulse.segment<6>(at) = ProjectBlock(problem.laws[i], block);
  }
  return impulse;
}

Wrench PairedVelocity(ContactLaw contact_law, const BlockLaw& law, const Wrench& velocity) {
  if (law.kind == BlockLawKind::kBounds) return velocity;
  return LawVelocity(contact_law, law.cone, velocity);
}

double ComputeResidual(const ScaledProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse,
                       const Eigen::VectorXd& velocity) {
  double violation = 0.0;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const Wrench gamma = impulse.segment<6>(at);
    const Wrench paired = PairedVelocity(law, problem.laws[i], velocity.segment<6>(at));
    violation += (gamma - ProjectBlock(problem.laws[i], gamma - paired)).squaredNorm();
  }
  if (violation == 0.0) return 0.0;
  const double scale = problem.free_scale > 0.0 ? problem.free_scale : impulse.norm();
  return std::sqrt(violation) / scale;
}

}  // namespace talus
