// Heaps of equal spheres on a floor: the contact problems that solvers are measured on.
//
// A heap is made by letting a jittered lattice fall together between walls (settled), and by taking
// the walls away (collapsing). Both are ordinary scenes, so the state is reached by stepping, and
// the same on every machine that runs the same binary.
#pragma once

#include <cstdint>

#include "solver/scene/scene_def.h"
#include "solver/world/world.h"

namespace talus::scenes {

struct SphereHeap {
  int sphere_count = 2000;
  double radius_m = 0.0225;
  double density_kg_m3 = 2028.0;
  Material material{0.6, 0.005, 0.005, 0.0};
  double time_step_s = 0.005;
  uint64_t seed = 1;

  // The lattice above the floor, walls around it. Row 0 is the container, the spheres follow.
  SceneDef Build() const;
  // Edge length of the square between the walls, m: a heap about as wide as high.
  double Width() const;
};

// The spheres of `world` where they are now, on a floor without walls and without a past (no warm
// impulses).
SceneDef WithoutWalls(const World& world, const SceneDef& scene);
// The same with the scene's static bodies kept.
SceneDef WithoutPast(const World& world, const SceneDef& scene);

}  // namespace talus::scenes
