#include "server/session/scene_evictor.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/storing_host.h"
#include "tests/support/wait_until.h"

namespace talus {
namespace {

namespace fs = std::filesystem;
using testing::Answer;
using testing::FallingBalls;
using testing::MakeWorld;
using testing::RunawayBall;
using testing::Steps;
using testing::WaitUntil;
using Code = absl::StatusCode;

constexpr std::chrono::seconds kIdle{80};
constexpr std::chrono::seconds kRound{10};
constexpr FrameParts kAllParts{true, true, true, true, true};

// Two balls that come to lie on the ground.
SceneDef BallsOnGround() {
  SceneDef scene = FallingBalls(2);
  for (BodyDef& ball : scene.bodies) ball.pose_world.position.z() = 0.05;
  BodyDef ground;
  ground.name = "ground";
  ground.kind = BodyKind::kStatic;
  ShapeDef plane;
  plane.geometry = Plane{Vec3::UnitZ()};
  ground.shapes.push_back(plane);
  scene.bodies.push_back(ground);
  return scene;
}

uint64_t HashAfter(const SceneDef& scene, int steps) {
  World world = MakeWorld(scene);
  WorkerArena alone(1);
  for (int step = 0; step < steps; ++step) EXPECT_TRUE(world.Step(alone).ok());
  return world.state_hash();
}

class SceneEvictorTest : public testing::StoringHost {
 protected:
  void SetOptions() override { options_.evict_after = kIdle; }
  std::shared_ptr<SceneActor> Create(const std::string& id, const SceneDef& scene) {
    StoringHost::Create(id, scene);
    return host_->registry().Find(id).value();
  }
  static absl::StatusOr<StepAnswer> Step(SceneActor& scene, int64_t count) {
    Answer<StepAnswer> answer;
    scene.Step(Steps(count), nullptr, answer.Done());
    return answer.Get();
  }
  static absl::StatusOr<ReadAnswer> Read(SceneActor& scene) {
    Answer<ReadAnswer> answer;
    ReadCall call{.parts = kAllParts, .energy = true, .problem = true};
    scene.Read(call, nullptr, answer.Done());
    return answer.Get();
  }
  // Lets one look at the scenes begin and waits until it has planned the next.
  void PassRound() {
    const size_t planned = options_.autosave_period.count() > 0 ? 2 : 1;
    clock_.Advance(kRound);
    ASSERT_TRUE(WaitUntil([&] { return clock_.waiting_count() == planned; }));
  }
  void PassIdleTime() {
    for (auto passed = std::chrono::seconds(0); passed <= kIdle; passed += kRound) PassRound();
  }
  int CountFiles() const {
    return static_cast<int>(std::distance(fs::directory_iterator(directory_ / "evicted"), {}));
  }
};

TEST_F(SceneEvictorTest, ASceneThatNobodyUsedGoesAndComesBackWithTheSameBits) {
  auto scene = Create("a", BallsOnGround());
  ASSERT_TRUE(Step(*scene, 5).ok());
  const SceneInfo before = scene->info();
  PassIdleTime();
  EXPECT_TRUE(scene->info().evicted);
  EXPECT_EQ(scene->info().state_hash, before.state_hash);
  EXPECT_EQ(scene->info().body_count, 3);
  EXPECT_EQ(CountFiles(), 3);
  EXPECT_EQ(host_->load().scenes.evicted, 1);
  EXPECT_EQ(host_->load().evictions, 1);
  EXPECT_EQ(CountEvents("scene evicted", "scenes/a"), 1);

  const auto step = Step(*scene, 5);
  ASSERT_TRUE(step.ok()) << step.status();
  EXPECT_EQ(step->frame->step_index, 10);
  EXPECT_EQ(step->frame->state_hash, HashAfter(BallsOnGround(), 10));
  EXPECT_FALSE(scene->info().evicted);
  EXPECT_EQ(CountFiles(), 0);
  EXPECT_EQ(host_->load().returns, 1);
  PassIdleTime();
  EXPECT_TRUE(scene->info().evicted);
  EXPECT_EQ(host_->load().evictions, 2);
}

TEST_F(SceneEvictorTest, RaysBringASceneBack) {
  auto scene = Create("a", BallsOnGround());
  const SceneInfo before = scene->info();
  PassIdleTime();
  ASSERT_TRUE(scene->info().evicted);
  RayQuery down;
  down.rays.push_back({Vec3(100, 0, 5), -Vec3::UnitZ()});
  Answer<ReadAnswer> answer;
  scene->Read({.parts = {}, .rays = std::make_shared<const RayQuery>(down)}, nullptr,
              answer.Done());
  const auto read = answer.Get();
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->ray_hits.size(), 1u);
  EXPECT_TRUE(read->ray_hits[0].hit);
  EXPECT_EQ(read->ray_hits[0].body, BodyId{3});
  EXPECT_FALSE(scene->info().evicted);
  EXPECT_EQ(scene->info().state_hash, before.state_hash);
}

TEST_F(SceneEvictorTest, ALongStepIsUseUntilItsEnd) {
  auto scene = Create("a", BallsOnGround());
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> endless;
  scene->Step(Steps(testing::kEndless), control, endless.Done());
  ASSERT_TRUE(WaitUntil([&] { return scene->info().step_index > 0; }));
  PassIdleTime();
  control->Cancel();
  EXPECT_EQ(endless.Get().status().code(), absl::StatusCode::kCancelled);
  PassRound();
  EXPECT_FALSE(scene->info().evicted) << "its time begins now";
  PassIdleTime();
  EXPECT_TRUE(scene->info().evicted);
}

TEST_F(SceneEvictorTest, WhatIsToldOfTheLastStepIsToldAfterwards) {
  auto scene = Create("a", BallsOnGround());
  StepCall call = Steps(3);
  call.capture = ProblemCapture::kAlways;
  Answer<StepAnswer> stepped;
  scene->Step(call, nullptr, stepped.Done());
  ASSERT_TRUE(stepped.Get().ok());
  const auto before = Read(*scene);
  ASSERT_TRUE(before.ok());
  ASSERT_EQ(before->frame->contacts.size(), 2u);
  PassIdleTime();
  ASSERT_TRUE(scene->info().evicted);
  const auto after = Read(*scene);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(after->frame->moment, before->frame->moment);
  EXPECT_EQ(after->frame->layout->version, before->frame->layout->version);
  EXPECT_EQ(after->frame->layout->body_names, before->frame->layout->body_names);
  EXPECT_EQ(after->frame->positions_world_m, before->frame->positions_world_m);
  EXPECT_EQ(after->frame->linear_velocities_world_m_s, before->frame->linear_velocities_world_m_s);
  EXPECT_EQ(after->frame->report.residual, before->frame->report.residual);
  EXPECT_EQ(after->frame->report.contact_count, 2);
  ASSERT_NE(before->problem, nullptr);
  EXPECT_EQ(after->problem, before->problem);
  ASSERT_EQ(after->frame->contacts.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(after->frame->contacts[i].force_world_n, before->frame->contacts[i].force_world_n);
    EXPECT_EQ(after->frame->contacts[i].gap_m, before->frame->contacts[i].gap_m);
    EXPECT_EQ(after->frame->contacts[i].mode, before->frame->contacts[i].mode);
  }
}

TEST_F(SceneEvictorTest, AResetGoesBackToHowTheSceneCameHere) {
  auto scene = Create("a", BallsOnGround());
  const uint64_t start = scene->info().state_hash;
  ASSERT_TRUE(Step(*scene, 20).ok());
  PassIdleTime();
  ASSERT_TRUE(scene->info().evicted);
  Answer<SceneInfo> answer;
  ResetCall call;
  call.all = true;
  scene->Reset(call, nullptr, answer.Done());
  const auto info = answer.Get();
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->state_hash, start);
  EXPECT_EQ(info->step_index, 0);
}

