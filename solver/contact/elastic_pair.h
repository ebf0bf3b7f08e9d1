// Two elastic surfaces in touch as one spring: what their elasticities come to together.
//
// They are springs in series, since both carry the same force: 1/k = 1/k_a + 1/k_b, a rigid surface
// adding nothing. The damper takes what the two lose together while the force changes slowly: with
// s_i = k/k_i the share of the deflection that surface i takes, c = Σ c_i s_i². Where both have one
// relaxation time c/k so has the pair, exactly. Viscosities of friction stand in series with
// each other and with the bristles.
//
// Hertz: 1/E* = Σ (1 − ν_i²)/E_i, s_i = E*/E_i* likewise; Mindlin: 1/G* = Σ (2 − ν_i)/G_i with
// G = E/(2(1 + ν)), and k_t/k_n = 4G*/E*, which is 2(1 − ν)/(2 − ν) where both have one ν and where
// one surface is rigid (Johnson, Contact Mechanics, 1985, §4.2 and §7.2).
#pragma once

#include "solver/scene/material.h"

namespace talus {

struct ElasticPair {
  double normal_stiffness = 0.0;    // k, N/m; 0: rigid, or Hertz's law
  double normal_damping = 0.0;      // c, N s/m
  double reduced_modulus = 0.0;     // E*, Pa; 0: no Hertz's law
  double tangent_ratio = 0.0;       // k_t/k_n of Mindlin
  double sliding_stiffness = 0.0;   // k_t of bristles, N/m; 0: rigid
  double rolling_stiffness = 0.0;   // k_r, N m/rad
  double spinning_stiffness = 0.0;  // k_s, N m/rad
  double sliding_viscosity = 0.0;   // c_t, N s/m; 0: does not creep
  double rolling_viscosity = 0.0;   // c_r, N m s/rad
  double spinning_viscosity = 0.0;  // c_s, N m s/rad

  bool operator==(const ElasticPair&) const = default;
};

// Springs or dampers in series, of which one of 0 is rigid.
double InSeries(double a, double b);

// At most one of the two has a normal stiffness where the other has Young's modulus
// (scene/validate.h).
ElasticPair Join(const Elasticity& a, const Elasticity& b);

}  // namespace talus
