#include "solver/integrator/applied_loads.h"

namespace talus {

void ApplyLoads(std::span<const BodyLoad> loads, const BodyStore& bodies, double time_step_s,
                std::span<const Mat3> inverse_tensors_world, std::span<Vec3> free_linear,
                std::span<Vec3> free_angular) {
  const InertiaTable& inertias = bodies.inertias();
  for (const BodyLoad& load : loads) {
    const size_t row = bodies.FindRow(load.body).value();
    free_linear[row] += time_step_s * bodies.inverse_masses()[row] * load.force;
    // A round body's inverse inertia is the same in every frame.
    const Mat3 inverse = inertias.round(row) ? inertias.inverse(row)
                                             : inverse_tensors_world[inertias.tensor_rows()[row]];
    free_angular[row] += time_step_s * (inverse * load.torque);
  }
}

}  // namespace talus
