#include "server/session/scene_keeper.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/storage/sealed_file.h"
#include "tests/support/long_step.h"
#include "tests/support/storing_host.h"
#include "tests/support/wait_until.h"

namespace talus {
namespace {

namespace fs = std::filesystem;
using testing::Answer;
using testing::FallingBalls;
using testing::kEndless;
using testing::Steps;
using Code = absl::StatusCode;

constexpr std::chrono::seconds kPeriod{10};

class SceneKeeperTest : public testing::StoringHost {
 protected:
  void CreateScratch(const std::string& id) {
    CreateSceneCall call;
    call.scene_id = id;
    call.source = FallingBalls(2);
    call.scratch = true;
    Answer<CreateSceneAnswer> made;
    host_->registry().Create(std::move(call), made.Done());
    ASSERT_TRUE(made.Get().ok());
  }
  void SetOptions() override { options_.autosave_period = kPeriod; }
  SceneInfo Create(const std::string& id, int balls = 2) {
    return StoringHost::Create(id, FallingBalls(balls));
  }
  uint64_t Step(const std::string& id, int64_t count) {
    Answer<StepAnswer> answer;
    host_->registry().Find(id).value()->Step(Steps(count), nullptr, answer.Done());
    return answer.Get().value().frame->state_hash;
  }
  absl::StatusOr<SnapshotInfo> SaveSnapshot(const std::string& scene, const std::string& id) {
    Answer<SnapshotInfo> answer;
    host_->archive().SaveScene(scene, id, nullptr, answer.Done());
    return answer.Get();
  }
  int CountFiles(const std::string& prefix) const {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(directory_ / "scenes")) {
      count += entry.path().filename().string().rfind(prefix, 0) == 0 ? 1 : 0;
    }
    return count;
  }
  // Lets a round begin and waits until all that it writes is there.
  void PassPeriod() {
    clock_.Advance(kPeriod);
    // A round that has ended has planned the next one.
    ASSERT_TRUE(testing::WaitUntil([this] { return clock_.waiting_count() == 1; }));
  }
};

TEST_F(SceneKeeperTest, WhatWasAutosavedComesBackWithItsHash) {
  Create("a");
  Create("b", 3);
  const uint64_t hash = Step("a", 7);
  PassPeriod();
  Step("a", 5);  // not saved: lost by the kill
  Open();
  EXPECT_EQ(host_->registry().scene_count(), 2);
  const SceneInfo a = host_->registry().Find("a").value()->info();
  EXPECT_EQ(a.step_index, 7);
  EXPECT_EQ(a.state_hash, hash);
  EXPECT_EQ(host_->registry().Find("b").value()->info().body_count, 3);
  EXPECT_EQ(CountEvents("scene restored", "scenes/a"), 1);
  EXPECT_EQ(CountEvents("scene restored", "scenes/b"), 1);
}

TEST_F(SceneKeeperTest, OnlyScenesThatChangedAreSavedAgain) {
  Create("a");
  Create("b");
  PassPeriod();
  EXPECT_EQ(CountFiles("a.1."), 1);
  EXPECT_EQ(CountFiles("b.1."), 1);
  Step("a", 1);
  PassPeriod();
  EXPECT_EQ(CountFiles("a.2."), 1);
  EXPECT_EQ(CountFiles("b.2."), 0);
  for (int round = 0; round < 3; ++round) {
    Step("a", 1);
    PassPeriod();
  }
  EXPECT_EQ(CountFiles("a."), 2);  // the newest two
  EXPECT_EQ(CountFiles("a.5."), 1);
  Open();
  PassPeriod();
  EXPECT_EQ(CountFiles("a.6."), 0);  // as it was restored
}

TEST_F(SceneKeeperTest, ABodyThatComesIsAChange) {
  Create("a");
  PassPeriod();
  AddBodiesCall call;
  call.bodies = FallingBalls(1).bodies;
  call.bodies[0].name = "late";
  Answer<AddBodiesAnswer> added;
  host_->registry().Find("a").value()->AddBodies(std::move(call), nullptr, added.Done());
  ASSERT_TRUE(added.Get().ok());
  PassPeriod();
  Open();
  EXPECT_EQ(host_->registry().Find("a").value()->info().body_count, 3);
}

TEST_F(SceneKeeperTest, AMaterialThatComesIsAChange) {
  Create("a");
  PassPeriod();
  AddBodiesCall call;
  call.materials.emplace_back();
  call.materials[0].name = "ice";
  Answer<AddBodiesAnswer> added;
  host_->registry().Find("a").value()->AddBodies(std::move(call), nullptr, added.Done());
  ASSERT_TRUE(added.Get().ok());
  PassPeriod();
  EXPECT_EQ(CountFiles("a.2."), 1);
}

TEST_F(SceneKeeperTest, AFaultIsAChange) {
  const auto step = [this](const std::string& id, int64_t count) {
    Answer<StepAnswer> answer;
    host_->registry().Find(id).value()->Step(Steps(count), nullptr, answer.Done());
    return answer.Get().status();
  };
  StoringHost::Create("probe", testing::RunawayBall());
  const int64_t good = FindErrorInfo(step("probe", 5000)).steps_done;
  ASSERT_GT(good, 0);
  StoringHost::Create("a", testing::RunawayBall());
  ASSERT_TRUE(step("a", good).ok());
  PassPeriod();
  ASSERT_FALSE(step("a", 1).ok());
  const std::string fault = host_->registry().Find("a").value()->info().fault;
  ASSERT_FALSE(fault.empty());
  PassPeriod();
  Open();
  EXPECT_EQ(host_->registry().Find("a").value()->info().fault, fault);
}

// A reset leads back to the step, the layout and the hash of what was saved first.
TEST_F(SceneKeeperTest, AResetAfterALaterSnapshotIsAChange) {
  const uint64_t made = Create("a").state_hash;
  PassPeriod();
  Step("a", 10);
  ASSERT_TRUE(SaveSnapshot("a", "s").ok());
  ResetCall reset;
  reset.all = false;
  reset.scope.time = reset.scope.state = true;
  Answer<SceneInfo> answer;
  host_->registry().Find("a").value()->Reset(reset, nullptr, answer.Done());
  ASSERT_EQ(answer.Get().value().state_hash, made);
  PassPeriod();
  Open();
  EXPECT_EQ(host_->registry().Find("a").value()->info().step_index, 0);
  EXPECT_EQ(host_->registry().Find("a").value()->info().state_hash, made);
}

TEST_F(SceneKeeperTest, ADrainSavesWhatChanged) {
  Create("a");
  const uint64_t hash = Step("a", 3);
  ASSERT_TRUE(host_->Drain(testing::kPatience));
  Open();
  EXPECT_EQ(host_->registry().Find("a").value()->info().state_hash, hash);
  EXPECT_EQ(Step("a", 1), [this] {
    Create("again");
    return Step("again", 4);
  }());
}

TEST_F(SceneKeeperTest, ADrainGivesUpAStepThatOutlastsItAndSavesTheScene) {
  OpenWith(nullptr);  // a step looks up as time passes
  const uint64_t made = StoringHost::Create("a", testing::EndlessStep()).state_hash;
  Answer<StepAnswer> step;
  host_->registry().Find("a").value()->Step(Steps(1), nullptr, step.Done());
  testing::WaitUntilItIsSolved();
  // Whether the last quarter of so short a time is enough is the machine's affair.
  static_cast<void>(host_->Drain(std::chrono::milliseconds(200)));
  EXPECT_EQ(step.GetError(Code::kUnavailable).steps_done, 0);
  EXPECT_TRUE(testing::WaitUntil([this] { return CountFiles("a.1.") == 1; }));
  Open();
  EXPECT_EQ(host_->registry().Find("a").value()->info().state_hash, made);
}

TEST_F(SceneKeeperTest, ADrainSavesTheOthersThoughOneSceneDoesNotComeToRest) {
  for (const char* id : {"a", "b", "c"}) Create(id);
  const uint64_t hash = Step("c", 3);
  auto gate = std::make_shared<testing::Gate>();
  testing::HoldAt(**host_->registry().Find("b"), gate);
  EXPECT_FALSE(host_->Drain(std::chrono::milliseconds(200)));
  EXPECT_TRUE(testing::WaitUntil([this] { return CountFiles("c.1.") == 1; }));
  EXPECT_EQ(CountFiles("a.1."), 1);
  EXPECT_EQ(CountFiles("b."), 0);
  gate->Open();
  EXPECT_TRUE(testing::WaitUntil([this] { return CountFiles("b.1.") == 1; }));
  Open();
  EXPECT_EQ(host_->registry().Find("c").value()->info().state_hash, hash);
}

TEST_F(SceneKeeperTest, WithoutAutosaveOnlySnapshotsBringAScene) {
  options_.autosave_period = std::chrono::seconds(0);
  Open();
  Create("a");
  Create("b");
  const uint64_t hash = Step("a", 4);
  ASSERT_TRUE(SaveSnapshot("a", "s").ok());
  Step("a", 2);
  ASSERT_TRUE(host_->Drain(testing::kPatience));
  Open();
  EXPECT_EQ(host_->registry().scene_count(), 1);
  EXPECT_EQ(host_->registry().Find("a").value()->info().state_hash, hash);
}

TEST_F(SceneKeeperTest, ADeletedSceneStaysAway) {
  Create("a");
  Step("a", 2);
  PassPeriod();
  ASSERT_TRUE(SaveSnapshot("a", "s").ok());
  ASSERT_TRUE(Delete("a").ok());
  EXPECT_EQ(CountFiles("a."), 0);
  Open();
  EXPECT_EQ(host_->registry().scene_count(), 0);
  // Its snapshot is still a snapshot.
  CreateSceneCall call;
  call.scene_id = "a";
  Answer<CreateSceneAnswer> create;
  host_->archive().CreateScene(call, "s", create.Done());
  EXPECT_EQ(create.Get().value().info.step_index, 2);
}

TEST_F(SceneKeeperTest, DamageIsReportedAndHarmsNobodyElse) {
  Create("a");
  Create("b");
  PassPeriod();
  fs::resize_file(directory_ / "scenes" / "a.1.scene", 100);
  Open();
  EXPECT_EQ(host_->registry().Find("a").status().code(), Code::kNotFound);
  EXPECT_TRUE(host_->registry().Find("b").ok());
  EXPECT_EQ(CountEvents("scene not restored", "scenes/a"), 1);
  EXPECT_TRUE(fs::exists(directory_ / "scenes" / "a.1.scene"));
  Create("a");  // the name is free
  PassPeriod();
  Open();
  EXPECT_TRUE(host_->registry().Find("a").ok());
}

TEST_F(SceneKeeperTest, AnOlderStateStandsInForADamagedOne) {
  Create("a");
  Step("a", 1);
  PassPeriod();
  Step("a", 1);
  PassPeriod();
  fs::resize_file(directory_ / "scenes" / "a.2.scene", 100);
  Open();
  EXPECT_EQ(host_->registry().Find("a").value()->info().step_index, 1);
  EXPECT_EQ(CountEvents("stored scene is damaged; an older state is used", "scenes/a"), 1);
}

TEST_F(SceneKeeperTest, AnOlderStateStandsInForAWholeFileThatIsNoState) {
  Create("a");
  const uint64_t hash = Step("a", 1);
  PassPeriod();
  StorageQuota quota(1 << 20);
  for (const std::string name : {"a.2.scene", "b.1.scene"}) {
    ASSERT_TRUE(WriteSealedFile(directory_ / "scenes", name + ".part", name,
                                MakeHeader(2, 2, "of another version"), "of another version", quota)
                    .ok());
  }
  Open();
  EXPECT_EQ(host_->registry().Find("a").value()->info().state_hash, hash);
  EXPECT_EQ(CountEvents("stored scene is damaged; an older state is used", "scenes/a"), 1);
  EXPECT_EQ(CountEvents("scene not restored", "scenes/b"), 1);
}

TEST_F(SceneKeeperTest, ScenesBeyondALimitStayOnDisk) {
  Create("a");
  Create("b", 4);
  PassPeriod();
  options_.limits.bodies_per_scene = 3;
  Open();
  EXPECT_TRUE(host_->registry().Find("a").ok());
  EXPECT_EQ(CountEvents("scene not restored", "scenes/b"), 1);
  options_.limits.bodies_per_scene = 4;
  Open();
  EXPECT_TRUE(host_->registry().Find("b").ok());
}

TEST_F(SceneKeeperTest, AFullDiskIsReportedAndSteppingGoesOn) {
  options_.limits.storage_bytes = 100;
  Open();
  Create("a");
  PassPeriod();
  EXPECT_EQ(CountEvents("scene not saved", "scenes/a"), 1);
  EXPECT_EQ(CountFiles("a."), 0);
  EXPECT_NE(Step("a", 3), 0u);
}

TEST_F(SceneKeeperTest, AScratchSceneIsNotStoredBeforeItIsKept) {
  CreateScratch("a");
  Step("a", 2);
  PassPeriod();
  ASSERT_TRUE(SaveSnapshot("a", "s").ok());
  EXPECT_EQ(CountFiles("a."), 0);
  host_->registry().Find("a").value()->Keep();
  PassPeriod();
  EXPECT_EQ(CountFiles("a.1."), 1);
}

TEST_F(SceneKeeperTest, ADrainDoesNotStoreAScratchScene) {
  CreateScratch("a");
  ASSERT_TRUE(host_->Drain(testing::kPatience));
  Open();
  EXPECT_EQ(host_->registry().scene_count(), 0);
}

TEST_F(SceneKeeperTest, ASceneIsSavedInTheMiddleOfALongStep) {
  Create("a");
  Answer<StepAnswer> step;
  auto control = std::make_shared<CallControl>();
  host_->registry().Find("a").value()->Step(Steps(kEndless), control, step.Done());
  PassPeriod();
  EXPECT_FALSE(step.there());
  EXPECT_EQ(CountFiles("a.1."), 1);
  control->Cancel();
  static_cast<void>(step.Get());
}

TEST_F(SceneKeeperTest, TheOthersAreSavedThoughAStepTakesLong) {
  StoringHost::Create("a", testing::EndlessStep());
  Create("b");
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> step;
  host_->registry().Find("a").value()->Step(Steps(1), control, step.Done());
  testing::WaitUntilItIsSolved();
  clock_.Advance(kPeriod);
  // Until the round has given up waiting for the first scene, and has planned the next.
  EXPECT_TRUE(testing::WaitUntil([this] {
    clock_.Advance(std::chrono::milliseconds(10));
    return CountFiles("b.1.") == 1 && clock_.waiting_count() == 1;
  }));
  EXPECT_EQ(CountFiles("a."), 0);
  EXPECT_FALSE(step.there());
  // It is not asked again while it owes an answer, which comes with the next boundary.
  Step("b", 1);
  PassPeriod();
  EXPECT_EQ(CountFiles("b.2."), 1);
  EXPECT_FALSE(step.there());
  control->Cancel();
  EXPECT_TRUE(testing::WaitUntil([this] {
    clock_.Advance(std::chrono::milliseconds(10));
    return CountFiles("a.1.") == 1;
  }));
  EXPECT_EQ(step.GetError(Code::kCancelled).steps_done, 0);
}

}  // namespace
}  // namespace talus
