// What is to be set of a body that a scene has, as a user says it: its pose, its velocities, or
// some of them. Kind, shapes, mass and name of a body stay what they were when it came.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "solver/base/ids.h"
#include "solver/base/math.h"

namespace talus {

// What has no value stays as it is.
struct BodyUpdate {
  std::variant<BodyId, std::string> body;  // by id or by name
  std::optional<Vec3> position_world_m;
  std::optional<Quat> orientation_world;
  std::optional<Vec3> linear_velocity_world_m_s;     // zero for static bodies
  std::optional<Vec3> angular_velocity_world_rad_s;  // zero for static bodies
};

}  // namespace talus
