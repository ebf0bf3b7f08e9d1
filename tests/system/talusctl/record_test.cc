// `talusctl record` and `talusctl replay` against a real server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "clients/cpp/client.h"
#include "tests/system/talusctl/talusctl_server.h"

namespace talus::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using TalusctlRecord = TalusctlServerTest;

TEST_F(TalusctlRecord, RecordsListsDownloadsReplaysAndDeletes) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  const auto begun = RunForJson<v1::Recording>(
      {"record", "start", "disk", "--id", "r", "--contacts", "--every", "5"});
  EXPECT_EQ(begun.state(), v1::RECORDING_STATE_RECORDING);
  EXPECT_EQ(begun.every_n_steps(), 5);
  EXPECT_EQ(Run({"record", "delete", "r"}).exit_code, 19) << "it is under way";
  ASSERT_EQ(Run({"step", "disk", "--count", "20"}).exit_code, 0);
  const auto ended = RunForJson<v1::Recording>({"record", "stop", "r"});
  EXPECT_EQ(ended.state(), v1::RECORDING_STATE_COMPLETE);
  EXPECT_EQ(ended.last_step_index(), 20);
  EXPECT_EQ(ended.frame_count(), 5) << "with the state it began from";
  EXPECT_EQ(RunForJson<v1::ListRecordingsResponse>({"record", "list"}).recordings_size(), 1);
  EXPECT_THAT(Run({"record", "list"}).out, StartsWith("recordings/r "));

  const std::string file = folder_ + "/r.mcap";
  EXPECT_EQ(Run({"record", "download", "r", "--out", file}).exit_code, 0);
  EXPECT_EQ(std::filesystem::file_size(file), static_cast<uintmax_t>(ended.byte_size()));
  EXPECT_FALSE(std::filesystem::exists(file + ".tmp"));
  EXPECT_EQ(Run({"record", "download", "r", "--out", folder_ + "/none/r"}).exit_code, 1);

  const auto replayed =
      RunForJson<v1::ReplayInputsResponse>({"replay", "recordings/r", "--keep", "again"});
  EXPECT_EQ(replayed.steps_replayed(), 20);
  EXPECT_FALSE(replayed.has_mismatch());
  EXPECT_EQ(RunForJson<v1::SceneInfo>({"show", "again"}).state_hash(),
            RunForJson<v1::SceneInfo>({"show", "disk"}).state_hash());
  EXPECT_THAT(Run({"replay", "r"}).out, StartsWith("20 steps, "));

  EXPECT_EQ(Run({"record", "delete", "r"}).exit_code, 0);
  EXPECT_EQ(Run({"record", "delete", "r"}).exit_code, 15);
}

TEST_F(TalusctlRecord, TellsWhatIsNotThere) {
  EXPECT_EQ(Run({"record"}).exit_code, 2);
  EXPECT_EQ(Run({"record", "start", "nowhere"}).exit_code, 15);
  EXPECT_EQ(Run({"record", "start", "nowhere", "--every", "0"}).exit_code, 2);
  for (const char* command : {"stop", "delete"}) {
    EXPECT_EQ(Run({"record", command, "none"}).exit_code, 15) << command;
  }
  EXPECT_EQ(Run({"record", "download", "none", "-o", folder_ + "/none"}).exit_code, 15);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/none"));
  EXPECT_EQ(Run({"replay", "none"}).exit_code, 15);
  const TalusctlResult bad = Run({"replay", "bad name"});
  EXPECT_EQ(bad.exit_code, 13);
  EXPECT_THAT(bad.err, HasSubstr("bad name"));
}

}  // namespace
}  // namespace talus::testing
