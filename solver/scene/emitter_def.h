// A seeded inflow of spheres as a user describes it; world/emission.h makes the particles.
#pragma once

#include <cstdint>
#include <string>

#include "solver/base/math.h"

namespace talus {

// Particle k falls due at start_time_s + k / rate_per_s after the emitter was added. It is born at
// a random point of the nozzle (a disc swept along its axis) where it overlaps nothing, or waits
// for the next step.
struct EmitterDef {
  std::string name;  // unique, not empty
  Vec3 center_world_m = Vec3::Zero();
  Vec3 axis_world = -Vec3::UnitZ();  // unit
  double nozzle_radius_m = 0.0;      // >= 0
  double nozzle_height_m = 0.0;      // >= 0
  double rate_per_s = 0.0;           // > 0
  int64_t particle_count = 0;        // >= 1
  double start_time_s = 0.0;         // >= 0
  uint64_t seed = 0;
  double radius_min_m = 0.0;   // > 0
  double radius_max_m = 0.0;   // >= radius_min_m; radii are uniform between the two
  double density_kg_m3 = 0.0;  // > 0
  std::string material;        // name in SceneDef::materials
  double speed_m_s = 0.0;      // along the axis, at birth
};

}  // namespace talus
