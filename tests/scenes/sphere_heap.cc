#include "tests/scenes/sphere_heap.h"

#include <cmath>

#include "solver/base/random.h"

namespace talus::scenes {
namespace {

constexpr double kSpacing = 2.05;  // lattice constant in radii

int Side(int sphere_count) {
  return std::max(1, static_cast<int>(std::cbrt(static_cast<double>(sphere_count))));
}

}  // namespace

double SphereHeap::Width() const { return (Side(sphere_count) * kSpacing + 1.0) * radius_m; }

SceneDef SphereHeap::Build() const {
  SceneDef scene;
  scene.settings.time_step_s = time_step_s;
  scene.materials.push_back({"grain", material});
  BodyDef tray;
  tray.name = "tray";
  tray.kind = BodyKind::kStatic;
  tray.shapes.push_back(
      {Container{Width(), Width(), 3.0 * Width(), 10.0 * radius_m}, Pose{}, "grain"});
  scene.bodies.push_back(tray);
  Random random(seed);
  const int side = Side(sphere_count);
  const double pitch = kSpacing * radius_m;
  for (int i = 0; i < sphere_count; ++i) {
    BodyDef ball;
    ball.shapes.push_back({Sphere{radius_m}, Pose{}, "grain"});
    ball.density_kg_m3 = density_kg_m3;
    const Vec3 cell(i % side, i / side % side, i / (side * side));
    ball.pose_world.position = pitch * (cell - Vec3(0.5 * (side - 1), 0.5 * (side - 1), 0.0)) +
                               Vec3(0.0, 0.0, 1.1 * radius_m);
    for (int k = 0; k < 3; ++k) {
      ball.pose_world.position[k] += random.Uniform(-0.02, 0.02) * radius_m;
      ball.linear_velocity_world_m_s[k] = random.Uniform(-0.3, 0.3);
    }
    scene.bodies.push_back(ball);
  }
  return scene;
}

SceneDef WithoutPast(const World& world, const SceneDef& scene) {
  SceneDef now = scene;
  const BodyStateView state = world.bodies();
  for (size_t row = 0; row < now.bodies.size(); ++row) {
    BodyDef& body = now.bodies[row];
    if (body.kind != BodyKind::kDynamic) continue;
    body.pose_world = {state.positions[row], state.orientations[row]};
    body.linear_velocity_world_m_s = state.linear_velocities[row];
    body.angular_velocity_world_rad_s = state.angular_velocities[row];
  }
  return now;
}

SceneDef WithoutWalls(const World& world, const SceneDef& scene) {
  SceneDef now = WithoutPast(world, scene);
  for (BodyDef& body : now.bodies) {
    for (ShapeDef& shape : body.shapes) {
      if (Container* tray = std::get_if<Container>(&shape.geometry)) {
        tray->wall_height_m = 0.0;
        tray->inner_length_x_m *= 20.0;
        tray->inner_length_y_m *= 20.0;
      }
    }
  }
  return now;
}

}  // namespace talus::scenes
