#include "tests/scenes/brick_wall.h"

#include "tests/scenes/gravel.h"

namespace talus::scenes {
namespace {

// 240 x 115 x 71 mm, 1800 kg/m³: a brick of the German normal format.
const Vec3 kHalfExtents(0.12, 0.0575, 0.0355);
constexpr double kBrickDensity = 1800.0;

BodyDef MakeBrick(const Vec3& half_extents, const Vec3& center) {
  BodyDef brick;
  brick.pose_world.position = center;
  brick.shapes.push_back({Box{half_extents}, Pose{}, "brick"});
  brick.density_kg_m3 = kBrickDensity;
  return brick;
}

}  // namespace

SceneDef BrickWall(const BrickWallOptions& options) {
  SceneDef scene;
  scene.materials.push_back({"brick", {0.6, 0.0, 0.0, 0.0}});
  scene.settings.time_step_s = 0.005;
  scene.bodies.push_back(MakeGround("brick"));
  const double pitch = 2.0 * kHalfExtents.x() + options.joint_m;
  for (int course = 0; course < options.courses; ++course) {
    const double height = (2 * course + 1) * kHalfExtents.z();
    const bool shifted = course % 2 == 1;
    const double first = shifted ? 0.5 * pitch : 0.0;
    const int whole = options.bricks_a_course - (shifted ? 1 : 0);
    for (int place = 0; place < whole; ++place) {
      scene.bodies.push_back(MakeBrick(kHalfExtents, Vec3(first + place * pitch, 0.0, height)));
    }
    if (!shifted) continue;
    // Half bricks end the shifted courses: whole ones would tip over the end.
    const Vec3 half(0.5 * (kHalfExtents.x() - 0.5 * options.joint_m), kHalfExtents.y(),
                    kHalfExtents.z());
    const double end = 0.5 * pitch * options.bricks_a_course - 0.5 * options.joint_m;
    const double middle = 0.5 * pitch * (options.bricks_a_course - 1);
    for (const double side : {-1.0, 1.0}) {
      scene.bodies.push_back(MakeBrick(half, Vec3(middle + side * (end - half.x()), 0.0, height)));
    }
  }
  return scene;
}

}  // namespace talus::scenes
