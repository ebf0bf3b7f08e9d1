#include "server/runtime/scene_actor.h"

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using testing::FallingBalls;
using testing::Gate;
using testing::HoldAt;
using testing::kEndless;
using testing::MakeWorld;
using testing::RunawayBall;
using testing::Stage;
using testing::Steps;
using Code = absl::StatusCode;

constexpr FrameParts kAllParts{true, true, true, true, true};

TEST(SceneActorTest, StepsToTheSameBitsAsTheLibrary) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(3));
  World world = MakeWorld(FallingBalls(3));
  WorkerArena alone(1);
  for (int step = 0; step < 10; ++step) ASSERT_TRUE(world.Step(alone).ok());
  Answer<StepAnswer> answer;
  StepCall call = Steps(10);
  call.parts = kAllParts;
  scene->Step(call, nullptr, answer.Done());
  const auto result = answer.Get();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->steps_done, 10);
  EXPECT_EQ(result->frame->step_index, 10);
  EXPECT_EQ(result->frame->state_hash, world.state_hash());
  EXPECT_EQ(result->frame->report.step_index, 10);
  ASSERT_EQ(result->frame->positions_world_m.size(), 9u);
  EXPECT_EQ(result->frame->positions_world_m[8], world.bodies().positions[2].z());
  ASSERT_EQ(result->frame->orientations_wxyz.size(), 12u);
  EXPECT_EQ(result->frame->orientations_wxyz[0], 1.0);
  EXPECT_EQ(result->frame->layout->body_names[1], "ball1");
  EXPECT_EQ(scene->info().state_hash, world.state_hash());
}

TEST(SceneActorTest, AnswersTellWhoHoldsTheLease) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  const auto token = scene->TakeLease({.holder = "pilot", .take_over = false, .lost = {}});
  ASSERT_TRUE(token.ok());
  const auto control = std::make_shared<CallControl>(Clock::TimePoint::max(), *token);
  Answer<SceneInfo> paused, restored, reset;
  scene->Pause(control, paused.Done());
  EXPECT_EQ(paused.Get()->holder, "pilot");
  scene->Restore(MakeWorld(FallingBalls(2)), control, restored.Done());
  EXPECT_EQ(restored.Get()->holder, "pilot");
  Answer<ReadAnswer> read;
  scene->Read({}, nullptr, read.Done());
  EXPECT_EQ(read.Get()->info.holder, "pilot");
  scene->GiveBackLease(*token);
  scene->Reset({}, nullptr, reset.Done());
  EXPECT_EQ(reset.Get()->holder, "");
}

TEST(SceneActorTest, ChangesHappenInTheOrderTheyCame) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  std::vector<Answer<StepAnswer>> answers(5);
  for (int64_t index = 0; index < 5; ++index) {
    StepCall call = Steps(index + 1);
    call.expected_step_index = index * (index + 1) / 2;
    scene->Step(call, nullptr, answers[static_cast<size_t>(index)].Done());
  }
  gate->Open();
  for (auto& answer : answers) EXPECT_TRUE(answer.Get().ok());
  EXPECT_EQ(scene->info().step_index, 15);
}

// Which steps are short is for the machine to say, so some of many must be made here: steps of
// nothing, for ThreadSanitizer makes those of one ball long.
TEST(SceneActorTest, ShortStepsAreMadeByWhoBringsThemIfHeAllowsIt) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(0));
  const auto count_here = [&](bool may_run_here) {
    int here = 0;
    for (int step = 0; step < 100; ++step) {
      // A turn goes on for a moment after its answer, and what comes meanwhile is for its thread.
      while (stage.executor().busy_count() > 0) std::this_thread::yield();
      StepCall call = Steps(1);
      call.may_run_here = may_run_here;
      Answer<StepAnswer> answer;
      std::thread::id thread;
      scene->Step(call, nullptr, [&](absl::StatusOr<StepAnswer> result) {
        thread = std::this_thread::get_id();
        answer.Done()(std::move(result));
      });
      EXPECT_TRUE(answer.Get().ok());
      here += thread == std::this_thread::get_id() ? 1 : 0;
    }
    return here;
  };
  EXPECT_EQ(count_here(false), 0);
  EXPECT_GT(count_here(true), 0);
  EXPECT_EQ(scene->info().step_index, 200);
}

