#include "solver/integrator/free_motion.h"

#include "solver/base/slack.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kChunk = 512;

Mat3 CrossMatrix(const Vec3& v) {
  Mat3 matrix;
  matrix << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return matrix;
}

// What w changes by in the body frame when the term acts at w + θ change. The error of Newton's
// method is squared three times, from the h² of one step at θ = 1 to below rounding.
Vec3 FindChange(const Mat3& inertia, const Vec3& w, const SmoothStep& step) {
  constexpr int kNewtonSteps = 4;
  Vec3 change = Vec3::Zero();
  for (int newton = 0; newton < kNewtonSteps; ++newton) {
    const Vec3 at = w + step.theta * change;
    const Vec3 momentum = inertia * at;
    const Vec3 residual = inertia * change + step.time_step_s * at.cross(momentum);
    const Mat3 slope = inertia + step.time_step_s * step.theta *
                                     (CrossMatrix(at) * inertia - CrossMatrix(momentum));
    change -= slope.inverse() * residual;
  }
  return change;
}

}  // namespace

Vec3 AdvanceGyroscopic(const Mat3& inertia_body, const Quat& orientation,
                       const Vec3& angular_velocity, double time_step_s, double theta) {
  if (IsIsotropic(inertia_body)) return angular_velocity;
  const Vec3 w = orientation.conjugate() * angular_velocity;
  if (theta < 1.0) return orientation * Vec3(w + FindChange(inertia_body, w, {time_step_s, theta}));
  const Vec3 momentum = inertia_body * w;
  // f(w) = h w x I w;  f'(w) = I + h ([w] I - [I w])
  const Vec3 residual = time_step_s * w.cross(momentum);
  const Mat3 slope =
      inertia_body + time_step_s * (CrossMatrix(w) * inertia_body - CrossMatrix(momentum));
  return orientation * Vec3(w - slope.inverse() * residual);
}

void AdvanceVelocities(WorkerArena& workers, const BodyStore& bodies, const Vec3& gravity,
                       const SmoothStep& step, std::vector<Vec3>& free_linear,
                       std::vector<Vec3>& free_angular) {
  ResizeBuffer(free_linear, bodies.size());
  ResizeBuffer(free_angular, bodies.size());
  ParallelFor(workers, bodies.size(), kChunk, [&](size_t row) {
    const Vec3& angular = bodies.angular_velocities()[row];
    free_linear[row] = bodies.linear_velocities()[row];
    free_angular[row] = angular;
    if (bodies.kinds()[row] != BodyKind::kDynamic) return;
    free_linear[row] += step.time_step_s * gravity;
    if (bodies.inertias().round(row)) return;
    free_angular[row] =
        AdvanceGyroscopic(bodies.inertias().inertia(row), bodies.orientations()[row], angular,
                          step.time_step_s, step.theta);
  });
}

void TurnInverseInertias(WorkerArena& workers, const BodyStore& bodies,
                         std::vector<Mat3>& inverse_tensors_world) {
  const InertiaTable& inertias = bodies.inertias();
  ResizeBuffer(inverse_tensors_world, inertias.tensor_count());
  if (inverse_tensors_world.empty()) return;
  ParallelFor(workers, bodies.size(), kChunk, [&](size_t row) {
    if (inertias.round(row)) return;
    Mat3& turned = inverse_tensors_world[inertias.tensor_rows()[row]];
    turned = inertias.inverse(row);
    if (IsIsotropic(turned)) return;
    const Mat3 turn = bodies.orientations()[row].toRotationMatrix();
    const Mat3 world = turn * turned * turn.transpose();
    turned = 0.5 * (world + world.transpose());
  });
}

}  // namespace talus
