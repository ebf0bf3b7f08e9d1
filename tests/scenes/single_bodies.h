// One body on a plane: the cases with closed forms. `heading_rad` turns the direction of motion
// about the vertical, and must not matter.
#pragma once

#include "solver/scene/scene_def.h"

namespace talus::scenes {

// [TA] section 6.1: a ball of radius 1 m, 10 kg, inertia 4 kg m^2, rolling at 1 m/s; rho 0.02 m, mu
// 0.9, g 9.8.
struct RollingDiskOptions {
  double heading_rad = 0.0;
  double time_step_s = 0.01;
  double sliding_friction = 0.9;
  double rolling_friction_m = 0.02;
};
SceneDef RollingDisk(const RollingDiskOptions& options = {});

// [AB] section 6.1, Fig. 3: a ball of radius 0.5 m and 2500 kg/m^3; g 9.81. Case (a) as it stands.
struct SpherePlaneOptions {
  double speed_m_s = 2.5;
  double spin_rad_s = 5.0;  // about the horizontal axis; speed / radius is rolling
  double sliding_friction = 0.2;
  double rolling_friction_m = 0.04;
  double spinning_friction_m = 0.0;
  double vertical_spin_rad_s = 0.0;
  double heading_rad = 0.0;
  double time_step_s = 0.001;
};
SceneDef SpherePlane(const SpherePlaneOptions& options = {});

// A cuboid 0.4 m x 0.4 m x 0.2 m of 8 kg sliding on a plane, its edges along x and y whatever the
// heading; g 9.81.
struct SlidingBlockOptions {
  double speed_m_s = 2.0;
  double sliding_friction = 0.3;
  double heading_rad = 0.0;
  double time_step_s = 0.005;
};
SceneDef SlidingBlock(const SlidingBlockOptions& options = {});

// The same scene on a slope: gravity is turned so that down-slope is the direction of
// `heading_rad`.
SceneDef OnSlope(SceneDef scene, double slope_rad, double heading_rad = 0.0);

}  // namespace talus::scenes
