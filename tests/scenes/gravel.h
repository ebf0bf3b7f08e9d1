// The stones that every heap here is made of, and the tray they lie on: 45 mm spheres of
// 2028 kg/m^3, sliding friction 0.6, rolling and spinning friction 5 mm.
#pragma once

#include <string>

#include "solver/scene/scene_def.h"

namespace talus::scenes {

inline constexpr double kGravelRadius = 0.0225;  // m
inline constexpr double kGravelDensity = 2028.0;

NamedMaterial MakeGravel(double sliding = 0.6, double rolling_m = 0.005, double spinning_m = 0.005);
BodyDef MakeStone(const Vec3& center_world_m);
// A square static tray, its floor at z = 0.
BodyDef MakeTray(double inner_length_m, double wall_height_m, double thickness_m = 0.1);
// The half-space z <= 0.
BodyDef MakeGround(const std::string& material = "gravel");

}  // namespace talus::scenes
