// What the loads on bodies (scene/actuator_def.h) add to their free velocities:
//
//   v_f += h F / m,   w_f += h I^-1 T     force and torque about the centre of mass, world frame
//
// To be called once the free motion is advanced and the inverse inertias are turned. Serial: loads
// are few beside bodies.
#pragma once

#include <span>

#include "solver/base/math.h"
#include "solver/state/body_store.h"
#include "solver/state/scene_state.h"

namespace talus {

// `inverse_tensors_world`: of the bodies that are not round, as TurnInverseInertias makes them.
void ApplyLoads(std::span<const BodyLoad> loads, const BodyStore& bodies, double time_step_s,
                std::span<const Mat3> inverse_tensors_world, std::span<Vec3> free_linear,
                std::span<Vec3> free_angular);

}  // namespace talus