TEST_F(SceneEvictorTest, WhoeverUsesASceneKeepsItInMemory) {
  auto stepped = Create("stepped", FallingBalls(1));
  auto runs = Create("runs", FallingBalls(1));
  auto leased = Create("leased", FallingBalls(1));
  auto watched = Create("watched", FallingBalls(1));
  auto idle = Create("idle", FallingBalls(1));
  Answer<SceneInfo> run;
  RunCall forever;
  forever.real_time_factor = 1e-6;  // hardly ever a step
  runs->Run(forever, nullptr, run.Done());
  ASSERT_TRUE(run.Get().ok());
  const auto token = leased->TakeLease({"holder", false, nullptr});
  ASSERT_TRUE(token.ok());
  auto watch = watched->Watch({}, [] {});
  ASSERT_TRUE(watch.ok());
  for (auto passed = std::chrono::seconds(0); passed <= 2 * kIdle; passed += kRound) {
    ASSERT_TRUE(Step(*stepped, 1).ok());
    clock_.Advance(kRound);
    // The next round and the next step of the scene that runs.
    ASSERT_TRUE(WaitUntil([&] { return clock_.waiting_count() == 2; }));
  }
  EXPECT_TRUE(idle->info().evicted);
  EXPECT_FALSE(stepped->info().evicted);
  EXPECT_FALSE(runs->info().evicted);
  EXPECT_FALSE(leased->info().evicted);
  EXPECT_FALSE(watched->info().evicted);
  // A number in the list is no use.
  EXPECT_TRUE(host_->registry().List(0, "").value().scenes.front().evicted);
}

