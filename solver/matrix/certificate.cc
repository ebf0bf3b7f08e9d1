#include "solver/matrix/certificate.h"

#include <cmath>

#include "solver/matrix/immobile_rows.h"
#include "solver/matrix/scaled_problem.h"

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
  const double largest = block.lengths.cwiseProduct(w.cwiseAbs() * block.lengths).maxCoeff();
  block.step = largest > 0.0 ? 1.0 / largest : 1.0;
  return block;
}

// NaN stays, where std::max loses it.
double LargerOf(double a, double b) { return std::isnan(a) || a > b ? a : b; }

double Relative(double value, double scale) { return scale > 0.0 ? value / scale : value; }

// ‖γ − Π(γ − û)‖² of one block.
double SquaredViolation(const BlockLaw& law, ContactLaw contact_law, const Wrench& impulse,
                        const Wrench& velocity) {
  const Wrench moved = impulse - PairedVelocity(contact_law, law, velocity);
  return (impulse - ProjectBlock(law, moved)).squaredNorm();
}

}  // namespace

void CertificateSums::Add(const CertificateSums& other) {
  scaled_violation += other.scaled_violation;
  scaled_free += other.scaled_free;
  scaled_impulse += other.scaled_impulse;
  worst_violation = LargerOf(worst_violation, other.worst_violation);
  worst_driving = LargerOf(worst_driving, other.worst_driving);
  violation += other.violation;
  free += other.free;
  impulse += other.impulse;
}

Certificate CertificateSums::ToCertificate() const {
  const double scale = scaled_free > 0.0 ? scaled_free : scaled_impulse;
  return {Relative(std::sqrt(scaled_violation), std::sqrt(scale)),
          Relative(worst_violation, worst_driving),
          Relative(std::sqrt(violation), std::sqrt(LargerOf(free, impulse)))};
}

CertificateSums MeasureBlock(const BlockLaw& law, const Matrix6& w, const Wrench& free_row,
                             ContactLaw contact_law, const Wrench& impulse,
                             const Wrench& velocity) {
  const Wrench steps = MeasuringSteps(law, ScaleBlock(law, w).steps);
  const BlockLaw scaled_law = ScaleLaw(law, steps);
  const Wrench scaled_impulse = impulse.cwiseQuotient(steps);
  const LevelBlock level = LevelOut(law, w);
  const Wrench gamma = impulse.cwiseQuotient(level.lengths);
  const Wrench u = level.step * velocity.cwiseProduct(level.lengths);
  return {
      .scaled_violation =
          SquaredViolation(scaled_law, contact_law, scaled_impulse, steps.cwiseProduct(velocity)),
      .scaled_free = ProjectBlock(scaled_law, -steps.cwiseProduct(free_row)).squaredNorm(),
      .scaled_impulse = scaled_impulse.squaredNorm(),
      .worst_violation = std::sqrt(SquaredViolation(level.law, contact_law, gamma, u)) / level.step,
      .worst_driving = free_row.cwiseProduct(level.lengths).norm(),
      .violation = SquaredViolation(law, contact_law, impulse, velocity),
      .free = free_row.squaredNorm(),
      .impulse = impulse.squaredNorm()};
}

Certificate Certify(const MatrixProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse) {
  return Certify(problem, law, impulse, ComputeVelocity(problem, impulse));
}

Certificate Certify(const MatrixProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse,
                    const Eigen::VectorXd& velocity) {
  CertificateSums sums;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    Matrix6 w = problem.delassus.Diagonal(i);
    w.diagonal() += problem.compliance.segment<6>(at);
    sums.Add(MeasureBlock(problem.laws[i], w, problem.free_rows.segment<6>(at), law,
                          impulse.segment<6>(at), velocity.segment<6>(at)));
  }
  return sums.ToCertificate();
}

double WorstOf(const Certificate& certificate) {
  return LargerOf(LargerOf(certificate.residual, certificate.worst_contact_residual),
                  certificate.siconos_error);
}

}  // namespace talus
