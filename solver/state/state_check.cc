#include "solver/state/state_check.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"
#include "solver/scene/validate.h"

namespace talus {
namespace {

// A counter of steps up to here is exact as a double.
constexpr int64_t kMaxCounter = int64_t{1} << 53;

// A container's boxes may be larger than any box a user may give.
constexpr double kMaxExpandedSizeM = 4.0 * kMaxSizeM;

bool IsWithin(const Vec3& value, double limit) {
  return std::abs(value.x()) <= limit && std::abs(value.y()) <= limit &&
         std::abs(value.z()) <= limit;
}
bool IsUnit(double norm) { return std::abs(norm - 1.0) <= kUnitTolerance; }

bool IsShape(const ShapeRow& shape, bool dynamic, size_t material_count) {
  if (shape.material >= material_count) return false;
  if (!IsWithin(shape.pose_body.position, kMaxExpandedSizeM)) return false;
  if (!IsUnit(shape.pose_body.orientation.norm())) return false;
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) {
    return sphere->radius_m >= kMinSizeM && sphere->radius_m <= kMaxSizeM;
  }
  if (const auto* box = std::get_if<Box>(&shape.geometry)) {
    return box->half_extents_m.minCoeff() >= 0.5 * kMinSizeM &&
           IsWithin(box->half_extents_m, kMaxExpandedSizeM);
  }
  return !dynamic && IsUnit(std::get<Plane>(shape.geometry).normal.norm());
}

// Positive and with an inverse that is finite; what the principal moments are was checked when the
// body came in, and any positive definite tensor steps safely.
bool IsInertia(const Mat3& inertia) {
  if (!(inertia.cwiseAbs().maxCoeff() <= 1e30) || !(inertia.diagonal().minCoeff() > 0.0)) {
    return false;
  }
  const Mat3 inverse = inertia.inverse();
  return inertia.determinant() > 0.0 && inverse.allFinite() && inverse.diagonal().minCoeff() > 0.0;
}

bool IsMotion(const BodyRow& row) {
  if (!IsWithin(row.pose_world.position, kMaxStatePositionM)) return false;
  if (!IsUnit(row.pose_world.orientation.norm())) return false;
  if (!IsWithin(row.linear_velocity, kMaxStateSpeedMS)) return false;
  if (!IsWithin(row.angular_velocity, kMaxStateAngularSpeedRadS)) return false;
  return row.kind != BodyKind::kStatic ||
         (row.linear_velocity.isZero(0.0) && row.angular_velocity.isZero(0.0));
}

bool IsMass(const BodyRow& row) {
  if (row.kind != BodyKind::kDynamic) return row.mass == 0.0 && row.inertia_body.isZero(0.0);
  return row.mass >= kMinMassKg && row.mass <= kMaxMassKg && IsInertia(row.inertia_body);
}

// Before the first step comes what was added before a scene's time was put back.
constexpr int64_t kMostSteps = int64_t{1} << 53;

absl::Status CheckEmitters(const SceneState& state) {
  std::vector<EmitterDef> defs;
  for (const EmitterState& emitter : state.emitters) {
    defs.push_back(emitter.def);
    if (!IsUnit(emitter.def.axis_world.norm()) || emitter.material >= state.materials.size() ||
        emitter.added_step < -kMostSteps || emitter.added_step > state.step_index ||
        emitter.emitted_count < 0 || emitter.emitted_count > emitter.def.particle_count) {
      return absl::InvalidArgumentError("an emitter's state is out of bounds");
    }
  }
  const NameTest none = [](std::string_view) { return false; };
  return ValidateEmitters(defs, none, none);
}

// Only what is dynamic and without motion sleeps, and nobody counts beyond what sleep takes.
absl::Status CheckSleep(const SceneState& state) {
  const BodyStore& bodies = state.bodies;
  uint32_t most = 0;
  if (state.settings.sleep.has_value()) {
    most = CountStillSteps(*state.settings.sleep, state.settings.time_step_s);
  }
  for (size_t row = 0; row < bodies.size(); ++row) {
    const uint32_t still_steps = bodies.still_steps()[row];
    const bool at_rest =
        bodies.linear_velocities()[row].isZero(0.0) && bodies.angular_velocities()[row].isZero(0.0);
    const bool possible =
        still_steps == 0 || (bodies.kinds()[row] == BodyKind::kDynamic &&
                             (still_steps <= most || (bodies.asleep(row) && most > 0 && at_rest)));
    if (possible) continue;
    return absl::InvalidArgumentError("body " + std::to_string(ToInteger(bodies.ids()[row])) +
                                      ": its sleep is none a body can be in");
  }
  return absl::OkStatus();
}

absl::Status CheckElasticity(const SceneState& state) {
  if (!state.materials.elastic()) return absl::OkStatus();
  std::vector<NamedMaterial> materials;
  for (size_t row = 0; row < state.materials.size(); ++row) {
    materials.push_back(state.materials[row]);
  }
  std::vector<MaterialPair> pairs;
  for (const PairedMaterial& pair : state.materials.pairs()) {
    pairs.push_back({"", "", pair.material});
  }
  return ValidateElasticity(materials, pairs, {}, state.settings.solver);
}

}  // namespace

absl::Status CheckBodyRow(BodyId id, const BodyRow& row, size_t material_count,
                          const BodyStore& bodies) {
  const std::string body = "body " + std::to_string(ToInteger(id));
  if (ToInteger(id) < bodies.next_id() || ToInteger(id) >= kMaxBodyId) {
    return absl::InvalidArgumentError(body + ": ids must grow");
  }
  if (row.kind > BodyKind::kKinematic) return absl::InvalidArgumentError(body + ": unknown kind");
  if (!row.name.empty()) {
    TALUS_RETURN_IF_ERROR(CheckName(FieldPath("name"), row.name));
    if (bodies.FindRow(row.name).has_value()) {
      return absl::InvalidArgumentError(body + ": its name is taken");
    }
  }
  const bool shapes_ok = std::all_of(row.shapes.begin(), row.shapes.end(), [&](const auto& s) {
    return IsShape(s, row.kind == BodyKind::kDynamic, material_count);
  });
  if (!shapes_ok) return absl::InvalidArgumentError(body + ": a shape is out of bounds");
  if (!IsMotion(row)) return absl::InvalidArgumentError(body + ": its motion is out of bounds");
  if (!IsMass(row)) return absl::InvalidArgumentError(body + ": its mass is out of bounds");
  return absl::OkStatus();
}

absl::Status CheckSceneState(const SceneState& state) {
  TALUS_RETURN_IF_ERROR(ValidateSettings(state.settings));
  if (state.settings.solver.solver == SolverKind::kLawDefault) {
    return absl::InvalidArgumentError("the solver is not resolved");
  }
  if (state.domain.has_value()) TALUS_RETURN_IF_ERROR(ValidateDomain(*state.domain));
  if (state.step_index < 0 || state.step_index > kMaxCounter || state.layout_version < 1 ||
      state.layout_version > kMaxCounter) {
    return absl::InvalidArgumentError("a counter is out of bounds");
  }
  const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (!std::all_of(state.fault.begin(), state.fault.end(), printable)) {
    return absl::InvalidArgumentError("the fault is no text");
  }
  TALUS_RETURN_IF_ERROR(CheckElasticity(state));
  TALUS_RETURN_IF_ERROR(CheckSleep(state));
  return CheckEmitters(state);
}

}  // namespace talus
