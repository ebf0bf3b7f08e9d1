#include "solver/world/energy.h"

#include "solver/parallel/ordered_reduce.h"

namespace talus {

Energy ComputeEnergy(WorkerArena& workers, const BodyStore& bodies, const Vec3& gravity) {
  constexpr size_t kChunk = 1024;
  const auto energy_of = [&](size_t row) {
    const double mass = bodies.masses()[row];
    const Vec3 spin = bodies.orientations()[row].conjugate() * bodies.angular_velocities()[row];
    return Energy{0.5 * mass * bodies.linear_velocities()[row].squaredNorm(),
                  0.5 * spin.dot(bodies.inertias().Momentum(row, spin)),
                  -mass * gravity.dot(bodies.positions()[row])};
  };
  const auto add = [](const Energy& a, const Energy& b) {
    return Energy{a.kinetic_translation_j + b.kinetic_translation_j,
                  a.kinetic_rotation_j + b.kinetic_rotation_j, a.potential_j + b.potential_j};
  };
  return OrderedReduce(workers, bodies.size(), kChunk, Energy{}, energy_of, add);
}

}  // namespace talus
