// A step whose beginning was made ahead: the same bits, the same answers, whatever comes between.
#include "solver/world/step_preparation.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "solver/base/limits.h"
#include "tests/scenes/heaps.h"
#include "tests/support/flat_law_scenes.h"
#include "tests/support/mechanisms.h"
#include "tests/unit/solver/world/preparation_scenes.h"

namespace talus {
namespace {

using testing::MakeBob;
using testing::MakeWorld;

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
      {"NSGS", [](SceneDef& s) { s.settings.solver.solver = SolverKind::kNsgs; }},
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

TEST(StepPreparation, OfAResultThatIsStoppedLeavesNothing) {
  World plain = MakeWorld(MakeScene());
  World prepared = MakeWorld(MakeScene());
  WorkerArena workers(1);
  for (World* world : {&plain, &prepared}) StepUntilSolvedAhead(*world);
  int asks = 0;
  prepared.PrepareStep(workers, [&] { return ++asks == 2; });
  EXPECT_EQ(asks, 2) << "once it has said so nobody asks again";
  ExpectSameStep(prepared, plain);
  EXPECT_EQ(prepared.last_report().made_ahead, MadeAhead::kNothing);
  ExpectSameStep(prepared, plain);
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
