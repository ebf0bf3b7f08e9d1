// What velocities would be after the step if nothing touched: gravity and the gyroscopic term.
//
//   v_f = v + h g
//   w_f : I (w_f - w) + h w_θ x I w_θ = 0,  w_θ = θ w_f + (1 - θ) w     in the body frame
//
// The gyroscopic term is implicit because the explicit one gains energy. At θ = 1 it loses some, in
// first order of h; there one Newton step from w_f = w is taken, whose error is of second order. At
// θ = 1/2 energy and the length of the momentum stay what they are, being quadratic: Newton's
// method is carried to rounding. Static and kinematic bodies keep their velocities. Reads the
// state, writes the caller's columns; knows no contacts.
#pragma once

#include <vector>

#include "solver/base/math.h"
#include "solver/parallel/worker_arena.h"
#include "solver/state/body_store.h"

namespace talus {

// How a step is taken: h, s, and θ.
struct SmoothStep {
  double time_step_s = 0.0;
  double theta = 1.0;  // in [1/2, 1]
};

// The angular velocity, world frame, after a torque-free step.
Vec3 AdvanceGyroscopic(const Mat3& inertia_body, const Quat& orientation,
                       const Vec3& angular_velocity, double time_step_s, double theta = 1.0);

// By row.
void AdvanceVelocities(WorkerArena& workers, const BodyStore& bodies, const Vec3& gravity,
                       const SmoothStep& step, std::vector<Vec3>& free_linear,
                       std::vector<Vec3>& free_angular);

// R I^-1 R^T of the bodies that are not round, by row of their tensors (state/inertia_table.h).
void TurnInverseInertias(WorkerArena& workers, const BodyStore& bodies,
                         std::vector<Mat3>& inverse_tensors_world);

}  // namespace talus
