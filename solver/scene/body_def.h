// One rigid body as a user describes it. The body frame has its origin at the centre of mass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/base/math.h"
#include "solver/scene/shape.h"

namespace talus {

enum class BodyKind : uint8_t { kDynamic = 0, kStatic = 1, kKinematic = 2 };

struct BodyDef {
  std::string name;  // unique when not empty
  BodyKind kind = BodyKind::kDynamic;
  Pose pose_world;                                   // world <- body
  Vec3 linear_velocity_world_m_s = Vec3::Zero();     // zero for static bodies
  Vec3 angular_velocity_world_rad_s = Vec3::Zero();  // zero for static bodies
  std::vector<ShapeDef> shapes;                      // 0 to 64; none: it touches nothing
  std::optional<double> mass_kg;  // a dynamic body needs exactly one of mass and density
  std::optional<double> density_kg_m3;
  std::optional<Mat3>
      inertia_body_kg_m2;  // about the centre of mass; unset: of the shapes, scaled to the mass
};

}  // namespace talus
