#include "tests/scenes/gravel.h"

namespace talus::scenes {

NamedMaterial MakeGravel(double sliding, double rolling_m, double spinning_m) {
  return {"gravel", {sliding, rolling_m, spinning_m, 0.0}};
}

BodyDef MakeStone(const Vec3& center_world_m) {
  BodyDef stone;
  stone.pose_world.position = center_world_m;
  stone.shapes.push_back({Sphere{kGravelRadius}, Pose{}, "gravel"});
  stone.density_kg_m3 = kGravelDensity;
  return stone;
}

BodyDef MakeTray(double inner_length_m, double wall_height_m, double thickness_m) {
  BodyDef tray;
  tray.name = "tray";
  tray.kind = BodyKind::kStatic;
  tray.shapes.push_back(
      {Container{inner_length_m, inner_length_m, wall_height_m, thickness_m}, Pose{}, "gravel"});
  return tray;
}

BodyDef MakeGround(const std::string& material) {
  BodyDef ground;
  ground.name = "ground";
  ground.kind = BodyKind::kStatic;
  ground.shapes.push_back({Plane{}, Pose{}, material});
  return ground;
}

}  // namespace talus::scenes
