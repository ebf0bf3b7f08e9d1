// One ball or block on a plane: the scenes whose motion is known in closed form.
#pragma once

#include "solver/scene/scene_def.h"

namespace talus::scenes {

// A ball of radius R on the half-space z <= 0, touching it. Row 0 is the plane, row 1 the ball.
struct BallOnPlane {
  double radius_m = 1.0;
  double mass_kg = 10.0;
  double inertia_kg_m2 = 4.0;
  double speed_m_s = 0.0;   // along the heading
  double spin_rad_s = 0.0;  // about the axis that rolls the ball along the heading
  double vertical_spin_rad_s = 0.0;
  double heading_rad = 0.0;  // from the x axis
  double height_m = 0.0;     // of the lowest point above the plane
  double vertical_speed_m_s = 0.0;
  double slope_rad = 0.0;  // gravity is tilted so that +heading is downhill
  double gravity_m_s2 = 9.81;
  double time_step_s = 0.01;
  Material material;
  SolverSettings solver;

  SceneDef Build() const;
};

// [TA] §6.1: R 1 m, M 10 kg, J 4 kg m², v₀ 1 m/s rolling, ρ 0.02 m, μ 0.9, g 9.8 m/s². The exact
// ball stops after v₀² (J/R + M R) / (2 ρ M g) = 3.5714 m.
BallOnPlane RollingDisk(double time_step_s, double heading_rad = 0.0);

// [AB] §6.1: R 0.5 m, 2500 kg/m³, U₀ 2.5 m/s, ρ = mu_r (m), g 9.81 m/s², h 10⁻³ s.
BallOnPlane SphereOnPlane(double spin_rad_s, double sliding_friction, double rolling_friction_m);

// A cube resting on the plane, sliding along the heading. Row 1 is the block.
struct BlockOnPlane {
  double half_extent_m = 0.25;
  double mass_kg = 1.0;
  double speed_m_s = 0.0;
  double heading_rad = 0.0;
  double slope_rad = 0.0;
  double gravity_m_s2 = 9.81;
  double time_step_s = 0.005;
  Material material;
  SolverSettings solver;

  SceneDef Build() const;
};

}  // namespace talus::scenes