TEST(SceneActorTest, PreparationsBetweenStepsAndBesideThemChangeNothing) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(2));
  std::atomic<bool> over{false};
  std::thread beside([&] {
    while (!over) {
      scene->PrepareStep();
      Answer<ReadAnswer> read;
      scene->Read({}, nullptr, read.Done());
      EXPECT_TRUE(read.Get().ok());
    }
  });
  World world = MakeWorld(FallingBalls(2));
  WorkerArena alone(1);
  for (int step = 0; step < 300; ++step) {
    StepCall call = Steps(1);
    call.may_run_here = step % 3 != 0;
    Answer<StepAnswer> answer;
    scene->Step(call, nullptr, answer.Done());
    scene->PrepareStep();
    const auto result = answer.Get();
    EXPECT_TRUE(world.Step(alone).ok());
    EXPECT_TRUE(result.ok()) << result.status();
    if (!result.ok()) break;
    EXPECT_EQ(result->frame->state_hash, world.state_hash()) << step;
  }
  over = true;
  beside.join();
}

TEST(SceneActorTest, RefusesAWrongStepIndex) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  Answer<StepAnswer> answer;
  StepCall call = Steps(1);
  call.expected_step_index = 7;
  scene->Step(call, nullptr, answer.Done());
  const ErrorInfo info = answer.GetError(Code::kFailedPrecondition);
  EXPECT_EQ(info.reason, ErrorReason::kStepIndexMismatch);
  EXPECT_EQ(info.step_index, 0);
  EXPECT_EQ(scene->info().step_index, 0);
}

TEST(SceneActorTest, RefusesStepCountsOutOfRange) {
  Stage stage;
  stage.limits.steps_per_call = 10;
  auto scene = stage.MakeActor(FallingBalls(1));
  Answer<StepAnswer> none;
  scene->Step(Steps(0), nullptr, none.Done());
  EXPECT_EQ(none.GetError(Code::kInvalidArgument).field, "step_count");
  Answer<StepAnswer> many;
  scene->Step(Steps(11), nullptr, many.Done());
  const ErrorInfo info = many.GetError(Code::kResourceExhausted);
  EXPECT_EQ(info.limit_name, "steps_per_call");
  EXPECT_EQ(info.limit_value, 10);
}

TEST(SceneActorTest, AFullMailboxRefusesAndDisturbsNothing) {
  Stage stage;
  stage.limits.mailbox_depth = 2;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  std::vector<Answer<StepAnswer>> answers(3);
  for (auto& answer : answers) scene->Step(Steps(1), nullptr, answer.Done());
  const ErrorInfo info = answers[2].GetError(Code::kResourceExhausted);
  EXPECT_EQ(info.reason, ErrorReason::kMailboxFull);
  EXPECT_GE(info.retry_after_ms, 1);
  gate->Open();
  EXPECT_TRUE(answers[0].Get().ok());
  EXPECT_TRUE(answers[1].Get().ok());
  EXPECT_EQ(scene->info().step_index, 2);
}

TEST(SceneActorTest, ReadsAreServedDuringALongStep) {
  Stage stage(1);
  auto scene = stage.MakeActor(FallingBalls(1));
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> step;
  scene->Step(Steps(kEndless), control, step.Done());
  int64_t last_index = -1;
  for (int round = 0; round < 5; ++round) {
    Answer<ReadAnswer> read;
    scene->Read({kAllParts, true}, nullptr, read.Done());
    const auto result = read.Get();
    ASSERT_TRUE(result.ok());
    EXPECT_GE(result->frame->step_index, last_index);
    EXPECT_EQ(result->frame->step_index, result->info.step_index);
    EXPECT_EQ(result->frame->state_hash, result->info.state_hash);
    last_index = result->frame->step_index;
  }
  control->Cancel();
  EXPECT_EQ(step.GetError(Code::kCancelled).reason, ErrorReason::kCancelled);
}

