// Whatever a caller may do to a scene between a preparation and its step makes no difference.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "solver/base/random.h"
#include "solver/world/step_preparation.h"
#include "tests/unit/solver/world/preparation_scenes.h"

namespace talus {
namespace {

using testing::MakeBob;
using testing::MakeWorld;

// What a caller may do to a scene between two steps. Each takes a number to be different by.
const std::vector<std::function<void(World&, int)>>& Changes() {
  static const std::vector<std::function<void(World&, int)>> changes = {
      [](World& world, int i) {
        BodyDef ball = MakeBob("new" + std::to_string(i), Vec3(0.1 * (i % 7), 0.2, 1.0));
        ball.shapes[0].material = "rough";
        ASSERT_TRUE(world.AddBodies(std::vector{ball}).ok());
      },
      [](World& world, int) {
        const size_t last = world.body_count() - 1;
        if (!world.body_name(last).starts_with("new")) return;  // the first ones are driven
        ASSERT_TRUE(world.RemoveBodies(std::vector{world.bodies().ids[last]}).ok());
      },
      [](World& world, int i) {
        Drive(world, {.kind = ActuatorKind::kBodyWrench, .id = 0, .name = "box2", .axis = 0},
              {1.0 * (i % 3), 0.0, -2.0, 0.0, 0.1, 0.0});
      },
      // Zeros of both signs beside something.
      [](World& world, int i) {
        Drive(world, {.kind = ActuatorKind::kBodyWrench, .id = 0, .name = "box2", .axis = 0},
              {i % 2 == 0 ? 0.0 : -0.0, 0.0, -2.0, 0.0, 0.0, 0.0});
      },
      [](World& world, int i) {
        Drive(world, {.kind = ActuatorKind::kJointVelocity, .id = 0, .name = "rail", .axis = 0},
              {0.1 * (i % 5)});
      },
      [](World& world, int i) {
        Drive(world, {.kind = ActuatorKind::kBodyVelocity, .id = 0, .name = "paddle", .axis = 0},
              {0.1 * (i % 5 - 2), -0.1 * (i % 3), 0.0, 0.0, 1.0, 0.0});
      },
      [](World& world, int i) {
        const std::string name = "held" + std::to_string(i);
        JointDef joint;
        joint.name = name;
        joint.body_b = "box0";
        joint.axes[0] = JointAxis::Motor(5.0, 0.1);
        ASSERT_TRUE(world.AddJoints(std::vector{joint}).ok());
      },
      [](World& world, int) {
        if (world.joint_count() < 2) return;
        const JointId last = world.Joints().back().id;
        ASSERT_TRUE(world.RemoveJoints(std::vector{last}).ok());
      },
      [](World& world, int i) {
        EmitterDef nozzle;
        nozzle.name = "nozzle" + std::to_string(i);
        nozzle.center_world_m = Vec3(0.5, -1.0 - 0.3 * i, 1.0);
        nozzle.nozzle_radius_m = 0.1;
        nozzle.nozzle_height_m = 0.1;
        nozzle.rate_per_s = 200.0;
        nozzle.particle_count = 3;
        nozzle.radius_min_m = nozzle.radius_max_m = 0.02;
        nozzle.density_kg_m3 = 1000.0;
        nozzle.material = "rough";
        ASSERT_TRUE(world.AddEmitters(std::vector{nozzle}).ok());
      },
      [](World& world, int) {
        if (world.emitter_count() == 0 || world.particles_pending() > 0) return;
        for (int i = 0; i < 400; ++i) {
          const std::vector<std::string> name{"nozzle" + std::to_string(i)};
          if (world.RemoveEmitters(name).ok()) return;
        }
      },
      [](World& world, int i) {
        Set(world, i % 2 == 0 ? "box1" : "paddle", Vec3(0.6, 0.1 * (i % 4), 0.3));
      },
      [](World& world, int) { ASSERT_EQ(world.Fork().state_hash(), world.state_hash()); },
      [](World& world, int) { ASSERT_TRUE(world.RestoreLastStep(world.SaveLastStep()).ok()); },
  };
  return changes;
}

class ChangeAfterAPreparation : public ::testing::TestWithParam<bool> {};

// Each for itself, in scenes where a preparation has surely been made, to the result or not.
TEST_P(ChangeAfterAPreparation, MakesNoDifference) {
  for (size_t pick = 0; pick < Changes().size(); ++pick) {
    SCOPED_TRACE(pick);
    World plain = MakeWorld(MakeMotorScene());
    World prepared = MakeWorld(MakeMotorScene());
    for (World* world : {&plain, &prepared}) {
      Changes()[0](*world, 0);  // for what takes away
      Changes()[6](*world, 0);
      for (int step = 0; step < 3; ++step) {
        if (GetParam()) Prepare(*world);
        ASSERT_TRUE(Step(*world).ok());
      }
    }
    Prepare(prepared);
    Prepare(prepared);  // once more does no harm
    ASSERT_NO_FATAL_FAILURE(Changes()[pick](prepared, 1));
    ASSERT_NO_FATAL_FAILURE(Changes()[pick](plain, 1));
    EXPECT_EQ(prepared.state_hash(), plain.state_hash());
    for (int step = 0; step < 3; ++step) {
      ASSERT_NO_FATAL_FAILURE(ExpectSameStep(prepared, plain));
      Prepare(prepared);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solved, ChangeAfterAPreparation, ::testing::Bool());

TEST(ChangesAfterPreparations, WhateverIsChangedBetweenItAndTheStep) {
  const uint64_t seed = 20261125;
  SCOPED_TRACE("seed " + std::to_string(seed));
  World plain = MakeWorld(MakeMotorScene());
  World prepared = MakeWorld(MakeMotorScene());
  const std::string origin = plain.SaveSnapshot();
  Random random(seed);
  for (int i = 0; i < 300; ++i) {
    Prepare(prepared);
    const uint64_t pick = random.Next() % (4 * Changes().size());  // most often nothing
    if (pick < Changes().size()) {
      ASSERT_NO_FATAL_FAILURE(Changes()[pick](prepared, i)) << pick;
      ASSERT_NO_FATAL_FAILURE(Changes()[pick](plain, i)) << pick;
    } else if (pick == Changes().size()) {
      ResetScope scope;
      scope.state = true;
      ASSERT_TRUE(prepared.Reset(origin, scope).ok());
      ASSERT_TRUE(plain.Reset(origin, scope).ok());
    }
    ASSERT_NO_FATAL_FAILURE(ExpectSameStep(prepared, plain)) << "after change " << pick;
  }
}

}  // namespace
}  // namespace talus
