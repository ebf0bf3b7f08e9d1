// How a scene is stepped: time step, gravity, stabilisation and the contact solver's choices.
#pragma once

#include <cstdint>

#include "solver/base/math.h"

namespace talus {

enum class ContactLaw : uint8_t {
  kNcp = 0,  // exact Coulomb with rolling and spinning friction
  kCcp = 1,  // its convex relaxation
};

enum class SolverKind : uint8_t {
  kLawDefault = 0,       // Alart-Curnier for NCP, accelerated PSOR for CCP
  kAlartCurnier = 1,     // NCP only
  kAcceleratedPsor = 2,  // CCP only
  kPsor = 3,             // CCP only
  kApgd = 4,             // CCP only
};

struct SolverSettings {
  ContactLaw law = ContactLaw::kNcp;
  SolverKind solver = SolverKind::kLawDefault;
  double tolerance = 1e-4;    // residual to stop at, in [1e-14, 1]
  int32_t max_sweeps = 1000;  // in [1, 1000000]
  bool warm_start = true;
};

struct StepSettings {
  double time_step_s = 0.005;  // h, in [1e-6, 1]
  Vec3 gravity_world_m_s2 = Vec3(0.0, 0.0, -9.81);
  double recovery_speed_m_s = 1.0;           // penetration is undone at most this fast, >= 0
  double restitution_threshold_m_s = 0.01;   // slower impacts do not bounce, >= 0
  SolverSettings solver;
};

}  // namespace talus
