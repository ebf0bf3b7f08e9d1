#include "clients/cli/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace talus::cli {
namespace {

using ::testing::HasSubstr;

class RunFolderTest : public ::testing::Test {
 protected:
  RunFolderTest() {
    path_ = std::filesystem::path(::testing::TempDir()) /
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(path_);
    identity_.set_steps(100);
    identity_.set_seed(3);
    identity_.mutable_scene()->add_bodies()->set_name("ball");
  }

  std::filesystem::path path_;
  record::RunIdentity identity_;
};

TEST_F(RunFolderTest, BelongsToOneRun) {
  auto folder = RunFolder::Open(path_);
  ASSERT_TRUE(folder);
  EXPECT_TRUE(folder->Claim(identity_));
  EXPECT_TRUE(folder->Claim(identity_));
  record::RunIdentity other = identity_;
  other.set_seed(4);
  auto refused = folder->Claim(other);
  EXPECT_EQ(refused.code(), client::Code::kFailedPrecondition);
  EXPECT_THAT(refused.error().message, HasSubstr("seed: 3 -> 4"));
  other = identity_;
  other.mutable_scene()->mutable_bodies(0)->set_mass_kg(1);
  refused = folder->Claim(other);
  EXPECT_EQ(refused.code(), client::Code::kFailedPrecondition);
  EXPECT_THAT(refused.error().message, HasSubstr("scene.bodies[0].mass_kg"));
}

TEST_F(RunFolderTest, LetsOneProcessIn) {
  auto folder = RunFolder::Open(path_);
  ASSERT_TRUE(folder);
  EXPECT_EQ(RunFolder::Open(path_).code(), client::Code::kAborted);
}

TEST_F(RunFolderTest, OpensAgainWhenTheOtherIsGone) {
  {
    auto folder = RunFolder::Open(path_);
    ASSERT_TRUE(folder);
  }
  EXPECT_TRUE(RunFolder::Open(path_));
}

TEST_F(RunFolderTest, LeavesForeignFilesAlone) {
  std::filesystem::create_directories(path_);
  std::ofstream(path_ / "frames.binpb") << "precious";
  auto folder = RunFolder::Open(path_);
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder->Claim(identity_).code(), client::Code::kFailedPrecondition);
}

TEST_F(RunFolderTest, KeepsTheCheckpointOfTheSnapshotInPlaceAndTheOneBefore) {
  auto folder = RunFolder::Open(path_);
  ASSERT_TRUE(folder);
  auto nothing = folder->LoadSaved();
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(nothing->has_value());
  record::RunCheckpoint checkpoint;
  for (const int64_t step : {10, 20, 30}) {
    checkpoint.set_step_index(step);
    checkpoint.set_state_hash(~uint64_t{0} - static_cast<uint64_t>(step));
    checkpoint.mutable_totals()->set_residual_worst(0.1 * static_cast<double>(step));
    ASSERT_TRUE(folder->Save("snapshot " + std::to_string(step), checkpoint));
  }
  auto saved = folder->LoadSaved();
  ASSERT_TRUE(saved && saved->has_value());
  EXPECT_EQ((*saved)->snapshot, "snapshot 30");
  ASSERT_EQ((*saved)->progress.checkpoints_size(), 2);
  EXPECT_EQ((*saved)->progress.checkpoints(0).step_index(), 20);
  EXPECT_EQ((*saved)->progress.checkpoints(1).state_hash(), ~uint64_t{0} - 30);
  EXPECT_EQ((*saved)->progress.checkpoints(1).totals().residual_worst(), 0.1 * 30.0);
}

TEST_F(RunFolderTest, IsFinishedOnlyByAnOutcomeThatIsFinal) {
  auto folder = RunFolder::Open(path_);
  ASSERT_TRUE(folder);
  EXPECT_FALSE(folder->FindFinished()->has_value());
  record::RunSummary summary;
  summary.set_outcome("interrupted");
  ASSERT_TRUE(folder->WriteSummary(summary));
  EXPECT_FALSE(folder->FindFinished()->has_value());
  summary.set_outcome("completed");
  summary.set_residual_worst(1.0 / 3.0);
  ASSERT_TRUE(folder->WriteSummary(summary));
  auto finished = folder->FindFinished();
  ASSERT_TRUE(finished && finished->has_value());
  EXPECT_EQ((*finished)->residual_worst(), 1.0 / 3.0);
}

TEST_F(RunFolderTest, SaysSoWhenARecordIsDamaged) {
  auto folder = RunFolder::Open(path_);
  ASSERT_TRUE(folder);
  std::ofstream(path_ / "run.json") << "{\"steps\": ";
  EXPECT_EQ(folder->Claim(identity_).code(), client::Code::kDataLoss);
}

}  // namespace
}  // namespace talus::cli
