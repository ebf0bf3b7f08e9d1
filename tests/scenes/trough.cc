#include "tests/scenes/trough.h"

namespace talus::scenes {
namespace {

const Vec3 kNormals[2] = {Vec3::UnitY(), Vec3::UnitX()};

}  // namespace

SceneDef BallInTrough::Build() const {
  SceneDef scene;
  scene.materials.push_back({"surface", Material{sliding_friction, 0.0, 0.0, 0.0}});
  scene.settings.time_step_s = time_step_s;
  scene.settings.gravity_world_m_s2 = gravity_m_s2;
  scene.settings.solver = solver;
  for (const Vec3& normal : kNormals) {
    BodyDef wall;
    wall.kind = BodyKind::kStatic;
    wall.shapes.push_back({Plane{normal}, Pose{}, "surface"});
    scene.bodies.push_back(wall);
  }
  BodyDef ball;
  ball.pose_world.position = Vec3(radius_m, radius_m, 0.0) - center_m;
  ball.mass_kg = mass_kg;
  ball.inertia_body_kg_m2 = inertia_kg_m2;
  Pose sphere;
  sphere.position = center_m;
  ball.shapes.push_back({Sphere{radius_m}, sphere, "surface"});
  scene.bodies.push_back(ball);
  return scene;
}

TwoPointBody BallInTrough::Describe() const {
  TwoPointBody body;
  body.mass_kg = mass_kg;
  body.inertia_world_kg_m2 = inertia_kg_m2;
  body.force_world_n = mass_kg * gravity_m_s2;
  for (size_t i = 0; i < 2; ++i) {
    TwoPointContact& contact = body.contacts[i];
    contact.arm_world_m = center_m - radius_m * kNormals[i];
    contact.normal_world = kNormals[i];
    contact.sliding_friction = sliding_friction;
    contact.rolling_radius_world_m =
        radius_m * (Mat3::Identity() - kNormals[i] * kNormals[i].transpose());
  }
  return body;
}

}  // namespace talus::scenes
