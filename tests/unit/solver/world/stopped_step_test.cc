// A step that is stopped while it is solved: not made, no fault, and the next one has the bits that
// it would have had.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/high_nozzle.h"
#include "tests/support/worlds.h"
#include "tests/unit/solver/world/preparation_scenes.h"

namespace talus {
namespace {

constexpr int kStepsBefore = 12;  // until all lie on each other

struct Stopped {
  std::string name;
  SceneDef scene;
};

SceneDef SolvedBy(SolverKind solver, ContactLaw law = ContactLaw::kNcp) {
  SceneDef scene = MakeScene(law);
  scene.settings.solver.solver = solver;
  return scene;
}

SceneDef WithParticlesAndSleep() {
  SceneDef scene = MakeScene();
  scene.settings.sleep.emplace();
  scene.emitters.push_back(testing::MakeHighNozzle("rough", 1000.0, 100));
  return scene;
}

std::vector<Stopped> StoppedScenes() {
  SceneDef cold = MakeScene();
  cold.settings.solver.warm_start = false;
  SceneDef relaxed = SolvedBy(SolverKind::kPsor, ContactLaw::kCcp);
  relaxed.settings.solver.psor.relaxation = 1.4;
  SceneDef joint = MakeMotorScene();
  joint.settings.solver.solver = SolverKind::kNsgs;
  return {{"ALART_CURNIER", SolvedBy(SolverKind::kAlartCurnier)},
          {"PSOR", SolvedBy(SolverKind::kPsor, ContactLaw::kCcp)},
          {"ACCELERATED_PSOR", SolvedBy(SolverKind::kAcceleratedPsor, ContactLaw::kCcp)},
          {"APGD", SolvedBy(SolverKind::kApgd, ContactLaw::kCcp)},
          {"NEWTON", SolvedBy(SolverKind::kNewton)},
          {"FIXED_POINT", SolvedBy(SolverKind::kFixedPoint)},
          {"EXTRAGRADIENT", SolvedBy(SolverKind::kExtragradient)},
          {"NSGS", SolvedBy(SolverKind::kNsgs)},
          {"BARZILAI_BORWEIN", SolvedBy(SolverKind::kBarzilaiBorwein, ContactLaw::kCcp)},
          {"ADMM", SolvedBy(SolverKind::kAdmm, ContactLaw::kCcp)},
          {"PSOR_as_matrices", relaxed},
          {"joint", joint},
          {"BRISTLE", MakeScene(ContactLaw::kBristle)},
          {"BOX", MakeScene(ContactLaw::kBox)},
          {"LEMKE", SolvedBy(SolverKind::kLemke, ContactLaw::kPolygonal)},
          {"cold", cold},
          {"motor", MakeMotorScene()},
          {"particles", WithParticlesAndSleep()}};
}

class StoppedStep : public ::testing::TestWithParam<Stopped> {
 protected:
  World MakeStepped() {
    World world = testing::MakeWorld(GetParam().scene);
    for (int step = 0; step < kStepsBefore; ++step) EXPECT_TRUE(Step(world).ok());
    return world;
  }
};

TEST_P(StoppedStep, IsNotMadeAndTheNextOneIsAsIfNothingHadBeen) {
  World plain = MakeStepped();
  ASSERT_TRUE(Step(plain).ok());
  World counted = MakeStepped();
  int asks = 0;
  ASSERT_TRUE(Step(counted, {.stop = [&] { return ++asks < 0; }}).ok());
  EXPECT_EQ(counted.state_hash(), plain.state_hash());
  ASSERT_GT(asks, 0);

  World world = MakeStepped();
  const uint64_t hash = world.state_hash();
  const size_t bodies = world.body_count();
  for (const int last : {1, asks / 2 + 1, asks}) {
    int asked = 0;
    const absl::Status status =
        Step(world, {.capture = ProblemCapture::kAlways, .stop = [&] { return ++asked == last; }})
            .status();
    EXPECT_EQ(status, absl::CancelledError("the step was stopped")) << last;
    EXPECT_EQ(asked, last);
    EXPECT_EQ(world.state_hash(), hash);
    EXPECT_EQ(world.step_index(), kStepsBefore);
    EXPECT_EQ(world.body_count(), bodies);
    EXPECT_EQ(world.fault(), "");
    EXPECT_EQ(world.kept_problem(), nullptr);
  }
  for (int step = 0; step < 5; ++step) {
    const auto next = Step(world);
    ASSERT_TRUE(next.ok()) << next.status();
    if (step > 0) {
      ASSERT_TRUE(Step(plain).ok());
    }
    EXPECT_EQ(next->state_hash, plain.state_hash()) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, StoppedStep, ::testing::ValuesIn(StoppedScenes()),
                         [](const auto& of) { return of.param.name; });

TEST(StoppedDrivenStep, TakesBackWhatDroveIt) {
  SceneDef scene = MakeMotorScene();
  scene.settings.sleep.emplace();
  const std::vector<ActuatorDef> actuators = {
      {ActuatorKind::kJointVelocity, 0, "rail", 0},
      {ActuatorKind::kJointForce, 0, "rail", 0},
      {ActuatorKind::kBodyVelocity, 0, "paddle", 0},
      {ActuatorKind::kBodyWrench, 0, "bob", 0},
  };
  const std::vector<double> hard = {1.0, 500.0, 0.0, -0.5, 0.0, 0.0, 0.0,
                                    1.0, 0.0,   0.0, 9.0,  0.0, 0.0, 2.0};
  const std::vector<double> soft = {0.5, 100.0, 0.0, -0.1, 0.0, 0.0, 0.0,
                                    0.0, 0.0,   0.0, 0.0,  0.0, 0.0, 0.0};
  for (const bool driven : {false, true}) {
    World plain = testing::MakeWorld(scene);
    World world = testing::MakeWorld(scene);
    const ActuatorTargets targets = world.FindActuators(actuators).value();
    for (int step = 0; step < kStepsBefore; ++step) {
      for (World* each : {&plain, &world}) {
        if (driven) {
          EXPECT_TRUE(each->Actuate(targets, soft).ok());
        }
        EXPECT_TRUE(Step(*each).ok());
      }
    }
    ASSERT_EQ(world.state_hash(), plain.state_hash());
    ASSERT_TRUE(world.Actuate(targets, hard).ok());
    EXPECT_NE(world.state_hash(), plain.state_hash());
    EXPECT_EQ(Step(world, {.stop = [] { return true; }}).status().code(),
              absl::StatusCode::kCancelled);
    world.TakeBackActuation();
    EXPECT_EQ(world.state_hash(), plain.state_hash());
    EXPECT_EQ(world.SaveSnapshot(), plain.SaveSnapshot());
    ExpectSameStep(world, plain);
    ExpectSameStep(world, plain);
  }
}

TEST(StoppedDrivenStep, ASleepingBodyThatItWokeSleepsAgain) {
  SceneDef scene = MakeScene();
  scene.settings.sleep.emplace();
  World world = testing::MakeWorld(scene);
  for (int step = 0; step < 3000 && world.last_report().sleeping_body_count == 0; ++step) {
    ASSERT_TRUE(Step(world).ok());
  }
  ASSERT_GT(world.last_report().sleeping_body_count, 0);
  const std::string before = world.SaveSnapshot();
  for (size_t row = 0; row < world.body_count(); ++row) {
    if (world.bodies().kinds[row] != BodyKind::kDynamic) continue;
    const ActuatorDef wrench{ActuatorKind::kBodyWrench, ToInteger(world.bodies().ids[row]), "", 0};
    const ActuatorTargets targets = world.FindActuators(std::vector{wrench}).value();
    ASSERT_TRUE(world.Actuate(targets, std::vector{0.0, 0.0, 5.0, 0.0, 0.0, 0.0}).ok());
    EXPECT_NE(world.SaveSnapshot(), before);
    world.TakeBackActuation();
    EXPECT_EQ(world.SaveSnapshot(), before);
  }
}

TEST(StoppedDrivenStep, NothingIsTakenBackOnceAStepIsMade) {
  World world = testing::MakeWorld(MakeMotorScene());
  Drive(world, {ActuatorKind::kBodyWrench, 0, "bob", 0}, {0.0, 0.0, 9.0, 0.0, 0.0, 0.0});
  ASSERT_TRUE(Step(world).ok());
  const uint64_t after = world.state_hash();
  world.TakeBackActuation();
  EXPECT_EQ(world.state_hash(), after);
}

}  // namespace
}  // namespace talus
