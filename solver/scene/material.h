// Friction, restitution and elasticity of a surface, how two surfaces combine, and where they do
// not.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace talus {

// How a surface gives way where it is touched. Zeros: it is rigid. Two surfaces in touch are
// springs in series (contact/elastic_pair.h).
struct Elasticity {
  double normal_stiffness_n_per_m = 0.0;        // k, >= 0
  double normal_damping_n_s_per_m = 0.0;        // c, >= 0, beside a spring
  double youngs_modulus_pa = 0.0;               // E, >= 0: Hertz's law in place of k
  double poisson_ratio = 0.0;                   // nu, in [0, 0.5], beside E
  double sliding_stiffness_n_per_m = 0.0;       // k_t of bristles, >= 0; with E it is Mindlin's
  double rolling_stiffness_n_m_per_rad = 0.0;   // k_r, >= 0
  double spinning_stiffness_n_m_per_rad = 0.0;  // k_s, >= 0
  // In series with the bristles, >= 0; 0: does not creep.
  double sliding_viscosity_n_s_per_m = 0.0;       // c_t
  double rolling_viscosity_n_m_s_per_rad = 0.0;   // c_r
  double spinning_viscosity_n_m_s_per_rad = 0.0;  // c_s

  bool operator==(const Elasticity&) const = default;
  bool rigid() const { return *this == Elasticity{}; }
  bool viscous() const {
    return sliding_viscosity_n_s_per_m > 0.0 || rolling_viscosity_n_m_s_per_rad > 0.0 ||
           spinning_viscosity_n_m_s_per_rad > 0.0;
  }
  // Whether what it did in the last step matters to the next one.
  bool remembers() const {
    return youngs_modulus_pa > 0.0 || sliding_stiffness_n_per_m > 0.0 ||
           rolling_stiffness_n_m_per_rad > 0.0 || spinning_stiffness_n_m_per_rad > 0.0;
  }
};

struct Material {
  double sliding_friction = 0.0;     // mu, no unit, >= 0
  double rolling_friction_m = 0.0;   // rho, metres, >= 0
  double spinning_friction_m = 0.0;  // sigma, metres, >= 0
  double restitution = 0.0;          // e, no unit, in [0, 1]
  Elasticity elasticity = {};

  bool operator==(const Material&) const = default;
};

// The numbers of a material, in the order they are saved and hashed in.
inline constexpr std::array<double Material::*, 4> kMaterialNumbers = {
    &Material::sliding_friction, &Material::rolling_friction_m, &Material::spinning_friction_m,
    &Material::restitution};
inline constexpr std::array<double Elasticity::*, 7> kElasticNumbers = {
    &Elasticity::normal_stiffness_n_per_m,
    &Elasticity::normal_damping_n_s_per_m,
    &Elasticity::youngs_modulus_pa,
    &Elasticity::poisson_ratio,
    &Elasticity::sliding_stiffness_n_per_m,
    &Elasticity::rolling_stiffness_n_m_per_rad,
    &Elasticity::spinning_stiffness_n_m_per_rad};
// Behind those, of what is viscous.
inline constexpr std::array<double Elasticity::*, 3> kViscousNumbers = {
    &Elasticity::sliding_viscosity_n_s_per_m, &Elasticity::rolling_viscosity_n_m_s_per_rad,
    &Elasticity::spinning_viscosity_n_m_s_per_rad};

// The geometric mean of each coefficient of friction and restitution: equal materials stay what
// they are, a zero on either side switches the effect off, and the result does not depend on the
// order.
inline Material CombineMaterials(const Material& a, const Material& b) {
  auto mean = [](double x, double y) { return x == y ? x : std::sqrt(x * y); };
  return {mean(a.sliding_friction, b.sliding_friction),
          mean(a.rolling_friction_m, b.rolling_friction_m),
          mean(a.spinning_friction_m, b.spinning_friction_m),
          mean(a.restitution, b.restitution),
          {}};
}

// What two materials, by rows of their table, are to each other in place of what they combine to.
struct PairedMaterial {
  uint32_t row_a = 0;  // <= row_b: a pair has no order
  uint32_t row_b = 0;
  Material material;

  uint64_t key() const { return uint64_t{row_a} << 32 | row_b; }
};

// The pair's own material, or null. `pairs` ascend by key.
inline const Material* FindPaired(std::span<const PairedMaterial> pairs, uint32_t a, uint32_t b) {
  if (pairs.empty()) return nullptr;
  const uint64_t key = PairedMaterial{std::min(a, b), std::max(a, b), {}}.key();
  const auto found = std::ranges::lower_bound(pairs, key, {}, &PairedMaterial::key);
  return found != pairs.end() && found->key() == key ? &found->material : nullptr;
}

}  // namespace talus
