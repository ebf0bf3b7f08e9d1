#include "server/session/scene_host.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

namespace fs = std::filesystem;
using testing::Answer;
using testing::FallingBalls;
using testing::kEndless;
using testing::Steps;
using Code = absl::StatusCode;

class SceneHostTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "talus-host-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    options_.workers = 2;
    options_.workers_per_scene = 2;
    options_.limits.steps_per_call = kEndless;
    options_.data_directory = directory_.string();
    Open();
  }
  void TearDown() override {
    host_.reset();
    fs::remove_all(directory_);
  }
  void Open() {
    host_.reset();
    auto opened = SceneHost::Open(options_);
    ASSERT_TRUE(opened.ok()) << opened.status();
    host_ = *std::move(opened);
  }
  void Create(const std::string& id, int balls = 2) {
    CreateSceneCall call;
    call.scene_id = id;
    call.source = FallingBalls(balls);
    Answer<CreateSceneAnswer> answer;
    host_->registry().Create(std::move(call), answer.Done());
    ASSERT_TRUE(answer.Get().ok());
  }
  uint64_t StepTo(const std::string& id, int64_t count) {
    Answer<StepAnswer> answer;
    host_->registry().Find(id).value()->Step(Steps(count), nullptr, answer.Done());
    const auto result = answer.Get();
    EXPECT_TRUE(result.ok());
    return result.ok() ? result->frame->state_hash : 0;
  }
  absl::StatusOr<SnapshotInfo> Save(const std::string& scene, const std::string& snapshot) {
    Answer<SnapshotInfo> answer;
    host_->archive().SaveScene(scene, snapshot, nullptr, answer.Done());
    return answer.Get();
  }
  absl::StatusOr<SceneInfo> Restore(const std::string& scene, const std::string& snapshot) {
    Answer<SceneInfo> answer;
    host_->archive().RestoreScene(scene, snapshot, nullptr, answer.Done());
    return answer.Get();
  }

  fs::path directory_;
  SceneHostOptions options_;
  std::unique_ptr<SceneHost> host_;
};

TEST_F(SceneHostTest, ASceneContinuesFromItsSnapshotAfterARestart) {
  Create("a");
  const uint64_t at_5 = StepTo("a", 5);
  const auto saved = Save("a", "s");
  ASSERT_TRUE(saved.ok()) << saved.status();
  EXPECT_EQ(saved->step_index, 5);
  EXPECT_EQ(saved->state_hash, at_5);
  const uint64_t at_9 = StepTo("a", 4);
  Open();
  CreateSceneCall call;
  call.scene_id = "again";
  Answer<CreateSceneAnswer> create;
  host_->archive().CreateScene(call, "s", create.Done());
  const auto made = create.Get();
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->info.state_hash, at_5);
  EXPECT_EQ(StepTo("again", 4), at_9);
  ASSERT_TRUE(Restore("again", "s").ok());
  EXPECT_EQ(StepTo("again", 4), at_9);
}

TEST_F(SceneHostTest, ArchiveErrorsNameWhatIsMissing) {
  Create("a");
  EXPECT_EQ(FindErrorInfo(Save("nobody", "s").status()).field, "scene");
  EXPECT_EQ(Save("a", "../s").status().code(), Code::kInvalidArgument);
  ASSERT_TRUE(Save("a", "s").ok());
  EXPECT_EQ(Save("a", "s").status().code(), Code::kAlreadyExists);
  EXPECT_EQ(FindErrorInfo(Restore("a", "none").status()).field, "snapshot");
  EXPECT_EQ(FindErrorInfo(Restore("nobody", "s").status()).field, "scene");
  Answer<SnapshotPage> list;
  host_->archive().List(0, "", list.Done());
  EXPECT_EQ(list.Get()->snapshots.size(), 1u);
  Answer<StoredSnapshot> load;
  host_->archive().Load("s", load.Done());
  EXPECT_TRUE(load.Get().ok());
}

TEST_F(SceneHostTest, DamagedSnapshotsAreToldAndHarmless) {
  Create("a");
  ASSERT_TRUE(Save("a", "good").ok());
  std::ofstream(directory_ / "bad.snapshot") << "rubbish";
  EXPECT_EQ(host_->FindDamagedSnapshots(), std::vector<std::string>{"bad"});
  const uint64_t before = host_->registry().Find("a").value()->info().state_hash;
  EXPECT_EQ(Restore("a", "bad").status().code(), Code::kDataLoss);
  EXPECT_EQ(host_->registry().Find("a").value()->info().state_hash, before);
  EXPECT_TRUE(Restore("a", "good").ok());
}

TEST_F(SceneHostTest, WithoutADirectoryOnlyStoringIsRefused) {
  options_.data_directory = "";
  Open();
  Create("a");
  const auto saved = Save("a", "s");
  EXPECT_EQ(saved.status().code(), Code::kFailedPrecondition);
  EXPECT_EQ(FindErrorInfo(saved.status()).reason, ErrorReason::kStorage);
  EXPECT_EQ(Restore("a", "s").status().code(), Code::kFailedPrecondition);
  EXPECT_TRUE(host_->FindDamagedSnapshots().empty());
  Answer<SceneSnapshot> download;
  host_->registry().Find("a").value()->TakeSnapshot(nullptr, download.Done());
  EXPECT_TRUE(download.Get().ok());
  Answer<std::vector<SceneInfo>> fork;
  host_->registry().Fork({"a", {"b"}, ""}, nullptr, fork.Done());
  EXPECT_TRUE(fork.Get().ok());
}

TEST_F(SceneHostTest, ADirectoryInUseIsRefused) {
  EXPECT_EQ(SceneHost::Open(options_).status().code(), Code::kUnavailable);
}

TEST_F(SceneHostTest, EndingTheHostAnswersEverybody) {
  Create("a");
  std::vector<Answer<SnapshotInfo>> saves(20);
  Answer<StepAnswer> endless;
  auto scene = *host_->registry().Find("a");
  scene->Step(Steps(kEndless), nullptr, endless.Done());
  for (auto& save : saves) host_->archive().SaveScene("a", "", nullptr, save.Done());
  scene.reset();
  host_.reset();
  EXPECT_EQ(endless.GetError(Code::kUnavailable).reason, ErrorReason::kDraining);
  for (auto& save : saves) EXPECT_EQ(save.calls(), 1);
}

TEST_F(SceneHostTest, DrainIsBounded) {
  Create("a");
  Answer<StepAnswer> endless;
  host_->registry().Find("a").value()->Step(Steps(kEndless), nullptr, endless.Done());
  EXPECT_TRUE(host_->Drain(std::chrono::seconds(60)));
  EXPECT_EQ(endless.GetError(Code::kUnavailable).reason, ErrorReason::kDraining);
  EXPECT_TRUE(host_->Drain(std::chrono::seconds(0)));
}

}  // namespace
}  // namespace talus
