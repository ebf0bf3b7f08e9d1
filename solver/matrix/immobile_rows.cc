#include "solver/matrix/immobile_rows.h"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

// Of a part of a contact: its rows, and what its friction allows beside the normal impulse.
struct ContactPart {
  int row;
  int count;
  double FrictionCone::*coefficient;
};
constexpr ContactPart kContactParts[] = {{1, 2, &FrictionCone::sliding},
                                         {3, 1, &FrictionCone::spinning},
                                         {4, 2, &FrictionCone::rolling}};

// The bound that a row of such velocity asks for.
double AskedBound(double lower, double upper, double velocity) {
  if (velocity == 0.0) return std::clamp(0.0, lower, upper);
  return velocity > 0.0 ? lower : upper;
}

}  // namespace

Wrench MeasuringSteps(const BlockLaw& law, const Wrench& steps) {
  double others = law.kind == BlockLawKind::kContact ? steps[0] : steps.maxCoeff();
  if (!(others > 0.0)) others = 1.0;
  return (steps.array() > 0.0).select(steps.array(), others).matrix();
}

Wrench MobileFreeRow(ContactLaw contact_law, const BlockLaw& law, const Wrench& steps,
                     const Wrench& free_row) {
  Wrench mobile = (steps.array() > 0.0).select(free_row.array(), 0.0).matrix();
  if (law.kind == BlockLawKind::kBounds || contact_law == ContactLaw::kNcp) return mobile;
  mobile[0] -= DeSaxceShift(law.cone, free_row - mobile);
  return mobile;
}

Wrench CompleteImpulse(const BlockLaw& law, const Wrench& steps, const Wrench& free_row,
                       Wrench impulse) {
  if (law.kind == BlockLawKind::kBounds) {
    for (int row = 0; row < 6; ++row) {
      if (steps[row] > 0.0) continue;
      const double bound = AskedBound(law.lower[row], law.upper[row], free_row[row]);
      impulse[row] = std::isfinite(bound) ? bound : std::clamp(0.0, law.lower[row], law.upper[row]);
    }
    return impulse;
  }
  for (const ContactPart& part : kContactParts) {
    if (steps[part.row] > 0.0) continue;
    const auto velocity = free_row.segment(part.row, part.count);
    const double speed = velocity.norm();
    const double bound = law.cone.*part.coefficient * std::max(impulse[0], 0.0);
    impulse.segment(part.row, part.count) = velocity * (speed > 0.0 ? -bound / speed : 0.0);
  }
  return impulse;
}

void LeaveOutImmobileRows(const MatrixProblem& problem, ContactLaw contact_law,
                          ScaledProblem& scaled) {
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const Wrench steps = scaled.steps.segment<6>(FirstRow(i));
    if (!HasImmobileRows(steps)) continue;
    scaled.free_rows.segment<6>(FirstRow(i)) = steps.cwiseProduct(MobileFreeRow(
        contact_law, problem.laws[i], steps, problem.free_rows.segment<6>(FirstRow(i))));
  }
  if (scaled.free_scale > 0.0) return;
  // Then what those rows lift is all that drives it.
  double squares = 0.0;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const Wrench steps = MeasuringSteps(problem.laws[i], scaled.steps.segment<6>(FirstRow(i)));
    const Wrench row = steps.cwiseProduct(problem.free_rows.segment<6>(FirstRow(i)));
    squares += ProjectBlock(ScaleLaw(problem.laws[i], steps), -row).squaredNorm();
  }
  scaled.free_scale = std::sqrt(squares);
}

Eigen::VectorXd CompleteImpulses(const MatrixProblem& problem, const ScaledProblem& scaled,
                                 Eigen::VectorXd impulse) {
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const Wrench steps = scaled.steps.segment<6>(FirstRow(i));
    if (!HasImmobileRows(steps)) continue;
    const Wrench completed =
        CompleteImpulse(problem.laws[i], steps, problem.free_rows.segment<6>(FirstRow(i)),
                        impulse.segment<6>(FirstRow(i)));
    impulse.segment<6>(FirstRow(i)) = completed;
  }
  return impulse;
}

}  // namespace talus
