// How much the archive holds for callers who wait, and what it reads before it has to.
#include "server/session/snapshot_archive.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

namespace fs = std::filesystem;
using testing::Answer;
using testing::FallingBalls;
using testing::Gate;
using testing::HoldAt;
using testing::Stage;
using testing::Steps;
using Code = absl::StatusCode;

class SnapshotArchiveTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "talus-archive-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    // Room for one of the states of this test and for no second one.
    stage_.limits.snapshot_bytes =
        static_cast<int64_t>(testing::MakeWorld(FallingBalls(20)).SaveSnapshot().size() * 3 / 2);
    stage_.limits.mailbox_depth = 2;
    registry_ = std::make_unique<SceneRegistry>(stage_.limits, stage_.runtime());
    store_ = SnapshotStore::Open(directory_.string(), stage_.limits, quota_).value();
    archive_ = std::make_unique<SnapshotArchive>(*registry_, store_.get(), nullptr, storage_,
                                                 stage_.limits);
    CreateSceneCall call;
    call.scene_id = "a";
    call.source = FallingBalls(20);
    Answer<CreateSceneAnswer> created;
    registry_->Create(std::move(call), created.Done());
    ASSERT_TRUE(created.Get().ok());
    scene_ = registry_->Find("a").value();
  }
  void TearDown() override {
    storage_.Stop();
    fs::remove_all(directory_);
  }
  Answer<SnapshotInfo> Save(const std::string& id) {
    Answer<SnapshotInfo> answer;
    archive_->SaveScene("a", id, nullptr, answer.Done());
    return answer;
  }
  Answer<SceneInfo> Restore(const std::string& id) {
    Answer<SceneInfo> answer;
    archive_->RestoreScene("a", id, nullptr, answer.Done());
    return answer;
  }
  static std::shared_ptr<Gate> Hold(Executor& executor) {
    auto gate = std::make_shared<Gate>();
    executor.Post([gate] { gate->Pass(); });
    gate->AwaitArrival();
    return gate;
  }

  fs::path directory_;
  StorageQuota quota_{1 << 20};
  Stage stage_;
  Executor storage_{1};
  std::unique_ptr<SnapshotStore> store_;
  std::unique_ptr<SceneRegistry> registry_;
  std::unique_ptr<SnapshotArchive> archive_;
  std::shared_ptr<SceneActor> scene_;
};

TEST_F(SnapshotArchiveTest, WhatWaitsForTheDiskIsBounded) {
  const auto disk = Hold(storage_);
  Answer<SnapshotInfo> first = Save("first");
  Answer<SnapshotInfo> second = Save("second");
  const ErrorInfo refused = second.GetError(Code::kResourceExhausted);
  EXPECT_EQ(refused.limit_name, "snapshot_bytes");
  EXPECT_EQ(refused.limit_value, stage_.limits.snapshot_bytes);
  EXPECT_FALSE(first.there());
  disk->Open();
  EXPECT_TRUE(first.Get().ok());
  for (const char* id : {"third", "fourth"}) EXPECT_TRUE(Save(id).Get().ok()) << id;
}

TEST_F(SnapshotArchiveTest, WhatWaitsForItsSceneIsBounded) {
  ASSERT_TRUE(Save("s").Get().ok());
  const auto gate = std::make_shared<Gate>();
  HoldAt(*scene_, gate);
  Answer<SceneInfo> first = Restore("s");
  Answer<SceneInfo> second = Restore("s");
  EXPECT_EQ(second.GetError(Code::kResourceExhausted).limit_name, "snapshot_bytes");
  EXPECT_FALSE(first.there());
  gate->Open();
  EXPECT_TRUE(first.Get().ok());
  for (int round = 0; round < 2; ++round) EXPECT_TRUE(Restore("s").Get().ok());
}

// A damaged snapshot tells whether it was looked at.
TEST_F(SnapshotArchiveTest, ARestoreThatWouldBeRefusedReadsNothing) {
  std::ofstream(directory_ / "bad.snapshot") << "rubbish";
  EXPECT_EQ(Restore("bad").GetError(Code::kDataLoss).reason, ErrorReason::kBadSnapshot);
  const auto gate = std::make_shared<Gate>();
  HoldAt(*scene_, gate);
  Answer<StepAnswer> steps[2];
  for (auto& step : steps) scene_->Step(Steps(1), nullptr, step.Done());
  EXPECT_EQ(Restore("bad").GetError(Code::kResourceExhausted).reason, ErrorReason::kMailboxFull);
  gate->Open();
  for (auto& step : steps) ASSERT_TRUE(step.Get().ok());
  const auto lease = scene_->TakeLease({.holder = "pilot", .take_over = false, .lost = {}});
  ASSERT_TRUE(lease.ok());
  EXPECT_EQ(Restore("bad").GetError(Code::kFailedPrecondition).reason, ErrorReason::kLeaseHeld);
}

}  // namespace
}  // namespace talus
