#include "solver/integrator/pose_update.h"

#include "solver/base/slack.h"
#include "solver/parallel/parallel_for.h"

namespace talus {

void AdvancePoses(WorkerArena& workers, double time_step_s, std::span<const Vec3> positions,
                  std::span<const Quat> orientations, std::span<const Vec3> linear_velocities,
                  std::span<const Vec3> angular_velocities, std::vector<Vec3>& new_positions,
                  std::vector<Quat>& new_orientations) {
  constexpr size_t kChunk = 512;
  ResizeBuffer(new_positions, positions.size());
  ResizeBuffer(new_orientations, positions.size());
  ParallelFor(workers, positions.size(), kChunk, [&](size_t row) {
    new_positions[row] = positions[row] + time_step_s * linear_velocities[row];
    new_orientations[row] = orientations[row];
    if (angular_velocities[row].isZero(0.0)) return;
    const Vec3 turn = time_step_s * angular_velocities[row];
    new_orientations[row] = (ExpRotation(turn) * orientations[row]).normalized();
  });
}

}  // namespace talus
