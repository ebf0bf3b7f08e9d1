// A step whose beginning was made ahead: the same bits, the same answers, whatever comes between.
#include "solver/world/step_preparation.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "solver/base/limits.h"
#include "solver/base/random.h"
#include "tests/scenes/heaps.h"
#include "tests/support/flat_law_scenes.h"
#include "tests/support/mechanisms.h"

namespace talus {
namespace {

using testing::LockAxes;
using testing::MakeBob;
using testing::MakeJoint;
using testing::MakeWorld;

// Boxes and balls on a plane.
SceneDef MakeScene(ContactLaw law = ContactLaw::kNcp) {
  SceneDef scene = testing::MakeFlatLawScene(law);
  scene.settings.solver.tolerance = 1e-6;
  scene.settings.solver.max_sweeps = 60;  // steps that end without an answer must agree too
  return scene;
}

// And beside them a ball that a motor moves, and one that moves as it is told.
SceneDef MakeMotorScene() {
  SceneDef scene = MakeScene();
  scene.settings.solver.solver = SolverKind::kNewton;
  scene.bodies.push_back(MakeBob("bob", Vec3(0.0, 2.0, 0.2)));
  scene.bodies.back().shapes[0].material = "rough";
  JointDef rail = MakeJoint(nullptr, scene.bodies.back(), Vec3(0.0, 2.0, 0.2));
  rail.name = "rail";
  LockAxes(rail, 6);
  rail.axes[0] = JointAxis::Motor(0.0);
  scene.joints.push_back(rail);
  scene.bodies.push_back(MakeBob("paddle", Vec3(0.0, 0.35, 0.2)));
  BodyDef& paddle = scene.bodies.back();
  paddle.kind = BodyKind::kKinematic;
  paddle.mass_kg.reset();
  paddle.shapes[0].material = "rough";
  return scene;
}

absl::StatusOr<StepReport> Step(World& world, const StepOptions& options = {}, int cores = 1) {
  WorkerArena workers(cores);
  return world.Step(workers, options);
}

void Prepare(World& world, int cores = 1) {
  WorkerArena workers(cores);
  world.PrepareStep(workers);
}

void ExpectSameStep(World& prepared, World& plain, const StepOptions& options = {}) {
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

class StepPreparationTest : public ::testing::TestWithParam<ContactLaw> {};

TEST_P(StepPreparationTest, EveryStepHasTheSameBits) {
  World plain = MakeWorld(MakeScene(GetParam()));
  World prepared = MakeWorld(MakeScene(GetParam()));
  for (int step = 0; step < 60; ++step) {
    Prepare(prepared, 1 + step % 3);
    ASSERT_NO_FATAL_FAILURE(ExpectSameStep(prepared, plain));
  }
  EXPECT_GT(plain.last_report().contact_count, 8);
  EXPECT_EQ(prepared.SaveSnapshot(), plain.SaveSnapshot());
}

INSTANTIATE_TEST_SUITE_P(Laws, StepPreparationTest,
                         ::testing::Values(ContactLaw::kNcp, ContactLaw::kCcp, ContactLaw::kBox,
                                           ContactLaw::kBristle));

TEST(StepPreparation, OfEverySolverAndSetting) {
  struct Case {
    std::string name;
    std::function<void(SceneDef&)> change;
  };
  const std::vector<Case> cases = {
      {"PSOR",
       [](SceneDef& s) {
         s.settings.solver.law = ContactLaw::kCcp;
         s.settings.solver.solver = SolverKind::kPsor;
       }},
      {"APGD",
       [](SceneDef& s) {
         s.settings.solver.law = ContactLaw::kCcp;
         s.settings.solver.solver = SolverKind::kApgd;
       }},
      {"NEWTON", [](SceneDef& s) { s.settings.solver.solver = SolverKind::kNewton; }},
      {"cold", [](SceneDef& s) { s.settings.solver.warm_start = false; }},
      {"theta", [](SceneDef& s) { s.settings.theta = 0.5; }},
      {"sleep",
       [](SceneDef& s) {
         s.settings.sleep = SleepSettings{0.05, 0.05};
       }},
      {"domain",
       [](SceneDef& s) {
         s.domain = Domain{Vec3(-9, -9, -9), Vec3(-0.1, 9, 9)};
       }},
      {"elastic",
       [](SceneDef& s) {
         s.materials[0].material.restitution = 0.0;
         s.materials[0].material.elasticity = {.normal_stiffness_n_per_m = 5e4,
                                               .sliding_stiffness_n_per_m = 3e4};
       }},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    SceneDef scene = MakeScene();
    one.change(scene);
    World plain = MakeWorld(scene);
    World prepared = MakeWorld(scene);
    for (int step = 0; step < 60; ++step) {
      Prepare(prepared);
      ASSERT_NO_FATAL_FAILURE(ExpectSameStep(prepared, plain));
    }
  }
}

// Blocks in floats, and more than one chunk of everything.
TEST(StepPreparation, OfManyContacts) {
  SceneDef scene = scenes::Heap({.stones = 1200});
  scene.settings.solver = {.law = ContactLaw::kCcp, .tolerance = 1e-3, .max_sweeps = 20};
  World plain = MakeWorld(scene);
  World prepared = MakeWorld(scene);
  for (int step = 0; step < 4; ++step) {
    Prepare(prepared, 2);
    ASSERT_NO_FATAL_FAILURE(ExpectSameStep(prepared, plain));
    ASSERT_GE(plain.last_report().contact_count, 1024);
  }
}

// So many steps that nothing came between that the next preparation goes on to the result.
constexpr int kStepsUntilSolved = 2;

void StepUntilSolvedAhead(World& world) {
  for (int step = 0; step < kStepsUntilSolved; ++step) {
    Prepare(world);
    ASSERT_TRUE(Step(world).ok());
  }
}

class AskedBesideAPreparation : public ::testing::TestWithParam<bool> {};

TEST_P(AskedBesideAPreparation, NothingHasChanged) {
  World world = MakeWorld(MakeMotorScene());
  for (int step = 0; step < 5; ++step) {
    if (GetParam()) Prepare(world);
    ASSERT_TRUE(Step(world, {.capture = ProblemCapture::kAlways}).ok());
  }
  const LastStep before = world.SaveLastStep();
  const std::string snapshot = world.SaveSnapshot();
  const uint64_t hash = world.state_hash();
  ASSERT_FALSE(world.Contacts().empty());
  Prepare(world);
  const LastStep after = world.SaveLastStep();
  EXPECT_EQ(after.contacts, before.contacts);
  EXPECT_EQ(after.problem, before.problem);
  EXPECT_EQ(after.report.contact_count, before.report.contact_count);
  EXPECT_EQ(after.report.stage_times.Total(), before.report.stage_times.Total());
  EXPECT_EQ(world.SaveSnapshot(), snapshot);
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(world.step_index(), 5);
}

INSTANTIATE_TEST_SUITE_P(Solved, AskedBesideAPreparation, ::testing::Bool());

TEST(StepPreparation, IsPartOfTheTimesOfTheStep) {
  World world = MakeWorld(MakeScene());
  EXPECT_EQ(Step(world)->made_ahead, MadeAhead::kNothing);
  for (int step = 0; step < kStepsUntilSolved + 2; ++step) {
    Prepare(world);
    const auto report = Step(world);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->made_ahead,
              step < kStepsUntilSolved ? MadeAhead::kBeginning : MadeAhead::kResult);
    EXPECT_GT(report->stage_times.find_pairs_s, 0.0);
    EXPECT_GT(report->stage_times.find_contacts_s, 0.0);
    EXPECT_GT(report->stage_times.assemble_problem_s, 0.0);
    EXPECT_GT(report->stage_times.solve_contacts_s, 0.0);
    EXPECT_GT(report->stage_times.advance_poses_s, 0.0);
  }
}

void Drive(World& world, const ActuatorDef& actuator, const std::vector<double>& values) {
  const auto targets = world.FindActuators(std::vector{actuator});
  ASSERT_TRUE(targets.ok()) << targets.status();
  const absl::Status status = world.Actuate(*targets, values);
  ASSERT_TRUE(status.ok()) << status;
}

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

TEST(StepPreparation, WhateverIsChangedBetweenItAndTheStep) {
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

class OptionsAfterAPreparation : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) StepUntilSolvedAhead(plain_);
    if (GetParam()) StepUntilSolvedAhead(prepared_);
  }
  void ExpectSame(const StepOptions& options) {
    Prepare(prepared_);
    ExpectSameStep(prepared_, plain_, options);
  }

