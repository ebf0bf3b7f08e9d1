#include "solver/contact/elastic_pair.h"

namespace talus {
namespace {

// The share of a deflection that a surface of this stiffness takes where all of it has `joined`.
double ShareOf(double own, double joined) { return own > 0.0 ? joined / own : 0.0; }

// E_i*, of one surface against a rigid one.
double PlaneModulus(const Elasticity& e) {
  return e.youngs_modulus_pa / (1.0 - e.poisson_ratio * e.poisson_ratio);
}

// G_i/(2 − ν_i).
double ShearModulus(const Elasticity& e) {
  return e.youngs_modulus_pa / (2.0 * (1.0 + e.poisson_ratio) * (2.0 - e.poisson_ratio));
}

double Square(double x) { return x * x; }

}  // namespace

double InSeries(double a, double b) {
  if (a == 0.0) return b;
  if (b == 0.0) return a;
  return a * b / (a + b);
}

ElasticPair Join(const Elasticity& a, const Elasticity& b) {
  ElasticPair pair;
  pair.normal_stiffness = InSeries(a.normal_stiffness_n_per_m, b.normal_stiffness_n_per_m);
  pair.reduced_modulus = InSeries(PlaneModulus(a), PlaneModulus(b));
  const bool hertz = pair.reduced_modulus > 0.0;
  if (hertz)
    pair.tangent_ratio = 4.0 * InSeries(ShearModulus(a), ShearModulus(b)) / pair.reduced_modulus;
  for (const Elasticity* side : {&a, &b}) {
    const double share = hertz ? ShareOf(PlaneModulus(*side), pair.reduced_modulus)
                               : ShareOf(side->normal_stiffness_n_per_m, pair.normal_stiffness);
    pair.normal_damping += side->normal_damping_n_s_per_m * Square(share);
  }
  pair.sliding_stiffness = InSeries(a.sliding_stiffness_n_per_m, b.sliding_stiffness_n_per_m);
  pair.rolling_stiffness =
      InSeries(a.rolling_stiffness_n_m_per_rad, b.rolling_stiffness_n_m_per_rad);
  pair.spinning_stiffness =
      InSeries(a.spinning_stiffness_n_m_per_rad, b.spinning_stiffness_n_m_per_rad);
  pair.sliding_viscosity = InSeries(a.sliding_viscosity_n_s_per_m, b.sliding_viscosity_n_s_per_m);
  pair.rolling_viscosity =
      InSeries(a.rolling_viscosity_n_m_s_per_rad, b.rolling_viscosity_n_m_s_per_rad);
  pair.spinning_viscosity =
      InSeries(a.spinning_viscosity_n_m_s_per_rad, b.spinning_viscosity_n_m_s_per_rad);
  return pair;
}

}  // namespace talus
