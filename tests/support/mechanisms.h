// Small scenes with joints, for tests: balls that joints hold.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/support/worlds.h"

namespace talus::testing {

// A ball of 1 kg and 0.1 m: it turns with 0.004 kg m².
inline constexpr double kBobMass = 1.0;
inline constexpr double kBobRadius = 0.1;
inline constexpr double kBobInertia = 0.4 * kBobMass * kBobRadius * kBobRadius;

inline BodyDef MakeBob(const std::string& name, const Vec3& position,
                       const Vec3& velocity = Vec3::Zero()) {
  BodyDef bob;
  bob.name = name;
  bob.pose_world.position = position;
  bob.linear_velocity_world_m_s = velocity;
  bob.mass_kg = kBobMass;
  bob.shapes.resize(1);
  bob.shapes[0].geometry = Sphere{kBobRadius};
  return bob;
}

// A joint at `point` between two bodies that are not turned, all axes free; "" is the world.
inline JointDef MakeJoint(const BodyDef* a, const BodyDef& b, const Vec3& point) {
  JointDef joint;
  joint.frame_a.position = point;
  if (a != nullptr) {
    joint.body_a = a->name;
    joint.frame_a.position -= a->pose_world.position;
  }
  joint.body_b = b.name;
  joint.frame_b.position = point - b.pose_world.position;
  return joint;
}

// All axes locked but for the rotations from `first_free` on.
inline void LockAxes(JointDef& joint, int first_free = 6) {
  for (int k = 0; k < first_free; ++k) joint.axes[k] = JointAxis::Locked();
}

inline SceneDef MakeMechanism(double time_step_s, const Vec3& gravity = Vec3::Zero()) {
  SceneDef scene;
  scene.settings.time_step_s = time_step_s;
  scene.settings.gravity_world_m_s2 = gravity;
  scene.settings.solver.tolerance = 1e-12;
  return scene;
}

}  // namespace talus::testing
