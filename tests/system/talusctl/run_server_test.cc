// `talusctl run` and the server it runs on: one that asks for patience, one with small messages,
// one of its own beside another one's environment; and what it tells of a scene that faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "clients/cpp/scene.h"
#include "clients/cpp/server_process.h"
#include "tests/support/file_text.h"
#include "tests/support/wait_until.h"
#include "tests/system/talusctl/talusctl_process.h"
#include "tests/system/talusctl/talusctl_run.h"

namespace talus::testing {
namespace {

using ::testing::HasSubstr;

class TalusctlRunServer : public TalusctlRun {
 protected:
  // With these options; `words` then run on it.
  void Serve(Words& words, const Words& options) {
    client::ServerProcessOptions process;
    process.binary = TALUS_SERVER_BINARY;
    process.arguments = {"--data-dir", Path("data"), "--log-level", "error"};
    process.arguments.insert(process.arguments.end(), options.begin(), options.end());
    auto started = client::ServerProcess::Start(process);
    ASSERT_TRUE(started) << started.error().ToString();
    server_.emplace(std::move(*started));
    words.insert(words.end(), {"--server", server_->address()});
  }

  std::optional<client::ServerProcess> server_;
};

TEST_F(TalusctlRunServer, WaitsForItsTurn) {
  ASSERT_EQ(Talusctl(RunStones("calm")).exit_code, 0);
  Words words = RunStones("patient");
  Serve(words, {"--calls-per-second", "50", "--call-burst", "1"});
  const TalusctlResult patient = Talusctl(words);
  ASSERT_EQ(patient.exit_code, 0) << patient.err;
  EXPECT_EQ(Summary("patient").state_hash(), Summary("calm").state_hash());
  EXPECT_EQ(Summary("patient").sweeps(), Summary("calm").sweeps());
}

TEST_F(TalusctlRunServer, GoesOnFromASnapshotThatIsLargerThanAMessage) {
  std::string bodies;
  for (int i = 0; i < 9000; ++i) {
    bodies +=
        R"({"massKg": 1, "shapes": [{"sphere": {"radiusM": 0.1}}], "positionWorldM": {"x": )" +
        std::to_string(i) + "}},";
  }
  bodies.pop_back();
  Words words{"run",
              WriteScene(R"({"bodies": [)" + bodies + "]}"),
              "--out",
              Path("out"),
              "--steps",
              "100000",
              "--frames-every",
              "0",
              "--quiet"};
  Serve(words, {"--max-message-mib", "2"});
  for (int part = 0; part < 2; ++part) {
    const auto before = FrameBytes("out");
    TalusctlProcess process(words);
    // Made, also of the snapshot, whose name may stand there before.
    ASSERT_TRUE(WaitUntil([&] {
      return FrameBytes("out") > 0 &&
             ReadText(Path("out") + "/.scene").find("scenes/") != std::string::npos;
    }));
    process.Signal(SIGTERM);
    const TalusctlResult ended = process.Wait();
    ASSERT_EQ(ended.exit_code, 130) << ended.err;
    ASSERT_GT(std::filesystem::file_size(Path("out") + "/snapshot.bin"), uintmax_t{2} << 20);
    EXPECT_EQ(FrameBytes("out") > before, part == 0);
  }
  EXPECT_EQ(Summary("out").resumed(), 1u);
  client::Client client(server_->address());
  EXPECT_EQ(client.ListScenes({})->scenes_size(), 0);
  EXPECT_EQ(client.ListSnapshots({})->snapshots_size(), 0) << "it was there for the while only";
}

TEST_F(TalusctlRunServer, HeedsNoOptionsOfAnotherServer) {
  const TalusctlResult result = Talusctl(
      {"run", "rolling_disk", "--out", Path("out"), "--steps", "3", "--quiet"},
      {"TALUS_TOKEN_FILE=/nowhere/tokens", "TALUS_MAX_SCENES=none", "TALUS_METRICS_LISTEN=9"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(TalusctlRunServer, TellsTheSumsOfAllStepsBeforeAFault) {
  // A ball is pushed along a plane until it leaves all bounds, after a thousand steps of contact.
  const std::string scene = WriteScene(R"({
    "materials": [{"name": "stone", "material": {"slidingFriction": 0.5}}],
    "bodies": [{"kind": "BODY_KIND_STATIC", "shapes": [{"plane": {"normal": {"z": 1}}, "material": "stone"}]},
               {"shapes": [{"sphere": {"radiusM": 0.5}, "material": "stone"}], "massKg": 1,
                "positionWorldM": {"z": 0.5}}],
    "settings": {"timeStepS": 1, "gravityWorldMS2": {"x": 1e6, "z": -1e6}}})");
  Words words;
  Serve(words, {});
  client::Client client(server_->address());
  for (const std::string every : {"0", "100"}) {
    const std::string out = "runaway-" + every;
    ASSERT_EQ(Talusctl({"run", scene, "--out", Path(out), "--steps", "9999", "--quiet",
                        "--frames-every", "0", "--snapshot-every", every, "--contacts"})
                  .exit_code,
              4);
    const std::string contacts = ReadText(Path(out) + "/contacts.csv");
    EXPECT_EQ(std::count(contacts.begin(), contacts.end(), '\n'), 1) << "a fault leaves none";
    const cli::record::RunSummary summary = Summary(out);
    v1::SceneSpec spec;
    ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(ReadText(scene), &spec).ok());
    auto again = client::Scene::Create(client, spec);
    ASSERT_TRUE(again) << again.error().ToString();
    auto fork = again->Fork({""});
    ASSERT_TRUE(fork) << fork.error().ToString();
    const auto faulted = fork->front().Step(9999);
    EXPECT_EQ(summary.steps(), faulted.error().detail.step_index()) << every;
    const auto steps = again->Step(summary.steps());
    ASSERT_TRUE(steps) << steps.error().ToString();
    EXPECT_GE(summary.sweeps(), summary.steps());
    EXPECT_EQ(summary.sweeps(), static_cast<double>(steps->sweep_count())) << every;
    EXPECT_EQ(summary.residual_worst(), steps->worst_residual()) << every;
    EXPECT_EQ(summary.penetration_worst_m(), steps->worst_penetration_m()) << every;
    EXPECT_EQ(summary.contacts(), 1u) << every;
    EXPECT_THAT(summary.fault(), HasSubstr("FAULTED")) << every;
  }
}

TEST_F(TalusctlRunServer, RefusesMoreStepsThanItCanCount) {
  for (const std::string seconds : {"1e30", "nan", "inf", "-1", "0"}) {
    const TalusctlResult refused =
        Talusctl({"run", "rolling_disk", "--out", Path("none"), "--seconds", seconds});
    EXPECT_EQ(refused.exit_code, 2) << seconds;
    EXPECT_THAT(refused.err, HasSubstr("--seconds")) << seconds;
  }
  EXPECT_FALSE(std::filesystem::exists(Path("none")));
  const TalusctlResult many =
      Talusctl({"run", "rolling_disk", "--out", Path("many"), "--seconds", "1e9", "--quiet"});
  EXPECT_EQ(many.exit_code, 2);
  EXPECT_THAT(many.err, HasSubstr("must be at most 4000000000"));
}

TEST_F(TalusctlRunServer, TakesAsManyThreadsAsAServerDoes) {
  const auto run = [&](const std::string& threads) {
    return Talusctl({"run", "rolling_disk", "--out", Path("out"), "--steps", "2", "--quiet",
                     "--threads", threads});
  };
  for (const std::string threads : {"1025", "-1"}) {
    const TalusctlResult refused = run(threads);
    EXPECT_EQ(refused.exit_code, 2) << threads;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("--threads"), HasSubstr("1024"))) << threads;
  }
  EXPECT_FALSE(std::filesystem::exists(Path("out")));
  const TalusctlResult most = run("1024");
  EXPECT_EQ(most.exit_code, 0) << most.err;
}

}  // namespace
}  // namespace talus::testing