TEST_F(SceneEvictorTest, AWatcherBringsItBack) {
  auto scene = Create("a", FallingBalls(1));
  PassIdleTime();
  ASSERT_TRUE(scene->info().evicted);
  WatchOptions options;
  options.parts = kAllParts;
  auto watch = scene->Watch(options, [] {});
  ASSERT_TRUE(watch.ok());
  EXPECT_TRUE(WaitUntil([&] { return !scene->info().evicted; }));
}

TEST_F(SceneEvictorTest, ADamagedFileIsToldAndHarmsNobodyElse) {
  auto scene = Create("a", FallingBalls(1));
  auto other = Create("b", FallingBalls(1));
  PassIdleTime();
  ASSERT_TRUE(scene->info().evicted);
  fs::path world;
  for (const auto& entry : fs::directory_iterator(directory_ / "evicted")) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("a.", 0) == 0 && entry.path().extension() == ".world") world = entry.path();
  }
  const fs::path aside = directory_ / "aside";
  fs::copy_file(world, aside);
  {
    std::fstream file(world, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(100);
    file.put('\x55');
  }
  const auto refused = Step(*scene, 1);
  EXPECT_EQ(refused.status().code(), Code::kDataLoss) << refused.status();
  EXPECT_EQ(FindErrorInfo(refused.status()).reason, ErrorReason::kBadSnapshot);
  EXPECT_TRUE(scene->info().evicted);
  EXPECT_GE(CountEvents("evicted scene cannot be read", "scenes/a"), 1);
  EXPECT_TRUE(Step(*other, 1).ok());
  fs::remove(world);
  EXPECT_EQ(Read(*scene).status().code(), Code::kDataLoss);
  // Whoever mends the disk has the scene back.
  fs::rename(aside, world);
  const auto step = Step(*scene, 1);
  ASSERT_TRUE(step.ok()) << step.status();
  EXPECT_EQ(step->frame->state_hash, HashAfter(FallingBalls(1), 1));
}

TEST_F(SceneEvictorTest, ADeletedSceneLeavesNoFile) {
  Create("a", FallingBalls(1));
  PassIdleTime();
  ASSERT_EQ(CountFiles(), 3);
  EXPECT_TRUE(Delete("a").ok());
  EXPECT_TRUE(WaitUntil([&] { return CountFiles() == 0; }));
}

TEST_F(SceneEvictorTest, WhatCannotBeWrittenStaysInMemory) {
  host_.reset();
  options_.limits.snapshot_bytes = 64;
  Open();
  auto scene = Create("a", FallingBalls(1));
  PassIdleTime();
  PassRound();
  EXPECT_FALSE(scene->info().evicted);
  EXPECT_GE(CountEvents("idle scene stays in memory", "scenes/a"), 1);
  EXPECT_EQ(CountFiles(), 0);
  EXPECT_TRUE(Step(*scene, 1).ok());
}

TEST_F(SceneEvictorTest, WithAutosaveOnlyWhatIsSavedGoesAndItSurvives) {
  options_.autosave_period = 20 * kIdle;
  Open();
  auto scene = Create("a", FallingBalls(1));
  const uint64_t hash = Step(*scene, 3).value().frame->state_hash;
  PassIdleTime();
  EXPECT_FALSE(scene->info().evicted);
  clock_.Advance(options_.autosave_period);
  ASSERT_TRUE(WaitUntil([&] { return clock_.waiting_count() == 2; }));
  PassIdleTime();
  EXPECT_TRUE(scene->info().evicted);
  EXPECT_TRUE(host_->Drain(testing::kPatience));
  scene.reset();
  Open();
  EXPECT_EQ(host_->registry().Find("a").value()->info().state_hash, hash);
}