TEST(SceneActorTest, ALongStepDoesNotStarveAnotherScene) {
  Stage stage(1);
  auto busy = stage.MakeActor(FallingBalls(1), "busy");
  auto quick = stage.MakeActor(FallingBalls(1), "quick");
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> endless;
  busy->Step(Steps(kEndless), control, endless.Done());
  for (int round = 0; round < 10; ++round) {
    Answer<StepAnswer> answer;
    quick->Step(Steps(1), nullptr, answer.Done());
    EXPECT_TRUE(answer.Get().ok());
  }
  EXPECT_FALSE(endless.there());
  control->Cancel();
  EXPECT_EQ(endless.GetError(Code::kCancelled).reason, ErrorReason::kCancelled);
}

TEST(SceneActorTest, AFaultedSceneRefusesChangesAndAnswersReads) {
  Stage stage;
  auto scene = stage.MakeActor(RunawayBall());
  Answer<SceneSnapshot> before;
  scene->TakeSnapshot(nullptr, before.Done());
  auto saved = before.Get();
  ASSERT_TRUE(saved.ok());
  Answer<StepAnswer> fatal;
  scene->Step(Steps(5000), nullptr, fatal.Done());
  const ErrorInfo info = fatal.GetError(Code::kFailedPrecondition);
  EXPECT_EQ(info.reason, ErrorReason::kSceneFaulted);
  EXPECT_GT(info.steps_done, 100);
  EXPECT_EQ(info.step_index, info.steps_done);
  EXPECT_FALSE(scene->info().fault.empty());
  Answer<StepAnswer> again;
  scene->Step(Steps(1), nullptr, again.Done());
  EXPECT_EQ(again.GetError(Code::kFailedPrecondition).reason, ErrorReason::kSceneFaulted);
  Answer<AddBodiesAnswer> add;
  scene->AddBodies({}, nullptr, add.Done());
  EXPECT_EQ(add.GetError(Code::kFailedPrecondition).reason, ErrorReason::kSceneFaulted);
  Answer<ReadAnswer> read;
  scene->Read({kAllParts, true}, nullptr, read.Done());
  const auto state = read.Get();
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(state->frame->step_index, info.step_index);
  EXPECT_FALSE(state->info.fault.empty());
  Answer<SceneInfo> restore;
  scene->Restore(*World::Restore(saved->bytes), nullptr, restore.Done());
  ASSERT_TRUE(restore.Get().ok());
  EXPECT_EQ(scene->info().fault, "");
  Answer<StepAnswer> healthy;
  scene->Step(Steps(1), nullptr, healthy.Done());
  EXPECT_TRUE(healthy.Get().ok());
}

TEST(SceneActorTest, AddsAndRemovesBodiesWithinTheLimit) {
  Stage stage;
  stage.limits.bodies_per_scene = 3;
  auto scene = stage.MakeActor(FallingBalls(2));
  SceneDef more = FallingBalls(4);
  const int64_t version = scene->info().layout_version;
  Answer<AddBodiesAnswer> too_many;
  scene->AddBodies({{more.bodies[2], more.bodies[3]}, {}}, nullptr, too_many.Done());
  EXPECT_EQ(too_many.GetError(Code::kResourceExhausted).limit_name, "bodies_per_scene");
  EXPECT_EQ(scene->info().body_count, 2);
  Answer<AddBodiesAnswer> taken;
  scene->AddBodies({{more.bodies[1]}, {}}, nullptr, taken.Done());
  EXPECT_EQ(taken.GetError(Code::kAlreadyExists).reason, ErrorReason::kDuplicateName);
  more.bodies[2].mass_kg = -2.0;
  Answer<AddBodiesAnswer> bad;
  scene->AddBodies({{more.bodies[2]}, {}}, nullptr, bad.Done());
  EXPECT_EQ(bad.GetError(Code::kInvalidArgument).field, "bodies[0].mass_kg");
  Answer<AddBodiesAnswer> add;
  scene->AddBodies({{more.bodies[3]}, {}}, nullptr, add.Done());
  const auto added = add.Get();
  ASSERT_TRUE(added.ok());
  EXPECT_EQ(added->layout->body_names.back(), "ball3");
  EXPECT_GT(added->layout->version, version);
  Answer<std::shared_ptr<const Layout>> missing;
  scene->RemoveBodies({{}, {"nobody"}}, nullptr, missing.Done());
  EXPECT_EQ(missing.GetError(Code::kNotFound).reason, ErrorReason::kNotFound);
  Answer<std::shared_ptr<const Layout>> remove;
  scene->RemoveBodies({added->body_ids, {"ball0"}}, nullptr, remove.Done());
  const auto left = remove.Get();
  ASSERT_TRUE(left.ok());
  EXPECT_EQ((*left)->body_names, std::vector<std::string>{"ball1"});
  EXPECT_EQ(scene->info().body_count, 1);
}

