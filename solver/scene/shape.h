// The collision shapes a user describes. A shape has its own frame, posed in the body frame.
#pragma once

#include <string>
#include <variant>

#include "solver/base/math.h"

namespace talus {

// A ball centred at the shape's origin.
struct Sphere {
  double radius_m = 0.0;  // > 0
};

// A solid box centred at the shape's origin.
struct Box {
  Vec3 half_extents_m = Vec3::Zero();  // each > 0
};

// The solid half-space { x : normal . x <= 0 } in the shape's frame. Never on a dynamic body.
struct Plane {
  Vec3 normal = Vec3::UnitZ();  // unit
};

// An open-topped tray of solid boxes: a floor whose top is the plane z = 0 and, if wall_height_m >
// 0, four walls. It is expanded to boxes when its body is added (container.h). Never on a dynamic
// body.
struct Container {
  double inner_length_x_m = 0.0;  // > 0
  double inner_length_y_m = 0.0;  // > 0
  double wall_height_m = 0.0;     // >= 0
  double thickness_m = 0.0;       // > 0
};

using Geometry = std::variant<Sphere, Box, Plane, Container>;

struct ShapeDef {
  Geometry geometry;
  Pose pose_body;        // body <- shape
  std::string material;  // name in SceneDef::materials; empty: no friction, no restitution
};

}  // namespace talus
