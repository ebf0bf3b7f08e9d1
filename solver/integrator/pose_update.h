// Where bodies are at the end of the step: poses moved on with the velocities after contact.
//
//   x+ = x + h v+        q+ = exp(h w+) q, made unit again
//
// A body that does not turn keeps the bits of its orientation, so that rest is rest for good.
#pragma once

#include <span>
#include <vector>

#include "solver/base/math.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

// By row, from the old columns to the new ones.
void AdvancePoses(WorkerArena& workers, double time_step_s, std::span<const Vec3> positions,
                  std::span<const Quat> orientations, std::span<const Vec3> linear_velocities,
                  std::span<const Vec3> angular_velocities, std::vector<Vec3>& new_positions,
                  std::vector<Quat>& new_orientations);

}  // namespace talus