TEST(SceneActorTest, WhatEmittersOweCountsAsBodies) {
  Stage stage;
  stage.limits.bodies_per_scene = 100;
  auto scene = stage.MakeActor(FallingBalls(1));
  EmitterDef emitter;
  emitter.name = "spout";
  emitter.center_world_m = Vec3(0.0, 0.0, 5.0);
  emitter.nozzle_radius_m = 0.1;
  emitter.rate_per_s = 100.0;
  emitter.particle_count = 100;
  emitter.radius_min_m = emitter.radius_max_m = 0.01;
  emitter.density_kg_m3 = 1000.0;
  Answer<SceneInfo> too_many;
  scene->AddEmitters({{emitter}, {}}, nullptr, too_many.Done());
  EXPECT_EQ(too_many.GetError(Code::kResourceExhausted).limit_value, 100);
  emitter.particle_count = 99;
  Answer<SceneInfo> add;
  scene->AddEmitters({{emitter}, {}}, nullptr, add.Done());
  const auto info = add.Get();
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->particles_pending, 99);
  Answer<SceneInfo> remove;
  scene->RemoveEmitters({"spout"}, nullptr, remove.Done());
  ASSERT_TRUE(remove.Get().ok());
  EXPECT_EQ(scene->info().emitter_count, 0);
}

TEST(SceneActorTest, ForksAndSnapshotsAreExact) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(2));
  Answer<StepAnswer> step;
  scene->Step(Steps(5), nullptr, step.Done());
  ASSERT_TRUE(step.Get().ok());
  Answer<std::vector<World>> fork;
  scene->Fork(2, nullptr, fork.Done());
  auto forks = fork.Get();
  ASSERT_TRUE(forks.ok());
  ASSERT_EQ(forks->size(), 2u);
  EXPECT_EQ((*forks)[1].state_hash(), scene->info().state_hash);
  Answer<SceneSnapshot> save;
  scene->TakeSnapshot(nullptr, save.Done());
  const auto saved = save.Get();
  ASSERT_TRUE(saved.ok());
  EXPECT_EQ(saved->step_index, 5);
  EXPECT_EQ(saved->state_hash, scene->info().state_hash);
  EXPECT_EQ(World::Restore(saved->bytes)->state_hash(), saved->state_hash);
}

TEST(SceneActorTest, TheLayoutVersionGrowsOverARestore) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(2));
  Answer<SceneSnapshot> save;
  scene->TakeSnapshot(nullptr, save.Done());
  const auto saved = save.Get();
  Answer<std::shared_ptr<const Layout>> remove;
  scene->RemoveBodies({{}, {"ball0"}}, nullptr, remove.Done());
  const int64_t version = (*remove.Get())->version;
  Answer<SceneInfo> restore;
  scene->Restore(*World::Restore(saved->bytes), nullptr, restore.Done());
  const auto info = restore.Get();
  ASSERT_TRUE(info.ok());
  EXPECT_GT(info->layout_version, version);
  EXPECT_EQ(info->body_count, 2);
  EXPECT_EQ(info->state_hash, saved->state_hash);
}

}  // namespace
}  // namespace talus
