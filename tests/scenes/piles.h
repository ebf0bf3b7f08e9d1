// Many bodies: the gravel pile of the demo, packed spheres for benchmarks, stacked boxes.
#pragma once

#include <cstdint>

#include "solver/scene/scene_def.h"

namespace talus::scenes {

// Gravel falls from a nozzle onto a tray: 45 mm spheres, 2028 kg/m^3, h 5 ms, g 9.81.
struct GravelPileOptions {
  int64_t particles = 1500;
  double rolling_friction_m = 0.01;
  double spinning_friction_m = 0.01;
  double sliding_friction = 0.6;
  uint64_t seed = 1;
  bool walled = false;  // false: what rolls over the edge of the tray is removed
  double rate_per_s = 800.0;
  double tray_length_m = 2.0;
};
SceneDef GravelPile(const GravelPileOptions& options = {});

// `count` equal spheres of 45 mm on a jittered lattice above the floor of a box, about to settle.
// The box is sized to be about as high as wide when they have settled.
struct PackedSpheresOptions {
  int64_t count = 1000;
  uint64_t seed = 1;
  double sliding_friction = 0.6;
  double rolling_friction_m = 0.005;
  double spinning_friction_m = 0.005;
};
SceneDef PackedSpheres(const PackedSpheresOptions& options = {});

// A tower of equal cubes of edge 1 m and 100 kg on a plane; the last one may be heavier.
struct StackOptions {
  int count = 10;
  double sliding_friction = 0.6;
  double top_mass_ratio = 1.0;
  double time_step_s = 0.005;
};
SceneDef Stack(const StackOptions& options = {});

}  // namespace talus::scenes
