// The rules of materials and of their pairs.
#include <algorithm>
#include <set>
#include <utility>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"
#include "solver/scene/validate.h"

namespace talus {
namespace {

// 0, or in [low, high].
absl::Status CheckZeroOr(const FieldPath& path, double value, double low, double high) {
  if (value == 0.0) return absl::OkStatus();
  return CheckPositive(path, value, low, high);
}

// 0 unless it is allowed to be anything else.
absl::Status CheckUnused(const FieldPath& path, double value, bool allowed, const char* rule) {
  if (value == 0.0 || allowed) return absl::OkStatus();
  return FieldError(path.ToString(), FormatValue(value), rule);
}

absl::Status ValidateNormalSpring(const FieldPath& path, const Elasticity& e) {
  const FieldPath stiffness(path, "normal_stiffness_n_per_m");
  const FieldPath damping(path, "normal_damping_n_s_per_m");
  const FieldPath modulus(path, "youngs_modulus_pa");
  const FieldPath ratio(path, "poisson_ratio");
  const bool spring = e.normal_stiffness_n_per_m > 0.0;
  const bool hertz = e.youngs_modulus_pa > 0.0;
  TALUS_RETURN_IF_ERROR(
      CheckZeroOr(stiffness, e.normal_stiffness_n_per_m, kMinStiffness, kMaxStiffness));
  TALUS_RETURN_IF_ERROR(CheckNotNegative(damping, e.normal_damping_n_s_per_m, kMaxDamping));
  TALUS_RETURN_IF_ERROR(CheckZeroOr(modulus, e.youngs_modulus_pa, kMinModulusPa, kMaxModulusPa));
  TALUS_RETURN_IF_ERROR(CheckRange(ratio, e.poisson_ratio, 0.0, 0.5));
  TALUS_RETURN_IF_ERROR(CheckUnused(stiffness, e.normal_stiffness_n_per_m, !hertz,
                                    "must be 0 beside youngs_modulus_pa"));
  TALUS_RETURN_IF_ERROR(
      CheckUnused(damping, e.normal_damping_n_s_per_m, spring || hertz,
                  "must be 0 without normal_stiffness_n_per_m or youngs_modulus_pa"));
  return CheckUnused(ratio, e.poisson_ratio, hertz, "must be 0 without youngs_modulus_pa");
}

absl::Status ValidateBristles(const FieldPath& path, const Elasticity& e) {
  const FieldPath sliding(path, "sliding_stiffness_n_per_m");
  TALUS_RETURN_IF_ERROR(
      CheckZeroOr(sliding, e.sliding_stiffness_n_per_m, kMinStiffness, kMaxStiffness));
  TALUS_RETURN_IF_ERROR(CheckUnused(sliding, e.sliding_stiffness_n_per_m,
                                    e.youngs_modulus_pa == 0.0,
                                    "must be 0 beside youngs_modulus_pa"));
  TALUS_RETURN_IF_ERROR(CheckZeroOr(FieldPath(path, "rolling_stiffness_n_m_per_rad"),
                                    e.rolling_stiffness_n_m_per_rad, kMinStiffness, kMaxStiffness));
  return CheckZeroOr(FieldPath(path, "spinning_stiffness_n_m_per_rad"),
                     e.spinning_stiffness_n_m_per_rad, kMinStiffness, kMaxStiffness);
}

absl::Status ValidateViscosity(const FieldPath& path, const Elasticity& e) {
  TALUS_RETURN_IF_ERROR(CheckZeroOr(FieldPath(path, "sliding_viscosity_n_s_per_m"),
                                    e.sliding_viscosity_n_s_per_m, kMinDamping, kMaxDamping));
  TALUS_RETURN_IF_ERROR(CheckZeroOr(FieldPath(path, "rolling_viscosity_n_m_s_per_rad"),
                                    e.rolling_viscosity_n_m_s_per_rad, kMinDamping, kMaxDamping));
  return CheckZeroOr(FieldPath(path, "spinning_viscosity_n_m_s_per_rad"),
                     e.spinning_viscosity_n_m_s_per_rad, kMinDamping, kMaxDamping);
}

bool HasNormalSpring(const Elasticity& e) {
  return e.normal_stiffness_n_per_m > 0.0 || e.youngs_modulus_pa > 0.0;
}

absl::Status ValidateMaterial(const FieldPath& path, const Material& material) {
  TALUS_RETURN_IF_ERROR(CheckNotNegative(FieldPath(path, "sliding_friction"),
                                         material.sliding_friction, kMaxFriction));
  TALUS_RETURN_IF_ERROR(CheckNotNegative(FieldPath(path, "rolling_friction_m"),
                                         material.rolling_friction_m, kMaxFriction));
  TALUS_RETURN_IF_ERROR(CheckNotNegative(FieldPath(path, "spinning_friction_m"),
                                         material.spinning_friction_m, kMaxFriction));
  const FieldPath restitution(path, "restitution");
  const FieldPath elasticity(path, "elasticity");
  TALUS_RETURN_IF_ERROR(CheckRange(restitution, material.restitution, 0.0, 1.0));
  TALUS_RETURN_IF_ERROR(ValidateNormalSpring(elasticity, material.elasticity));
  TALUS_RETURN_IF_ERROR(ValidateBristles(elasticity, material.elasticity));
  TALUS_RETURN_IF_ERROR(ValidateViscosity(elasticity, material.elasticity));
  // A spring bounces by itself, as much as its damper lets it.
  return CheckUnused(restitution, material.restitution, !HasNormalSpring(material.elasticity),
                     "must be 0 where the elasticity has a normal stiffness or Young's modulus");
}

}  // namespace

absl::Status ValidateMaterials(std::span<const NamedMaterial> materials,
                               const NameTest& material_exists) {
  if (materials.size() > kMaxMaterials) {
    return FieldError("size(materials)", FormatValue(uint64_t{materials.size()}),
                      "must be <= " + FormatValue(uint64_t{kMaxMaterials}));
  }
  std::set<std::string_view> names;
  for (size_t index = 0; index < materials.size(); ++index) {
    const FieldPath path("materials", index);
    const FieldPath name(path, "name");
    TALUS_RETURN_IF_ERROR(CheckName(name, materials[index].name));
    TALUS_RETURN_IF_ERROR(ValidateMaterial(FieldPath(path, "material"), materials[index].material));
    if (material_exists(materials[index].name) || !names.insert(materials[index].name).second) {
      return FieldError(name.ToString(), FormatValue(materials[index].name),
                        "must be unique in the scene", absl::StatusCode::kAlreadyExists);
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateMaterialPairs(std::span<const MaterialPair> pairs,
                                   const NameTest& material_exists) {
  if (pairs.size() > kMaxMaterialPairs) {
    return FieldError("size(material_pairs)", FormatValue(uint64_t{pairs.size()}),
                      "must be <= " + FormatValue(uint64_t{kMaxMaterialPairs}));
  }
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (size_t index = 0; index < pairs.size(); ++index) {
    const FieldPath path("material_pairs", index);
    const MaterialPair& pair = pairs[index];
    for (const auto& [field, name] :
         {std::pair<const char*, std::string_view>{"material_a", pair.material_a},
          {"material_b", pair.material_b}}) {
      if (material_exists(name)) continue;
      return FieldError(FieldPath(path, field).ToString(), FormatValue(name),
                        "must name a material of the scene");
    }
    TALUS_RETURN_IF_ERROR(ValidateMaterial(FieldPath(path, "material"), pair.material));
    const auto names = std::minmax<std::string_view>({pair.material_a, pair.material_b});
    if (seen.insert(names).second) continue;
    return FieldError(path.ToString(), FormatValue(pair.material_a + ", " + pair.material_b),
                      "must be given once, in either order");
  }
  return absl::OkStatus();
}

absl::Status ValidateElasticity(std::span<const NamedMaterial> materials,
                                std::span<const MaterialPair> pairs,
                                std::span<const Material> others, const SolverSettings& solver) {
  const auto is_spring = [](const Material& m) {
    return m.elasticity.normal_stiffness_n_per_m > 0.0;
  };
  const auto is_hertzian = [](const Material& m) { return m.elasticity.youngs_modulus_pa > 0.0; };
  bool springs = std::ranges::any_of(others, is_spring);
  bool hertz = std::ranges::any_of(others, is_hertzian);
  bool remembers = std::ranges::any_of(
      pairs, [](const MaterialPair& pair) { return pair.material.elasticity.remembers(); });
  for (size_t index = 0; index < materials.size(); ++index) {
    const Material& material = materials[index].material;
    springs = springs || is_spring(material);
    hertz = hertz || is_hertzian(material);
    remembers = remembers || material.elasticity.remembers();
    if (!springs || !hertz) continue;
    const FieldPath list("materials", index);
    const FieldPath path(list, "material");
    const FieldPath elasticity(path, "elasticity");
    const bool own = is_hertzian(material);
    return FieldError(
        FieldPath(elasticity, own ? "youngs_modulus_pa" : "normal_stiffness_n_per_m").ToString(),
        FormatValue(own ? material.elasticity.youngs_modulus_pa
                        : material.elasticity.normal_stiffness_n_per_m),
        own ? "must be 0 in a scene where a material has normal_stiffness_n_per_m"
            : "must be 0 in a scene where a material has youngs_modulus_pa");
  }
  const auto is_elastic = [](const auto& named) { return !named.material.elasticity.rigid(); };
  if (std::ranges::any_of(materials, is_elastic) || std::ranges::any_of(pairs, is_elastic)) {
    TALUS_RETURN_IF_ERROR(ValidateElasticSolver(solver));
  }
  if (!remembers || solver.warm_start) return absl::OkStatus();
  return FieldError("settings.solver.warm_start", "false",
                    "must be true where a surface has bristles or Young's modulus: they remember "
                    "the last impulses");
}

}  // namespace talus
