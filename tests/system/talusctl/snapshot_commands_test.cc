// Snapshots by talusctl: saved, restored, copied, taken away as files and brought back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/system/talusctl/talusctl_process.h"
#include "tests/system/talusctl/talusctl_server.h"

namespace talus::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using TalusctlSnapshots = TalusctlServerTest;

TEST_F(TalusctlSnapshots, SaveRestoreForkAndDownload) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  ASSERT_EQ(Run({"step", "disk", "100"}).exit_code, 0);
  const auto saved = RunForJson<v1::SnapshotInfo>({"snapshot", "create", "disk", "--id", "s"});
  EXPECT_EQ(saved.step_index(), 100);
  EXPECT_THAT(Run({"snapshot", "list"}).out, StartsWith("snapshots/s"));
  ASSERT_EQ(Run({"step", "disk", "50"}).exit_code, 0);
  EXPECT_EQ(RunForJson<v1::SceneInfo>({"snapshot", "restore", "disk", "s"}).state_hash(),
            saved.state_hash());
  EXPECT_EQ(RunForJson<v1::ForkSceneResponse>({"snapshot", "fork", "disk", "a", "b"}).scenes_size(),
            2);
  const std::string file = folder_ + "/s.bin";
  ASSERT_EQ(Run({"snapshot", "download", "--snapshot", "s", "--out", file}).exit_code, 0);
  EXPECT_EQ(std::filesystem::file_size(file), static_cast<uintmax_t>(saved.byte_size()));
  EXPECT_EQ(
      RunForJson<v1::SceneInfo>({"create", "--snapshot-file", file, "--id", "c"}).state_hash(),
      saved.state_hash());
  EXPECT_EQ(RunForJson<v1::SceneInfo>({"create", "--snapshot", "s", "--id", "d"}).state_hash(),
            saved.state_hash());
  EXPECT_EQ(Run({"snapshot", "delete", "s"}).exit_code, 0);
  EXPECT_EQ(Run({"snapshot", "restore", "disk", "s"}).exit_code, 15);
}

TEST_F(TalusctlSnapshots, BringBackWhatWasTakenAway) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  ASSERT_EQ(Run({"step", "disk", "100"}).exit_code, 0);
  const uint64_t hash = RunForJson<v1::SceneInfo>({"show", "disk"}).state_hash();
  const std::string file = folder_ + "/disk.bin";
  ASSERT_EQ(Run({"snapshot", "download", "--scene", "disk", "--out", file}).exit_code, 0);
  const auto stored = RunForJson<v1::SnapshotInfo>({"snapshot", "upload", file, "--id", "back"});
  EXPECT_EQ(stored.snapshot(), "snapshots/back");
  EXPECT_EQ(stored.state_hash(), hash);
  ASSERT_EQ(Run({"step", "disk", "50"}).exit_code, 0);
  EXPECT_EQ(RunForJson<v1::SceneInfo>({"snapshot", "restore", "disk", "back"}).state_hash(), hash);
  EXPECT_THAT(Run({"snapshot", "upload", file}).out, StartsWith("snapshots/"))
      << "the server chooses a name";

  EXPECT_EQ(Run({"snapshot", "upload", file, "--id", "back"}).exit_code, 16);
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(200).put('x').put('y');
  const TalusctlResult corrupt = Run({"snapshot", "upload", file, "--id", "corrupt"});
  EXPECT_EQ(corrupt.exit_code, 13);
  EXPECT_THAT(corrupt.err, HasSubstr("BAD_SNAPSHOT"));
  EXPECT_EQ(Run({"snapshot", "upload", folder_ + "/nothing.bin"}).exit_code, 2);
  EXPECT_EQ(Run({"snapshot", "upload"}).exit_code, 2);
}

