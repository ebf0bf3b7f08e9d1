#include "solver/scene/validate.h"

#include <map>
#include <set>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"

namespace talus {
namespace {

absl::Status ValidateEmitterPlace(const FieldPath& path, EmitterDef& emitter) {
  TALUS_RETURN_IF_ERROR(
      CheckMagnitude(FieldPath(path, "center_world_m"), emitter.center_world_m, kMaxPositionM));
  TALUS_RETURN_IF_ERROR(NormalizeDirection(FieldPath(path, "axis_world"), emitter.axis_world));
  TALUS_RETURN_IF_ERROR(
      CheckNotNegative(FieldPath(path, "nozzle_radius_m"), emitter.nozzle_radius_m, kMaxSizeM));
  return CheckNotNegative(FieldPath(path, "nozzle_height_m"), emitter.nozzle_height_m, kMaxSizeM);
}

absl::Status ValidateParticles(const FieldPath& path, const EmitterDef& emitter) {
  TALUS_RETURN_IF_ERROR(
      CheckPositive(FieldPath(path, "radius_min_m"), emitter.radius_min_m, kMinSizeM, kMaxSizeM));
  TALUS_RETURN_IF_ERROR(CheckRange(FieldPath(path, "radius_max_m"), emitter.radius_max_m,
                                   emitter.radius_min_m, kMaxSizeM));
  const FieldPath density(path, "density_kg_m3");
  TALUS_RETURN_IF_ERROR(
      CheckPositive(density, emitter.density_kg_m3, kMinDensityKgM3, kMaxDensityKgM3));
  ShapeDef ball;
  for (const double radius : {emitter.radius_min_m, emitter.radius_max_m}) {
    ball.geometry = Sphere{radius};
    const double mass = ComputeMassProperties({&ball, 1}, emitter.density_kg_m3).mass_kg;
    if (mass < kMinMassKg || mass > kMaxMassKg) {
      return FieldError(density.ToString(), FormatValue(emitter.density_kg_m3),
                        "must give particles a mass in [" + FormatValue(kMinMassKg) + ", " +
                            FormatValue(kMaxMassKg) + "] kg");
    }
  }
  return CheckMagnitude(FieldPath(path, "speed_m_s"), emitter.speed_m_s, kMaxSpeedMS);
}

absl::Status ValidateEmitter(const FieldPath& path, EmitterDef& emitter,
                             const NameTest& material_exists) {
  TALUS_RETURN_IF_ERROR(CheckName(FieldPath(path, "name"), emitter.name));
  TALUS_RETURN_IF_ERROR(ValidateEmitterPlace(path, emitter));
  TALUS_RETURN_IF_ERROR(CheckPositive(FieldPath(path, "rate_per_s"), emitter.rate_per_s,
                                      std::numeric_limits<double>::min(), kMaxRatePerS));
  TALUS_RETURN_IF_ERROR(
      CheckRange(FieldPath(path, "particle_count"), emitter.particle_count, 1, kMaxParticles));
  TALUS_RETURN_IF_ERROR(
      CheckNotNegative(FieldPath(path, "start_time_s"), emitter.start_time_s, kMaxStartTimeS));
  TALUS_RETURN_IF_ERROR(ValidateParticles(path, emitter));
  if (!emitter.material.empty() && !material_exists(emitter.material)) {
    return FieldError(FieldPath(path, "material").ToString(), FormatValue(emitter.material),
                      "must name a material of the scene");
  }
  return absl::OkStatus();
}

absl::Status RefuseDuplicate(const FieldPath& path, const std::string& name) {
  return FieldError(path.ToString(), FormatValue(name), "must be unique in the scene",
                    absl::StatusCode::kAlreadyExists);
}

absl::Status ValidateSleep(const FieldPath& path, const SleepSettings& sleep, const Vec3& gravity) {
  const FieldPath time(path, "time_s");
  TALUS_RETURN_IF_ERROR(CheckPositive(FieldPath(path, "speed_m_s"), sleep.speed_m_s,
                                      std::numeric_limits<double>::min(), kMaxSpeedMS));
  TALUS_RETURN_IF_ERROR(CheckRange(time, sleep.time_s, 0.0, kMaxSleepTimeS));
  if (gravity.isZero(0.0)) return absl::OkStatus();
  const double turning_time_s = 2.0 * sleep.speed_m_s / gravity.norm();
  if (sleep.time_s > turning_time_s) return absl::OkStatus();
  return FieldError(time.ToString(), FormatValue(sleep.time_s),
                    "must be > 2 speed_m_s / |gravity| = " + FormatValue(turning_time_s) +
                        ", the time a body that flies may be that slow");
}

}  // namespace

absl::Status ValidateEmitters(std::span<EmitterDef> emitters, const NameTest& emitter_exists,
                              const NameTest& material_exists) {
  if (emitters.size() > kMaxEmitters) {
    return FieldError("size(emitters)", FormatValue(uint64_t{emitters.size()}),
                      "must be <= " + FormatValue(uint64_t{kMaxEmitters}));
  }
  std::set<std::string_view> names;
  for (size_t index = 0; index < emitters.size(); ++index) {
    const FieldPath path("emitters", index);
    TALUS_RETURN_IF_ERROR(ValidateEmitter(path, emitters[index], material_exists));
    if (emitter_exists(emitters[index].name) || !names.insert(emitters[index].name).second) {
      return RefuseDuplicate(FieldPath(path, "name"), emitters[index].name);
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateSettings(const StepSettings& settings) {
  const FieldPath path("settings");
  TALUS_RETURN_IF_ERROR(CheckRange(FieldPath(path, "time_step_s"), settings.time_step_s,
                                   kMinTimeStepS, kMaxTimeStepS));
  TALUS_RETURN_IF_ERROR(CheckMagnitude(FieldPath(path, "gravity_world_m_s2"),
                                       settings.gravity_world_m_s2, kMaxAccelerationMS2));
  TALUS_RETURN_IF_ERROR(CheckRange(FieldPath(path, "theta"), settings.theta, 0.5, 1.0));
  TALUS_RETURN_IF_ERROR(CheckNotNegative(FieldPath(path, "recovery_speed_m_s"),
                                         settings.recovery_speed_m_s, kMaxSpeedMS));
  TALUS_RETURN_IF_ERROR(CheckNotNegative(FieldPath(path, "restitution_threshold_m_s"),
                                         settings.restitution_threshold_m_s, kMaxSpeedMS));
  TALUS_RETURN_IF_ERROR(ValidateSolver(settings.solver));
  if (!settings.sleep.has_value()) return absl::OkStatus();
  return ValidateSleep(FieldPath(path, "sleep"), *settings.sleep, settings.gravity_world_m_s2);
}

absl::Status ValidateDomain(const Domain& domain) {
  const FieldPath path("domain");
  const FieldPath max(path, "max_world_m");
  TALUS_RETURN_IF_ERROR(
      CheckMagnitude(FieldPath(path, "min_world_m"), domain.min_world_m, kMaxPositionM));
  TALUS_RETURN_IF_ERROR(CheckMagnitude(max, domain.max_world_m, kMaxPositionM));
  constexpr const char* kComponents[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    if (domain.max_world_m[axis] > domain.min_world_m[axis]) continue;
    return FieldError(FieldPath(max, kComponents[axis]).ToString(),
                      FormatValue(domain.max_world_m[axis]),
                      "must be > domain.min_world_m." + std::string(kComponents[axis]) + " = " +
                          FormatValue(domain.min_world_m[axis]));
  }
  return absl::OkStatus();
}

absl::Status ValidateScene(SceneDef& scene) {
  const NameTest none = [](std::string_view) { return false; };
  TALUS_RETURN_IF_ERROR(ValidateMaterials(scene.materials, none));
  std::set<std::string_view> materials;
  for (const NamedMaterial& material : scene.materials) materials.insert(material.name);
  const NameTest material_exists = [&](std::string_view name) { return materials.contains(name); };
  TALUS_RETURN_IF_ERROR(ValidateMaterialPairs(scene.material_pairs, material_exists));
  TALUS_RETURN_IF_ERROR(ValidateBodies(scene.bodies, none, material_exists));
  TALUS_RETURN_IF_ERROR(ValidateEmitters(scene.emitters, none, material_exists));
  TALUS_RETURN_IF_ERROR(ValidateSettings(scene.settings));
  TALUS_RETURN_IF_ERROR(
      ValidateElasticity(scene.materials, scene.material_pairs, {}, scene.settings.solver));
  if (!scene.joints.empty()) {
    TALUS_RETURN_IF_ERROR(ValidateJointSolver(scene.settings.solver));
    std::map<std::string_view, BodyKind> kinds;
    for (const BodyDef& body : scene.bodies) {
      if (!body.name.empty()) kinds.emplace(body.name, body.kind);
    }
    const FindKind find_kind = [&](std::string_view name) {
      const auto found = kinds.find(name);
      return found == kinds.end() ? std::nullopt : std::optional(found->second);
    };
    TALUS_RETURN_IF_ERROR(ValidateJoints(scene.joints, none, find_kind));
  }
  return scene.domain.has_value() ? ValidateDomain(*scene.domain) : absl::OkStatus();
}

}  // namespace talus
