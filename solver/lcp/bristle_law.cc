#include "solver/lcp/bristle_law.h"

#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus::lcp {
namespace {

// m. E = 1/(k_t ρ² h²) is then 10¹³⁵ at most with the stiffnesses and time steps that there are
// (base/limits.h), and E γ_old with what a contact carries is finite as well.
constexpr double kLeastArm = 1e-60;

absl::Status CheckSettings(const BristleSettings& settings) {
  for (const auto& [name, value] : {std::pair<const char*, double>{"stiffness", settings.stiffness},
                                    {"slip_threshold", settings.slip_threshold},
                                    {"time_step_s", settings.time_step_s}}) {
    if (value > 0.0 && std::isfinite(value)) continue;
    return FieldError(name, FormatValue(value), "must be finite and > 0");
  }
  return absl::OkStatus();
}

absl::Status CheckImpulses(const Eigen::VectorXd& impulse, Eigen::Index rows) {
  if (impulse.size() != rows) {
    return FieldError("old_impulse.size", FormatValue(int64_t{impulse.size()}),
                      absl::StrCat("must be ", rows));
  }
  if (impulse.allFinite()) return absl::OkStatus();
  return FieldError("old_impulse", "a number that is not finite", "must be finite");
}

// One friction part of a contact, and what it did in the last step.
struct BristlePart {
  FrictionPart part;
  double compliance = 0.0;  // 1/(k h²)
  Wrench old_impulse;
  Wrench predicted_velocity;
  bool slips = false;
};

void AddAxis(size_t block, int32_t normal, const BristlePart& bristles, const Wrench& axis,
             double bound, ContactMlcpBuilder& builder) {
  if (bound == 0.0) return;
  builder.AddImpulse(block, axis,
                     {.lower = -bound,
                      .upper = bound,
                      .coupled_to = normal,
                      .compliance = bristles.compliance,
                      .bias = -bristles.compliance * axis.dot(bristles.old_impulse)});
}

void AddBristles(size_t block, int32_t normal, const BristlePart& bristles,
                 ContactMlcpBuilder& builder) {
  const FrictionPart& part = bristles.part;
  if (part.count == 1) {
    AddAxis(block, normal, bristles, Wrench::Unit(part.first), part.coefficient, builder);
    return;
  }
  const Wrench& along = bristles.slips ? bristles.predicted_velocity : bristles.old_impulse;
  const double x = along[part.first];
  const double y = along[part.first + 1];
  const double length = std::hypot(x, y);
  Wrench first = Wrench::Unit(part.first);
  Wrench second = Wrench::Unit(part.first + 1);
  if (length >= std::numeric_limits<double>::min()) {
    first = (x * Wrench::Unit(part.first) + y * Wrench::Unit(part.first + 1)) / length;
    second = (x * Wrench::Unit(part.first + 1) - y * Wrench::Unit(part.first)) / length;
  }
  AddAxis(block, normal, bristles, first, part.coefficient, builder);
  AddAxis(block, normal, bristles, second, bristles.slips ? 0.0 : part.coefficient, builder);
}

}  // namespace

absl::StatusOr<ContactMlcp> AssembleBristleLaw(const MatrixProblem& problem,
                                               const BristleSettings& settings,
                                               const Eigen::VectorXd& old_impulse) {
  TALUS_RETURN_IF_ERROR(CheckSettings(settings));
  TALUS_RETURN_IF_ERROR(CheckImpulses(old_impulse, problem.row_count()));
  const double h_squared = settings.time_step_s * settings.time_step_s;
  ContactMlcpBuilder builder(problem);
  for (size_t block = 0; block < problem.block_count(); ++block) {
    const BlockLaw& law = problem.laws[block];
    if (law.kind == BlockLawKind::kBounds) {
      builder.AddBounds(block);
      continue;
    }
    const auto at = 6 * static_cast<Eigen::Index>(block);
    const Wrench predicted =
        problem.delassus.MultiplyRow(block, old_impulse) + problem.free_rows.segment<6>(at);
    const int32_t normal = builder.AddNormal(block);
    for (const FrictionPart& part : FrictionParts(law.cone)) {
      const double arm = part.first == 1 ? 1.0 : part.coefficient;
      if (arm < kLeastArm) continue;
      // Spinning has one axis, along which it always acts.
      const double speed = part.count == 1
                               ? 0.0
                               : arm * std::hypot(predicted[part.first], predicted[part.first + 1]);
      AddBristles(block, normal,
                  {.part = part,
                   .compliance = 1.0 / (settings.stiffness * arm * arm * h_squared),
                   .old_impulse = old_impulse.segment<6>(at),
                   .predicted_velocity = predicted,
                   .slips = speed > settings.slip_threshold},
                  builder);
    }
  }
  return builder.Finish();
}

}  // namespace talus::lcp
