// Small scenes whose contacts are what bare rolling problems should have: many of one body,
// redundant ones, towers of very different masses, spheres that roll beside each other. Row 0 is
// what the others lie on. Surfaces are without spinning friction.
#pragma once

#include <cstdint>

#include "solver/scene/scene_def.h"

namespace talus::scenes {

// Gives all surfaces of the scene these coefficients and neither spinning friction nor restitution.
void SetRollingFriction(double sliding, double rolling_m, SceneDef& scene);

// Spheres that do not touch each other on a plane, radii 10 to 50 mm, rolling, sliding and landing
// at up to `speed_m_s`; densities differ by up to `density_ratio` >= 1.
struct SpheresOnPlaneOptions {
  int count = 1;
  double speed_m_s = 1.0;
  double density_ratio = 1.0;
  uint64_t seed = 1;
};
SceneDef SpheresOnPlane(const SpheresOnPlaneOptions& options);

// Spheres of 0.1 m one above the other between four walls that they touch; each has
// `mass_ratio`^(1/(count - 1)) times the mass of the one below.
SceneDef SphereColumn(int count, double mass_ratio);

// Spheres of 20 mm one upon the other, each up to `lean` < 1 radii aside of the one below along
// each axis: what stands only where nothing rolls.
SceneDef LeaningTower(int count, double lean, uint64_t seed);

// side³ stones on a cubic lattice in a tray, each in touch with all its neighbours and the walls.
SceneDef SphereLattice(int side);

// A pyramid of stones on the ground with a square base, each on four others.
SceneDef SpherePyramid(int side);

// side² cubes of 0.2 m in rows, face to face, on the ground.
SceneDef CubeGrid(int side);

// A plank of 4 m on `supports` >= 2 cubes in a row, a heavier cube upon its middle.
SceneDef Bridge(int supports, double mass_ratio);

}  // namespace talus::scenes
