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

double WorstContactResidual(const MatrixProblem& problem, ContactLaw law,
                            const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  double worst = 0.0;
  double driving = 0.0;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    Matrix6 w = problem.delassus.Diagonal(i);
    w.diagonal() += problem.compliance.segment<6>(at);
    const LevelBlock block = LevelOut(problem.laws[i], w);
    const Wrench gamma = impulse.segment<6>(at).cwiseQuotient(block.lengths);
    const Wrench u = velocity.segment<6>(at).cwiseProduct(block.lengths);
    const Wrench moved = gamma - block.step * PairedVelocity(law, block.law, u);
    worst = std::max(worst, (gamma - ProjectBlock(block.law, moved)).norm() / block.step);
    driving =
        std::max(driving, problem.free_rows.segment<6>(at).cwiseProduct(block.lengths).norm());
  }
  return driving > 0.0 ? worst / driving : worst;
}

double SiconosError(const MatrixProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse,
                    const Eigen::VectorXd& velocity) {
  double sum = 0.0;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const Wrench gamma = impulse.segment<6>(at);
    const Wrench paired = PairedVelocity(law, problem.laws[i], velocity.segment<6>(at));
    sum += (gamma - ProjectBlock(problem.laws[i], gamma - paired)).squaredNorm();
  }
  const double scale = std::max(problem.free_rows.norm(), impulse.norm());
  return std::sqrt(sum) / (scale > 0.0 ? scale : 1.0);
}

}  // namespace

Certificate Certify(const MatrixProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse) {
  return Certify(problem, ScaleProblem(problem), law, impulse);
}

Certificate Certify(const MatrixProblem& problem, const ScaledProblem& scaled, ContactLaw law,
                    const Eigen::VectorXd& impulse) {
  const Eigen::VectorXd velocity = ComputeVelocity(problem, impulse);
  Eigen::VectorXd scaled_impulse = Eigen::VectorXd::Zero(impulse.size());
  for (Eigen::Index row = 0; row < impulse.size(); ++row) {
    if (scaled.steps[row] > 0.0) scaled_impulse[row] = impulse[row] / scaled.steps[row];
  }
  return {ComputeResidual(scaled, law, scaled_impulse, scaled.steps.cwiseProduct(velocity)),
          WorstContactResidual(problem, law, impulse, velocity),
          SiconosError(problem, law, impulse, velocity)};
}

double WorstOf(const Certificate& certificate) {
  return std::max(
      {certificate.residual, certificate.worst_contact_residual, certificate.siconos_error});
}

}  // namespace talus
