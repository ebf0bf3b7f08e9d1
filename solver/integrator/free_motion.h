// What velocities would be after the step if nothing touched: gravity and the gyroscopic term.
//
//   v_f = v + h g
//   w_f : I (w_f - w) + h w_f x I w_f = 0     in the body frame, one Newton step from w_f = w
//
// The gyroscopic term is implicit because the explicit one gains energy. Static and kinematic
// bodies keep their velocities. Reads the state, writes the caller's columns; knows no contacts.
#pragma once

#include <vector>

#include "solver/base/math.h"
#include "solver/parallel/worker_arena.h"
#include "solver/state/body_store.h"

namespace talus {

// The angular velocity, world frame, after a torque-free step of h seconds.
Vec3 AdvanceGyroscopic(const Mat3& inertia_body, const Quat& orientation,
                       const Vec3& angular_velocity, double time_step_s);

// By row.
void AdvanceVelocities(WorkerArena& workers, const BodyStore& bodies, const Vec3& gravity,
                       double time_step_s, std::vector<Vec3>& free_linear,
                       std::vector<Vec3>& free_angular);

// R I^-1 R^T of the bodies that are not round, by row of their tensors (state/inertia_table.h).
void TurnInverseInertias(WorkerArena& workers, const BodyStore& bodies,
                         std::vector<Mat3>& inverse_tensors_world);

}  // namespace talus
