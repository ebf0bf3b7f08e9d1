// What a step takes of what was made ahead of it, and when that is made.
#include "solver/world/prepared_step.h"

#include <gtest/gtest.h>

#include <vector>

#include "solver/world/scene_assembly.h"
#include "solver/world/step_pipeline.h"
#include "solver/world/step_preparation.h"
#include "tests/support/flat_law_scenes.h"

namespace talus {
namespace {

SceneDef MakePreparedScene() { return testing::MakeFlatLawScene(ContactLaw::kNcp); }

// So many steps that nothing came between that the next preparation goes on to the result.
constexpr int kPreparedStepStepsUntilSolved = 2;

// The stages themselves, to see what they take.
class Stages {
 public:
  explicit Stages(const SceneDef& scene) : state(AssembleScene(scene)) {}

  const PreparedStep& Prepare() {
    StepReport report;
    StepContext context{state, workers_, buffers_, report, options_};
    PrepareStepAhead(context);
    return buffers_.prepared;
  }
  // What it found made.
  struct Taken {
    bool problem = false;
    bool result = false;
  };
  Taken Step(const StepOptions& options = {}) {
    StepReport report;
    StepContext context{state, workers_, buffers_, report, options};
    EXPECT_TRUE(AdvanceScene(context).ok());
    EXPECT_FALSE(buffers_.prepared.made());
    return {context.assembled, context.solved};
  }
  bool StepTakesTheProblem() { return Step().problem; }
  void ForgetResult() { buffers_.prepared.ForgetResult(); }

  SceneState state;

 private:
  WorkerArena workers_{1};
  StepBuffers buffers_;
  StepOptions options_;
};

TEST(PreparedStep, IsTakenByTheNextStepAndByNoOther) {
  Stages stages(MakePreparedScene());
  EXPECT_FALSE(stages.StepTakesTheProblem());
  for (int step = 0; step < kPreparedStepStepsUntilSolved; ++step) {
    const PreparedStep& prepared = stages.Prepare();
    EXPECT_TRUE(prepared.made());
    EXPECT_TRUE(prepared.assembled);
    EXPECT_FALSE(prepared.solved);
    EXPECT_GT(prepared.report.contact_count, 8);
    EXPECT_TRUE(stages.StepTakesTheProblem());
  }
  for (int step = 0; step < 3; ++step) {
    EXPECT_TRUE(stages.Prepare().solved);
    EXPECT_TRUE(stages.Step().result);
  }
  const Stages::Taken taken = stages.Step();
  EXPECT_FALSE(taken.problem);
  EXPECT_FALSE(taken.result);
}

TEST(PreparedStep, GoesOnToTheResultWhereNothingNewCame) {
  Stages stages(MakePreparedScene());
  const auto take = [&] {
    stages.Prepare();
    return stages.Step().result;
  };
  EXPECT_FALSE(take());
  EXPECT_FALSE(take());
  EXPECT_TRUE(take());
  // Targets that come in every step.
  for (int step = 0; step < 4; ++step) {
    const PreparedStep& prepared = stages.Prepare();
    ASSERT_TRUE(prepared.made());
    EXPECT_EQ(prepared.solved, step == 0);
    stages.ForgetResult();
    const Stages::Taken taken = stages.Step();
    EXPECT_EQ(taken.problem, step > 0);  // which a solve uses up
    EXPECT_FALSE(taken.result);
  }
  EXPECT_FALSE(take());
  EXPECT_FALSE(take());
  EXPECT_TRUE(take());
}

TEST(PreparedStep, ItsResultIsNotTakenWhereMoreIsWanted) {
  Stages stages(MakePreparedScene());
  for (int step = 0; step < 10; ++step) {
    stages.Prepare();
    stages.Step();
  }
  ASSERT_TRUE(stages.Prepare().solved);
  EXPECT_FALSE(stages.Step({.residual_history = true}).result);
  for (int step = 0; step < 10; ++step) {
    stages.Prepare();
    stages.Step();
  }
  ASSERT_TRUE(stages.Prepare().solved);
  EXPECT_FALSE(stages.Step({.capture = ProblemCapture::kAlways}).result);
}

TEST(PreparedStep, IsLeftToTheStepWhereOtherThingsComeFirst) {
  SceneDef asleep = MakePreparedScene();
  asleep.settings.sleep = SleepSettings{0.05, 0.05};
  EXPECT_FALSE(Stages(asleep).Prepare().made());
  Stages born(MakePreparedScene());
  born.state.emitters.emplace_back();
  EXPECT_FALSE(born.Prepare().made());
  // Contacts without their problem.
  Stages flat(testing::MakeFlatLawScene(ContactLaw::kBox));
  EXPECT_TRUE(flat.Prepare().made());
  EXPECT_FALSE(flat.StepTakesTheProblem());
}

TEST(PreparedStep, IsSolvedOnlyAfterStepsWithNothingNew) {
  PreparedStep prepared;
  const auto take = [&] {
    prepared.NoteMade();
    prepared.Take();
  };
  EXPECT_FALSE(prepared.IsWorthSolving());
  take();
  EXPECT_FALSE(prepared.IsWorthSolving());
  take();
  EXPECT_TRUE(prepared.IsWorthSolving());
  prepared.ForgetResult();
  EXPECT_FALSE(prepared.IsWorthSolving());
  take();
  take();
  EXPECT_FALSE(prepared.IsWorthSolving());
  take();
  EXPECT_TRUE(prepared.IsWorthSolving());
  prepared.NoteMade();
  prepared.Forget();
  EXPECT_FALSE(prepared.IsWorthSolving());
}

TEST(PreparedStep, IsMadeMoreRarelyTheOftenerItIsMadeForNothing) {
  PreparedStep prepared;
  std::vector<int> made_at;
  for (int step = 0; step < 140; ++step) {
    if (prepared.IsWorthMaking()) {
      made_at.push_back(step);
      prepared.NoteMade();
    }
    prepared.Forget();
  }
  EXPECT_EQ(made_at, (std::vector<int>{0, 1, 4, 11, 26, 57, 120}));
  while (!prepared.IsWorthMaking()) {
  }
  prepared.NoteMade();
  prepared.Take();
  EXPECT_FALSE(prepared.made());
  for (int step = 0; step < 3; ++step) {
    EXPECT_TRUE(prepared.IsWorthMaking());
    prepared.NoteMade();
    prepared.Take();
  }
}

}  // namespace
}  // namespace talus