  World plain_ = MakeWorld(MakeScene());
  World prepared_ = MakeWorld(MakeScene());
};

TEST_P(OptionsAfterAPreparation, ARefusedStep) {
  const int64_t before = plain_.step_index();
  ExpectSame({.most_contacts = 2});
  EXPECT_EQ(prepared_.step_index(), before);
  EXPECT_TRUE(prepared_.Contacts().empty());
  ExpectSame({});
  EXPECT_EQ(prepared_.step_index(), before + 1);
}

TEST_P(OptionsAfterAPreparation, AKeptProblem) {
  for (int step = 0; step < 5; ++step) {
    ExpectSame({.capture = step < 3 ? ProblemCapture::kAlways : ProblemCapture::kUnconverged});
    EXPECT_EQ(prepared_.kept_problem()->step_index, plain_.kept_problem()->step_index);
    EXPECT_EQ(prepared_.kept_problem()->problem.free_rows,
              plain_.kept_problem()->problem.free_rows);
    EXPECT_EQ(prepared_.kept_problem()->impulse, plain_.kept_problem()->impulse);
  }
}

TEST_P(OptionsAfterAPreparation, AHistoryOfResiduals) {
  ExpectSame({.residual_history = true});
  EXPECT_FALSE(prepared_.last_report().residual_history.empty());
  EXPECT_EQ(prepared_.last_report().residual_history, plain_.last_report().residual_history);
  ExpectSame({});
  EXPECT_TRUE(prepared_.last_report().residual_history.empty());
}

