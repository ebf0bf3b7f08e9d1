#include "solver/matrix/certificate.h"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

// A block in the units of its normal row: torques over ℓ_c, turning times ℓ_c.
struct LevelBlock {
  Wrench lengths;     // 1, or ℓ_c: γ = lengths γ̃, ũ = lengths u
  BlockLaw law;       // of γ̃
  double step = 0.0;  // ρ_c
};

LevelBlock LevelOut(const BlockLaw& law, const Matrix6& w) {
  LevelBlock block{Wrench::Ones(), law, 0.0};
  const double turning = 0.5 * (w(4, 4) + w(5, 5));
  const double length = turning > 0.0 ? std::sqrt(w(0, 0) / turning) : 1.0;
  if (law.kind == BlockLawKind::kContact) {
    block.lengths.tail<3>().setConstant(length);
    block.law.cone.spinning /= length;
    block.law.cone.rolling /= length;
  }
  const Matrix6 level = block.lengths.asDiagonal() * w * block.lengths.asDiagonal();
  const double largest = level.cwiseAbs().rowwise().sum().maxCoeff();
  block.step = largest > 0.0 ? 1.0 / largest : 0.0;
  return block;
}

double Relative(double value, double scale) { return scale > 0.0 ? value / scale : value; }

// What η compares: by how much the block misses its law, and what drives it.
struct LevelMeasures {
  double violation = 0.0;
  double driving = 0.0;
};

LevelMeasures MeasureLevel(const BlockLaw& law, const Matrix6& w, const Wrench& free_row,
                           ContactLaw contact_law, const Wrench& impulse, const Wrench& velocity) {
  const LevelBlock block = LevelOut(law, w);
  const Wrench gamma = impulse.cwiseQuotient(block.lengths);
  const Wrench u = velocity.cwiseProduct(block.lengths);
  const Wrench moved = gamma - block.step * PairedVelocity(contact_law, block.law, u);
  return {(gamma - ProjectBlock(block.law, moved)).norm() / block.step,
          free_row.cwiseProduct(block.lengths).norm()};
}

// ‖γ − Π(γ − û)‖² of one block.
double SquaredViolation(const BlockLaw& law, ContactLaw contact_law, const Wrench& impulse,
                        const Wrench& velocity) {
  const Wrench moved = impulse - PairedVelocity(contact_law, law, velocity);
  return (impulse - ProjectBlock(law, moved)).squaredNorm();
}

double WorstContactResidual(const MatrixProblem& problem, ContactLaw law,
                            const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  double worst = 0.0;
  double driving = 0.0;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    Matrix6 w = problem.delassus.Diagonal(i);
    w.diagonal() += problem.compliance.segment<6>(at);
    const LevelMeasures level = MeasureLevel(problem.laws[i], w, problem.free_rows.segment<6>(at),
                                             law, impulse.segment<6>(at), velocity.segment<6>(at));
    worst = std::max(worst, level.violation);
    driving = std::max(driving, level.driving);
  }
  return Relative(worst, driving);
}

double SiconosError(const MatrixProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse,
                    const Eigen::VectorXd& velocity) {
  double sum = 0.0;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    sum += SquaredViolation(problem.laws[i], law, impulse.segment<6>(at), velocity.segment<6>(at));
  }
  return Relative(std::sqrt(sum), std::max(problem.free_rows.norm(), impulse.norm()));
}

}  // namespace

Certificate Certify(const MatrixProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse) {
  return Certify(problem, ScaleProblem(problem), law, impulse, ComputeVelocity(problem, impulse));
}

Certificate Certify(const MatrixProblem& problem, const ScaledProblem& scaled, ContactLaw law,
                    const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  Eigen::VectorXd scaled_impulse = Eigen::VectorXd::Zero(impulse.size());
  for (Eigen::Index row = 0; row < impulse.size(); ++row) {
    if (scaled.steps[row] > 0.0) scaled_impulse[row] = impulse[row] / scaled.steps[row];
  }
  return {ComputeResidual(scaled, law, scaled_impulse, scaled.steps.cwiseProduct(velocity)),
          WorstContactResidual(problem, law, impulse, velocity),
          SiconosError(problem, law, impulse, velocity)};
}

Certificate CertifyBlock(const BlockLaw& law, const Matrix6& w, const Wrench& free_row,
                         ContactLaw contact_law, const Wrench& impulse) {
  const Wrench velocity = w * impulse + free_row;
  const ScaledBlock scaled = ScaleBlock(law, w);
  Wrench scaled_impulse = Wrench::Zero();
  for (int row = 0; row < 6; ++row) {
    if (scaled.steps[row] > 0.0) scaled_impulse[row] = impulse[row] / scaled.steps[row];
  }
  const double violation = std::sqrt(SquaredViolation(scaled.law, contact_law, scaled_impulse,
                                                      scaled.steps.cwiseProduct(velocity)));
  const double free_scale = ProjectBlock(scaled.law, -scaled.steps.cwiseProduct(free_row)).norm();
  const LevelMeasures level = MeasureLevel(law, w, free_row, contact_law, impulse, velocity);
  const double raw = std::sqrt(SquaredViolation(law, contact_law, impulse, velocity));
  return {Relative(violation, free_scale > 0.0 ? free_scale : scaled_impulse.norm()),
          Relative(level.violation, level.driving),
          Relative(raw, std::max(free_row.norm(), impulse.norm()))};
}

double WorstOf(const Certificate& certificate) {
  return std::max(
      {certificate.residual, certificate.worst_contact_residual, certificate.siconos_error});
}

}  // namespace talus
