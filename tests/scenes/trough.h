// A ball in a right-angled trough whose centre of mass is off its centre, so that gravity alone
// loads it with a force and a torque.
#pragma once

#include "solver/analysis/two_point_body.h"
#include "solver/base/math.h"
#include "solver/scene/scene_def.h"

namespace talus::scenes {

// The walls are the planes y = 0 and x = 0, rows 0 and 1; the ball, row 2, touches both from x, y >
// 0 and is at rest.
struct BallInTrough {
  double radius_m = 0.1;
  double mass_kg = 1.0;
  Mat3 inertia_kg_m2 = 0.004 * Mat3::Identity();  // about the centre of mass
  Vec3 center_m = Vec3::Zero();                   // of the ball, from its centre of mass
  Vec3 gravity_m_s2 = Vec3(-7.0, -7.0, 0.0);
  double sliding_friction = 0.3;
  double time_step_s = 1e-4;
  SolverSettings solver;

  SceneDef Build() const;
  // The same as an analysis takes it; contacts[0] is on the wall y = 0.
  TwoPointBody Describe() const;
};

}  // namespace talus::scenes
