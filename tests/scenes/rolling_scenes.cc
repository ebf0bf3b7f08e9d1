#include "tests/scenes/rolling_scenes.h"

#include <cmath>
#include <numbers>

#include "solver/base/random.h"
#include "tests/scenes/gravel.h"

namespace talus::scenes {
namespace {

SceneDef OnGround() {
  SceneDef scene;
  scene.materials.push_back(MakeGravel());
  scene.bodies.push_back(MakeGround());
  return scene;
}

BodyDef MakeBall(double radius_m, double mass_kg, const Vec3& center) {
  BodyDef ball;
  ball.pose_world.position = center;
  ball.shapes.push_back({Sphere{radius_m}, Pose{}, "gravel"});
  ball.mass_kg = mass_kg;
  return ball;
}

BodyDef MakeBlock(const Vec3& half_extents, double mass_kg, const Vec3& center) {
  BodyDef block;
  block.pose_world.position = center;
  block.shapes.push_back({Box{half_extents}, Pose{}, "gravel"});
  block.mass_kg = mass_kg;
  return block;
}

}  // namespace

void SetRollingFriction(double sliding, double rolling_m, SceneDef& scene) {
  for (NamedMaterial& named : scene.materials) named.material = {sliding, rolling_m, 0.0, 0.0};
}

SceneDef SpheresOnPlane(const SpheresOnPlaneOptions& options) {
  SceneDef scene = OnGround();
  Random random(options.seed);
  const int columns = static_cast<int>(std::ceil(std::sqrt(options.count)));
  for (int i = 0; i < options.count; ++i) {
    const double radius = random.Uniform(0.01, 0.05);
    const double density = kGravelDensity * std::pow(options.density_ratio, random.Uniform() - 0.5);
    const double volume = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
    BodyDef ball =
        MakeBall(radius, density * volume, Vec3(0.2 * (i % columns), 0.2 * (i / columns), radius));
    const double speed = options.speed_m_s;
    ball.linear_velocity_world_m_s = Vec3(
        random.Uniform(-speed, speed), random.Uniform(-speed, speed), random.Uniform(-speed, 0.0));
    const double spin = speed / radius;
    ball.angular_velocity_world_rad_s =
        Vec3(random.Uniform(-spin, spin), random.Uniform(-spin, spin), random.Uniform(-spin, spin));
    scene.bodies.push_back(ball);
  }
  return scene;
}

SceneDef SphereColumn(int count, double mass_ratio) {
  constexpr double kRadius = 0.1;
  SceneDef scene;
  scene.materials.push_back(MakeGravel());
  scene.bodies.push_back(MakeTray(2.0 * kRadius, 2.0 * kRadius * (count + 1)));
  for (int i = 0; i < count; ++i) {
    const double level = count > 1 ? static_cast<double>(i) / (count - 1) : 0.0;
    scene.bodies.push_back(
        MakeBall(kRadius, std::pow(mass_ratio, level), Vec3(0.0, 0.0, (2 * i + 1) * kRadius)));
  }
  return scene;
}

SceneDef LeaningTower(int count, double lean, uint64_t seed) {
  constexpr double kRadius = 0.01;
  constexpr double kDensity = 1300.0;
  SceneDef scene = OnGround();
  Random random(seed);
  Vec3 center(0.0, 0.0, kRadius);
  for (int i = 0; i < count; ++i) {
    scene.bodies.push_back(MakeBall(kRadius, 0.0, center));
    scene.bodies.back().mass_kg.reset();
    scene.bodies.back().density_kg_m3 = kDensity;
    const double x = random.Uniform(-lean, lean) * kRadius;
    const double y = random.Uniform(-lean, lean) * kRadius;
    center += Vec3(x, y, std::sqrt(4.0 * kRadius * kRadius - x * x - y * y));
  }
  return scene;
}

SceneDef SphereLattice(int side) {
  constexpr double kPitch = 2.0 * kGravelRadius;
  SceneDef scene;
  scene.materials.push_back(MakeGravel());
  scene.bodies.push_back(MakeTray(side * kPitch, (side + 1) * kPitch));
  const double first = -0.5 * (side - 1) * kPitch;
  for (int i = 0; i < side * side * side; ++i) {
    scene.bodies.push_back(
        MakeStone(Vec3(first + i % side * kPitch, first + i / side % side * kPitch,
                       i / (side * side) * kPitch + kGravelRadius)));
  }
  return scene;
}

SceneDef SpherePyramid(int side) {
  constexpr double kPitch = 2.0 * kGravelRadius;
  SceneDef scene = OnGround();
  for (int layer = 0; layer < side; ++layer) {
    const int length = side - layer;
    const double first = -0.5 * (length - 1) * kPitch;
    const double height = kGravelRadius + layer * kPitch / std::numbers::sqrt2;
    for (int i = 0; i < length * length; ++i) {
      scene.bodies.push_back(
          MakeStone(Vec3(first + i % length * kPitch, first + i / length * kPitch, height)));
    }
  }
  return scene;
}

SceneDef CubeGrid(int side) {
  constexpr double kHalf = 0.1;
  SceneDef scene = OnGround();
  for (int i = 0; i < side * side; ++i) {
    scene.bodies.push_back(
        MakeBlock(Vec3::Constant(kHalf), 10.0,
                  Vec3(2.0 * kHalf * (i % side), 2.0 * kHalf * (i / side), kHalf)));
  }
  return scene;
}

SceneDef Bridge(int supports, double mass_ratio) {
  constexpr double kLength = 4.0;
  constexpr double kHalf = 0.1;
  SceneDef scene = OnGround();
  for (int i = 0; i < supports; ++i) {
    const double along = (kLength - 2.0 * kHalf) * (static_cast<double>(i) / (supports - 1) - 0.5);
    scene.bodies.push_back(MakeBlock(Vec3::Constant(kHalf), 10.0, Vec3(along, 0.0, kHalf)));
  }
  scene.bodies.push_back(
      MakeBlock(Vec3(0.5 * kLength, kHalf, 0.5 * kHalf), 40.0, Vec3(0.0, 0.0, 2.5 * kHalf)));
  scene.bodies.push_back(
      MakeBlock(Vec3::Constant(kHalf), 10.0 * mass_ratio, Vec3(0.0, 0.0, 4.0 * kHalf)));
  return scene;
}

}  // namespace talus::scenes
