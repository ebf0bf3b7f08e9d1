// A small scene for the laws with flat sides: boxes that topple and balls that run into them, with
// sliding, rolling and spinning friction. Within the contacts that pivoting takes.
#pragma once

#include <string>

#include "solver/scene/scene_def.h"

namespace talus::testing {

// Row 0 is the ground.
inline SceneDef MakeFlatLawScene(ContactLaw law) {
  SceneDef scene;
  scene.materials.push_back({"rough", {0.4, 0.004, 0.003, 0.2}});
  BodyDef ground;
  ground.name = "ground";
  ground.kind = BodyKind::kStatic;
  ground.shapes.push_back({Plane{Vec3::UnitZ()}, Pose{}, "rough"});
  scene.bodies.push_back(ground);
  for (int i = 0; i < 3; ++i) {
    BodyDef box;
    box.name = "box" + std::to_string(i);
    box.pose_world.position = Vec3(0.03 * i, 0.02 * i, 0.1 + 0.201 * i);
    box.shapes.push_back({Box{Vec3::Constant(0.1)}, Pose{}, "rough"});
    box.mass_kg = 1.0 + i;
    scene.bodies.push_back(box);
  }
  for (int i = 0; i < 3; ++i) {
    BodyDef ball;
    ball.name = "ball" + std::to_string(i);
    ball.pose_world.position = Vec3(-0.4 - 0.25 * i, 0.04 * (i - 1), 0.1);
    ball.linear_velocity_world_m_s = Vec3(2.5, 0.3 * i, 0.0);
    ball.angular_velocity_world_rad_s = Vec3(1.0, -4.0, 6.0);
    ball.shapes.push_back({Sphere{0.1}, Pose{}, "rough"});
    ball.mass_kg = 2.0;
    scene.bodies.push_back(ball);
  }
  scene.settings.solver.law = law;
  scene.settings.solver.tolerance = 1e-9;
  scene.settings.solver.facet_count = 6;
  scene.settings.solver.bristle_stiffness_n_m = 1e7;
  return scene;
}

}  // namespace talus::testing
