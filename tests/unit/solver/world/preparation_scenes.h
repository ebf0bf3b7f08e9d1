// Scenes to prepare steps of, and a step beside the same without a preparation: the same bits.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/world/world.h"
#include "tests/support/flat_law_scenes.h"
#include "tests/support/mechanisms.h"

namespace talus {

// Boxes and balls on a plane.
inline SceneDef MakeScene(ContactLaw law = ContactLaw::kNcp) {
  SceneDef scene = testing::MakeFlatLawScene(law);
  scene.settings.solver.tolerance = 1e-6;
  scene.settings.solver.max_sweeps = 60;  // steps that end without an answer must agree too
  return scene;
}

// And beside them a ball that a motor moves, and one that moves as it is told.
inline SceneDef MakeMotorScene() {
  SceneDef scene = MakeScene();
  scene.settings.solver.solver = SolverKind::kNewton;
  scene.bodies.push_back(testing::MakeBob("bob", Vec3(0.0, 2.0, 0.2)));
  scene.bodies.back().shapes[0].material = "rough";
  JointDef rail = testing::MakeJoint(nullptr, scene.bodies.back(), Vec3(0.0, 2.0, 0.2));
  rail.name = "rail";
  testing::LockAxes(rail, 6);
  rail.axes[0] = JointAxis::Motor(0.0);
  scene.joints.push_back(rail);
  scene.bodies.push_back(testing::MakeBob("paddle", Vec3(0.0, 0.35, 0.2)));
  BodyDef& paddle = scene.bodies.back();
  paddle.kind = BodyKind::kKinematic;
  paddle.mass_kg.reset();
  paddle.shapes[0].material = "rough";
  return scene;
}

inline absl::StatusOr<StepReport> Step(World& world, const StepOptions& options = {},
                                       int cores = 1) {
  WorkerArena workers(cores);
  return world.Step(workers, options);
}

inline void Prepare(World& world, int cores = 1) {
  WorkerArena workers(cores);
  world.PrepareStep(workers);
}

inline void ExpectSameStep(World& prepared, World& plain, const StepOptions& options = {}) {
  const auto got = Step(prepared, options);
  const auto want = Step(plain, options);
  ASSERT_EQ(got.status(), want.status());
  if (!got.ok()) return;
  EXPECT_EQ(got->state_hash, want->state_hash) << "step " << want->step_index;
  EXPECT_EQ(got->pair_count, want->pair_count);
  EXPECT_EQ(got->contact_count, want->contact_count);
  EXPECT_EQ(got->sweep_count, want->sweep_count);
  EXPECT_EQ(got->residual, want->residual);
  EXPECT_EQ(got->worst_contact_residual, want->worst_contact_residual);
  EXPECT_EQ(got->worst_penetration_m, want->worst_penetration_m);
  EXPECT_EQ(got->color_count, want->color_count);
  EXPECT_EQ(got->outcome, want->outcome);
  EXPECT_EQ(got->emitted_count, want->emitted_count);
  EXPECT_EQ(prepared.SaveLastStep().contacts, plain.SaveLastStep().contacts);
}

inline void Set(World& world, const std::string& body, const Vec3& position) {
  BodyUpdate update;
  update.body = body;
  update.position_world_m = position;
  update.linear_velocity_world_m_s = 0.1 * position;
  const absl::Status status = world.UpdateBodies({&update, 1});
  ASSERT_TRUE(status.ok()) << status;
}

inline void Drive(World& world, const ActuatorDef& actuator, const std::vector<double>& values) {
  const auto targets = world.FindActuators(std::vector{actuator});
  ASSERT_TRUE(targets.ok()) << targets.status();
  const absl::Status status = world.Actuate(*targets, values);
  ASSERT_TRUE(status.ok()) << status;
}

}  // namespace talus