INSTANTIATE_TEST_SUITE_P(Solved, OptionsAfterAPreparation, ::testing::Bool());

// A ball that is pushed until it is faster than a state may be: in the first step, the second, and
// so on.
TEST(StepPreparation, OfAStepThatFails) {
  for (int last = 0; last < 5; ++last) {
    SCOPED_TRACE(last);
    SceneDef scene = MakeScene();
    scene.bodies.push_back(MakeBob("gone", Vec3(0.0, 0.0, 10.0)));
    scene.bodies.back().shapes[0].material = "rough";
    World plain = MakeWorld(scene);
    World prepared = MakeWorld(scene);
    const double pushed_m_s = kMaxStateSpeedMS / (last + 0.5);
    const double force = pushed_m_s * *scene.bodies.back().mass_kg / scene.settings.time_step_s;
    for (World* world : {&plain, &prepared}) {
      Drive(*world, {.kind = ActuatorKind::kBodyWrench, .id = 0, .name = "gone", .axis = 0},
            {force, 0.0, 0.0, 0.0, 0.0, 0.0});
    }
    for (int step = 0; step < last + 3; ++step) {
      Prepare(prepared);
      ASSERT_NO_FATAL_FAILURE(ExpectSameStep(prepared, plain));
      ASSERT_EQ(plain.fault().empty(), step < last);
      EXPECT_EQ(prepared.fault(), plain.fault());
      EXPECT_EQ(prepared.SaveSnapshot(), plain.SaveSnapshot());
    }
  }
}

}  // namespace
}  // namespace talus
