// How a scene is stepped: time step, gravity, stabilisation, and the contact solver's settings.
#pragma once

#include <optional>

#include "solver/base/math.h"
#include "solver/scene/sleep_settings.h"
#include "solver/scene/solver_settings.h"

namespace talus {

struct StepSettings {
  double time_step_s = 0.005;  // h, in [1e-6, 1]
  Vec3 gravity_world_m_s2 = Vec3(0.0, 0.0, -9.81);
  // Where in the step smooth forces that depend on the state act: at its end (1) or half way (1/2),
  // in [1/2, 1]. These are the springs of joints and the gyroscopic term; gravity is constant.
  double theta = 1.0;
  double recovery_speed_m_s = 1.0;          // penetration is undone at most this fast, >= 0
  double restitution_threshold_m_s = 0.01;  // slower impacts do not bounce, >= 0
  SolverSettings solver;
  std::optional<SleepSettings> sleep;  // none: every body is stepped for ever
};

}  // namespace talus