TEST_F(TalusctlSnapshots, DownloadTheOnlySceneWithoutItsName) {
  const std::string file = folder_ + "/only.bin";
  const TalusctlResult none = Run({"snapshot", "download", "--out", file});
  EXPECT_EQ(none.exit_code, 15);
  EXPECT_THAT(none.err, HasSubstr("the server holds no scene"));
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "a"}).exit_code, 0);
  EXPECT_EQ(Run({"snapshot", "download", "--out", file}).exit_code, 0);
  EXPECT_EQ(RunForJson<v1::SceneInfo>({"create", "--snapshot-file", file}).state_hash(),
            RunForJson<v1::SceneInfo>({"show", "a"}).state_hash());
  const TalusctlResult several = Run({"snapshot", "download", "--out", file});
  EXPECT_EQ(several.exit_code, 13);
  EXPECT_THAT(several.err, HasSubstr("name one"));
  EXPECT_EQ(
      Run({"snapshot", "download", "--scene", "a", "--snapshot", "s", "--out", file}).exit_code, 2);
}

// How much goes into a message is the server's to say.
TEST_F(TalusctlSnapshots, SendAsMuchAsTheServerTakes) {
  const std::string file = folder_ + "/large.bin";
  std::ofstream(file) << "no snapshot";
  std::filesystem::resize_file(file, (uintmax_t{64} << 20) + 1);
  const TalusctlResult small = Run({"create", "--snapshot-file", file});
  EXPECT_EQ(small.exit_code, 18);
  EXPECT_THAT(small.err, HasSubstr("Received message larger than max"));
  client::ServerProcessOptions options;
  options.binary = TALUS_SERVER_BINARY;
  options.arguments = {"--max-message-mib", "65", "--log-level", "error"};
  auto large = client::ServerProcess::Start(options);
  ASSERT_TRUE(large) << large.error().ToString();
  const TalusctlResult read =
      Talusctl({"create", "--snapshot-file", file, "--server", large->address()});
  EXPECT_EQ(read.exit_code, 13);
  EXPECT_THAT(read.err, HasSubstr("snapshot"));
}

// A snapshot holds the scene's seeds and settings.
TEST_F(TalusctlSnapshots, ChangeASceneOnlyWhereItIsMadeOfAFile) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  ASSERT_EQ(Run({"snapshot", "create", "disk", "--id", "s"}).exit_code, 0);
  const std::string file = folder_ + "/s.bin";
  ASSERT_EQ(Run({"snapshot", "download", "--snapshot", "s", "--out", file}).exit_code, 0);
  const std::vector<std::vector<std::string>> changes = {{"--seed", "77"},
                                                         {"--tolerance", "1e-9"},
                                                         {"--law", "ccp"},
                                                         {"--facets", "8"},
                                                         {"--solver", "newton"},
                                                         {"--psor-relaxation", "1.5"},
                                                         {"--psor-averaging", "0.5"},
                                                         {"--psor-simultaneous"}};
  for (const std::vector<std::string>& change : changes) {
    for (const std::vector<std::string>& source :
         {std::vector<std::string>{"--snapshot", "s"}, {"--snapshot-file", file}}) {
      std::vector<std::string> words = {"create", "--id", "changed"};
      words.insert(words.end(), source.begin(), source.end());
      words.insert(words.end(), change.begin(), change.end());
      const TalusctlResult refused = Run(words);
      EXPECT_EQ(refused.exit_code, 2) << change[0] << ' ' << source[0];
      EXPECT_THAT(refused.err, AllOf(HasSubstr(change[0]), HasSubstr(source[0])));
    }
  }
  EXPECT_EQ(Run({"show", "changed"}).exit_code, 15) << "it was made all the same";
  EXPECT_THAT(Run({"create", "--snapshot", "s", "--help"}).out,
              AllOf(ContainsRegex("--snapshot TEXT Excludes: .*--seed"), HasSubstr("--help   ")));
  const TalusctlResult made =
      Run({"create", "rolling_disk", "--tolerance", "1e-9", "--law", "ccp", "--seed", "77"});
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_THAT(made.err, HasSubstr("--seed 77 changes nothing")) << "there is no emitter";
}

}  // namespace
}  // namespace talus::testing
