// An emitter far above everything, whose particles of 10 mm touch nothing for a while.
#pragma once

#include <cstdint>
#include <string>

#include "solver/scene/scene_def.h"

namespace talus::testing {

inline EmitterDef MakeHighNozzle(const std::string& material, double rate_per_s,
                                 int64_t particle_count) {
  EmitterDef nozzle;
  nozzle.name = "nozzle";
  nozzle.center_world_m.z() = 50.0;
  nozzle.nozzle_radius_m = 0.5;
  nozzle.nozzle_height_m = 0.4;
  nozzle.rate_per_s = rate_per_s;
  nozzle.particle_count = particle_count;
  nozzle.radius_min_m = nozzle.radius_max_m = 0.01;
  nozzle.density_kg_m3 = 1000.0;
  nozzle.material = material;
  return nozzle;
}

}  // namespace talus::testing