TEST_F(SceneEvictorTest, TheLastStateOfAnEvictedSceneCanBeAsked) {
  auto scene = Create("a", FallingBalls(1));
  const uint64_t hash = Step(*scene, 3).value().frame->state_hash;
  PassIdleTime();
  ASSERT_TRUE(scene->info().evicted);
  Answer<SceneSnapshot> answer;
  scene->TakeLastSnapshot(answer.Done());
  const auto snapshot = answer.Get();
  ASSERT_TRUE(snapshot.ok()) << snapshot.status();
  EXPECT_EQ(snapshot->step_index, 3);
  EXPECT_EQ(World::Restore(snapshot->bytes).value().state_hash(), hash);
}

TEST_F(SceneEvictorTest, AServerThatStartsAgainRemovesWhatWasLeft) {
  host_.reset();
  for (const char* name : {"a.7.world", "a.7.origin", "a.7.contacts", "b.1.eviction.tmp"}) {
    std::ofstream(directory_ / "evicted" / name) << "left behind";
  }
  std::ofstream(directory_ / "evicted" / "notes.txt") << "somebody else's";
  Open();
  EXPECT_EQ(CountFiles(), 1);
  EXPECT_EQ(host_->registry().scene_count(), 0);
}

TEST_F(SceneEvictorTest, AFaultedSceneStaysFaulted) {
  auto scene = Create("a", RunawayBall());
  EXPECT_FALSE(Step(*scene, 5000).ok());
  const std::string fault = scene->info().fault;
  ASSERT_FALSE(fault.empty());
  PassIdleTime();
  ASSERT_TRUE(scene->info().evicted);
  EXPECT_EQ(Step(*scene, 1).status().code(), Code::kFailedPrecondition);
  EXPECT_EQ(scene->info().fault, fault);
}

TEST_F(SceneEvictorTest, EventsTellOfBothAndOfNothingElse) {
  auto scene = Create("a", BallsOnGround());
  ASSERT_TRUE(Step(*scene, 3).ok());
  auto watch = scene->WatchEvents({}, [] {});
  ASSERT_TRUE(watch.ok());
  PassIdleTime();
  ASSERT_TRUE(WaitUntil([&] { return scene->info().evicted; }));
  ASSERT_TRUE(Step(*scene, 1).ok());
  std::vector<EventKind> kinds;
  ASSERT_TRUE(WaitUntil([&] {
    const auto batch = (*watch)->Take();
    if (!batch.has_value()) return false;
    for (const auto& event : batch->events) kinds.push_back(event->kind);
    return kinds.size() >= 2;
  }));
  // The contacts of the step before are those of this one: none begins, none ends.
  EXPECT_EQ(kinds, (std::vector{EventKind::kSceneEvicted, EventKind::kSceneReturned}));
}

TEST_F(SceneEvictorTest, CallsThatMeetAnEvictionLoseNothing) {
  host_.reset();
  options_.evict_after = std::chrono::milliseconds(1);
  OpenWith(nullptr);
  constexpr int kScenes = 4;
  constexpr int kSteps = 150;
  std::vector<std::thread> callers;
  for (int index = 0; index < kScenes; ++index) {
    auto scene = Create("s" + std::to_string(index), BallsOnGround());
    callers.emplace_back([scene, index] {
      for (int step = 0; step < kSteps; ++step) {
        const auto answer = Step(*scene, 1);
        ASSERT_TRUE(answer.ok()) << answer.status();
        ASSERT_EQ(answer->frame->step_index, step + 1);
        // Pauses around the ten milliseconds in which the evictor looks twice.
        if (step % 10 == 9) std::this_thread::sleep_for(std::chrono::milliseconds(15 + 3 * index));
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_GT(host_->load().evictions, 0);
  for (int index = 0; index < kScenes; ++index) {
    const auto scene = host_->registry().Find("s" + std::to_string(index)).value();
    EXPECT_EQ(scene->info().state_hash, HashAfter(BallsOnGround(), kSteps));
  }
}

}  // namespace
}  // namespace talus
