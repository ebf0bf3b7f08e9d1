// The whole conformance run against the real server, with a data directory and without.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/system/talusctl/talusctl_server.h"

namespace talus::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

using TalusctlConformance = TalusctlServerTest;

std::vector<std::string> ListOutcomes(const nlohmann::json& report, const std::string& outcome) {
  std::vector<std::string> names;
  for (const auto& check : report["checks"]) {
    if (check["outcome"] != outcome) continue;
    names.push_back(check["area"].get<std::string>() + '.' + check["check"].get<std::string>());
    EXPECT_FALSE(check["reason"].get<std::string>().empty()) << names.back();
  }
  return names;
}

TEST_F(TalusctlConformance, AFreshServerPassesEveryCheck) {
  const TalusctlResult result = Run({"conformance", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["failed"], 0) << result.out;
  EXPECT_EQ(report["left_behind"], 0);
  EXPECT_GT(report["passed"], 70);
  // What one client cannot bring about from outside.
  EXPECT_THAT(
      ListOutcomes(report, "skip"),
      UnorderedElementsAre("storage.without_storage_it_says_so", "errors.unauthenticated",
                           "errors.scope_missing", "errors.draining", "errors.bad_recording"));
  EXPECT_EQ(Run({"list"}).out.find("scenes/"), std::string::npos) << "it cleans up";
}

TEST_F(TalusctlConformance, AServerWithoutStoragePassesToo) {
  client::ServerProcessOptions options;
  options.binary = TALUS_SERVER_BINARY;
  options.arguments = {"--log-level", "error"};
  auto bare = client::ServerProcess::Start(options);
  ASSERT_TRUE(bare) << bare.error().ToString();
  const TalusctlResult result =
      Talusctl({"conformance", "--only", "server,scenes,named,storage,worlds", "--json", "--server",
                bare->address()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_THAT(ListOutcomes(report, "skip"),
              UnorderedElementsAre("storage.snapshots_come_back", "storage.snapshots_are_listed",
                                   "storage.recordings_replay", "named.scenes_are_listed",
                                   "named.scenes_are_made", "named.scenes_are_worlds"));
  EXPECT_EQ(bare->Terminate(), 0);
}

TEST_F(TalusctlConformance, AServerWithTokensIsTestedForThem) {
  // SHA-256 of `pilot-token` and of `viewer-token`.
  const std::string pilot = folder_ + "/pilot";
  const std::string viewer = folder_ + "/viewer";
  const std::string table = folder_ + "/tokens";
  std::ofstream(pilot) << "pilot-token\n";
  std::ofstream(viewer) << "viewer-token\n";
  std::ofstream(table)
      << "pilot admin 31b6b54a55ce66512046fe7d7c78cd84572f0a010450260f8e5c127051e0f33d\n"
      << "viewer read d036bd6d01a1cae081d39a2f8dab751dc042de814fd60df31fcb553170950f29\n";
  for (const std::string& file : {pilot, viewer, table})
    std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  client::ServerProcessOptions options;
  options.binary = TALUS_SERVER_BINARY;
  options.arguments = {"--log-level", "error", "--token-file", table};
  auto guarded = client::ServerProcess::Start(options);
  ASSERT_TRUE(guarded) << guarded.error().ToString();
  const TalusctlResult result =
      Talusctl({"conformance", "--only", "errors,agents,control", "--json", "--token-file", pilot,
                "--reader-token-file", viewer, "--server", guarded->address()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(ListOutcomes(nlohmann::json::parse(result.out), "skip"),
              UnorderedElementsAre("errors.draining", "errors.bad_recording"));
  EXPECT_EQ(guarded->Terminate(), 0);
}

TEST_F(TalusctlConformance, TellsAndListsAndRefuses) {
  const TalusctlResult text = Run({"conformance", "--only", "reset.time_alone"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("pass  reset        time_alone"));
  EXPECT_THAT(text.out, HasSubstr("1 passed, 0 failed, 0 skipped"));
  EXPECT_THAT(Run({"conformance", "--list"}).out, HasSubstr("agents.silence_leaves\n"));
  const TalusctlResult unknown = Run({"conformance", "--only", "nothing"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--only nothing: no such area or check"));
  EXPECT_EQ(Talusctl({"conformance", "--server", "127.0.0.1:1", "--timeout", "2"}).exit_code, 24);
  EXPECT_THAT(Run({"features"}).out, HasSubstr("yes  32 STEP_SIMULATION_MULTIPLE"));
}

}  // namespace
}  // namespace talus::testing
