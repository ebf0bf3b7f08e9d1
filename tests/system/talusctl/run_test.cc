// `talusctl run`: one self-contained job. Killed at any moment and started again, it ends with the
// bits of a run that was left alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "clients/cpp/columns.h"
#include "clients/cpp/frame_file.h"
#include "clients/cpp/scene.h"
#include "clients/cpp/server_process.h"
#include "tests/support/file_text.h"
#include "tests/support/wait_until.h"
#include "tests/system/talusctl/talusctl_process.h"
#include "tests/system/talusctl/talusctl_run.h"

namespace talus::testing {
namespace {

using ::testing::HasSubstr;
TEST_F(TalusctlRun, LeavesFramesContactsSnapshotAndSummary) {
  const TalusctlResult result = Talusctl(RunStones("out"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const cli::record::RunSummary summary = Summary("out");
  EXPECT_EQ(summary.outcome(), "completed");
  EXPECT_EQ(summary.steps(), 400u);
  EXPECT_DOUBLE_EQ(summary.seconds(), 2);
  EXPECT_EQ(summary.bodies(), 151u);
  EXPECT_GT(summary.contacts(), 100u);
  EXPECT_EQ(summary.state_hash().size(), 16u);
  EXPECT_EQ(summary.seed(), "7");
  EXPECT_EQ(summary.resumed(), 0u);
  EXPECT_GT(summary.residual_worst(), 0);

  auto frames = client::FrameReader::Open(Path("out") + "/frames.binpb");
  ASSERT_TRUE(frames);
  v1::Frame frame;
  int64_t layout_version = -1;
  for (int64_t step = 0; step <= 400; step += 10) {
    ASSERT_TRUE(frames->Read(&frame)) << step;
    EXPECT_EQ(frame.step_index(), step);
    EXPECT_EQ(frame.has_layout(), frame.layout_version() != layout_version) << step;
    layout_version = frame.layout_version();
  }
  EXPECT_FALSE(frames->Read(&frame));
  EXPECT_FALSE(frames->torn());
  std::istringstream table(ReadText(Path("out") + "/contacts.csv"));
  size_t lines = 0;
  for (std::string line; std::getline(table, line);) ++lines;
  EXPECT_EQ(lines, 1 + summary.contacts());
}

TEST_F(TalusctlRun, IsDoneOnce) {
  Words words{"run", "rolling_disk", "--out", Path("out"), "--seconds", "0.5", "--json"};
  const TalusctlResult first = Talusctl(words);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const auto written = std::filesystem::last_write_time(Path("out") + "/frames.binpb");
  const TalusctlResult second = Talusctl(words);
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_THAT(second.err, HasSubstr("finished already"));
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(std::filesystem::last_write_time(Path("out") + "/frames.binpb"), written);
}

TEST_F(TalusctlRun, RollsTheDiskToItsClosedForm) {
  ASSERT_EQ(
      Talusctl({"run", "rolling_disk", "--out", Path("out"), "--seconds", "8", "-q"}).exit_code, 0);
  auto frames = client::FrameReader::Open(Path("out") + "/frames.binpb");
  ASSERT_TRUE(frames);
  v1::Frame frame;
  v1::Frame last;
  while (frames->Read(&frame)) last = frame;
  // 1/0.28 m, short by at most h v0 / 2 of the first-order step.
  EXPECT_NEAR(client::ViewBodies(last).position(1)[0], 1 / 0.28, 0.005 / 2 + 1e-9);
  EXPECT_NEAR(client::ViewBodies(last).linear_velocity(1)[0], 0, 1e-12);
}

TEST_F(TalusctlRun, EndsWithTheSameBitsHoweverOftenItIsKilled) {
  ASSERT_EQ(Talusctl(RunStones("calm", "1")).exit_code, 0);
  const uint32_t seed = std::random_device{}();
  RecordProperty("seed", static_cast<int>(seed));
  std::mt19937 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  const std::string snapshot = Path("killed") + "/snapshot.bin";
  bool killed_after_a_save = false;
  TalusctlResult last;
  for (int attempt = 0; attempt < 60; ++attempt) {
    TalusctlProcess process(RunStones("killed"));
    // Once in its first milliseconds, when nothing is saved yet; once as soon as something is, from
    // where the next has to go on; then anywhere, up to several snapshots later.
    const int longest_ms = attempt == 0 ? 100 : attempt < 8 ? 350 : 60000;
    const int patience_ms = std::uniform_int_distribution<int>(1, longest_ms)(random);
    const auto enough = [&](int waited_ms) {
      return attempt == 1 ? std::filesystem::exists(snapshot) : waited_ms >= patience_ms;
    };
    for (int waited = 0; process.Running() && !enough(waited); ++waited) {
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    process.Signal(SIGKILL);
    last = process.Wait();
    if (last.exit_code != -SIGKILL) break;
    AwaitUnlocked("killed");
    killed_after_a_save = killed_after_a_save || std::filesystem::exists(snapshot);
  }
  EXPECT_TRUE(killed_after_a_save);
  ASSERT_EQ(last.exit_code, 0) << last.err;
  for (const char* file : {"/frames.binpb", "/contacts.csv", "/snapshot.bin"}) {
    EXPECT_TRUE(ReadText(Path("calm") + file) == ReadText(Path("killed") + file)) << file;
  }
  const cli::record::RunSummary calm = Summary("calm");
  const cli::record::RunSummary after = Summary("killed");
  EXPECT_EQ(calm.resumed(), 0u);
  EXPECT_GE(after.resumed(), 1u) << "it started over";
  EXPECT_EQ(after.state_hash(), calm.state_hash());
  EXPECT_EQ(after.residual_worst(), calm.residual_worst());
  EXPECT_EQ(after.penetration_worst_m(), calm.penetration_worst_m());
  EXPECT_EQ(after.unconverged_steps(), calm.unconverged_steps());
  EXPECT_EQ(after.sweeps(), calm.sweeps());
  EXPECT_EQ(after.contacts(), calm.contacts());
}

TEST_F(TalusctlRun, SavesWhenItIsTerminatedAndGoesOnLater) {
  ASSERT_EQ(Talusctl(RunStones("calm")).exit_code, 0);
  for (const int signal : {SIGTERM, SIGINT}) {
    const std::string out = "ended-" + std::to_string(signal);
    // Snapshots only when it is told to end.
    const Words words = RunStones(out, "2", "0");
    TalusctlProcess process(words);
    ASSERT_TRUE(WaitUntil([&] { return FrameBytes(out) > 0; }));
    process.Signal(signal);
    process.Signal(signal);  // timeout(1) sends it to the process and to its group
    const TalusctlResult ended = process.Wait();
    ASSERT_EQ(ended.exit_code, 130) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("continues"));
    EXPECT_EQ(Summary(out).outcome(), "interrupted");
    ASSERT_EQ(Talusctl(words).exit_code, 0);
    EXPECT_EQ(Summary(out).resumed(), 1u);
    EXPECT_EQ(Summary(out).state_hash(), Summary("calm").state_hash());
    EXPECT_TRUE(ReadText(Path(out) + "/frames.binpb") == ReadText(Path("calm") + "/frames.binpb"));
  }
}

TEST_F(TalusctlRun, GoesOnWhenItIsKilledBetweenItsTwoFiles) {
  // To save is to replace progress.json and then snapshot.bin. Two interruptions make two saves,
  // the second by a run that was resumed; the snapshot of the first put back is what a kill between
  // the two files leaves.
  ASSERT_EQ(Talusctl(RunStones("calm")).exit_code, 0);
  const Words words = RunStones("torn", "2", "0");
  const std::string snapshot = Path("torn") + "/snapshot.bin";
  std::string older;
  for (int save = 0; save < 2; ++save) {
    older = ReadText(snapshot);
    const auto before = FrameBytes("torn");
    TalusctlProcess process(words);
    ASSERT_TRUE(WaitUntil([&] { return FrameBytes("torn") > before; }));
    process.Signal(SIGTERM);
    const TalusctlResult ended = process.Wait();
    ASSERT_EQ(ended.exit_code, 130) << ended.err;
  }
  ASSERT_NE(older, "");
  ASSERT_TRUE(older != ReadText(snapshot));
  std::ofstream(snapshot, std::ios::binary) << older;
  const TalusctlResult last = Talusctl(words);
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(Summary("torn").state_hash(), Summary("calm").state_hash());
  EXPECT_TRUE(ReadText(Path("torn") + "/frames.binpb") == ReadText(Path("calm") + "/frames.binpb"));
}

TEST_F(TalusctlRun, RefusesTheFolderOfAnotherRun) {
  const Words words{"run", WriteScene(kStones), "--out", Path("out"), "--steps", "3", "-q"};
  ASSERT_EQ(Talusctl(words).exit_code, 0);
  const std::string before = ReadText(Path("out") + "/summary.json");
  Words other_seed = words;
  other_seed.insert(other_seed.end(), {"--seed", "8"});
  const TalusctlResult seed = Talusctl(other_seed);
  EXPECT_EQ(seed.exit_code, 2);
  EXPECT_THAT(seed.err, HasSubstr("seed"));
  Words other_scene = words;
  other_scene[1] = "rolling_disk";
  EXPECT_EQ(Talusctl(other_scene).exit_code, 2);
  EXPECT_EQ(ReadText(Path("out") + "/summary.json"), before);
}

TEST_F(TalusctlRun, NamesWhatIsWrongWithAScene) {
  const auto run = [&](const std::string& scene) {
    return Talusctl({"run", WriteScene(scene), "--out", Path("bad"), "--steps", "1"});
  };
  const TalusctlResult syntax = run("{\n  \"bodies\": [\n    {\"name\": \"a\",}\n  ]\n}");
  EXPECT_EQ(syntax.exit_code, 2);
  EXPECT_THAT(syntax.err, HasSubstr("scene.json:3:18: "));
  const TalusctlResult field = run("{\n  \"bodies\": [\n    {\"mas\": 1}\n  ]\n}");
  EXPECT_EQ(field.exit_code, 2);
  EXPECT_THAT(field.err, AllOf(HasSubstr("scene.json:3: "), HasSubstr("mas")));
  const TalusctlResult missing = Talusctl({"run", "no_such_scene", "--out", Path("bad")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(Path("bad")));
  // What only the server can judge: exit code 10 + INVALID_ARGUMENT, and still the line of the
  // file.
  const TalusctlResult mass =
      run("{\n  \"bodies\": [{\n    \"shapes\": [{\"sphere\": {\"radiusM\": 1}}],\n    \"massKg\": "
          "-2}]\n}");
  EXPECT_EQ(mass.exit_code, 13);
  EXPECT_THAT(mass.err, AllOf(HasSubstr("scene.json:4: "), HasSubstr("mass_kg = -2 must be > 0")));
}

TEST_F(TalusctlRun, TellsOutcomesByItsExitCode) {
  // No solver gets a heap to 10^-14 in one sweep.
  const std::string strict = WriteScene(std::string(kStones, sizeof kStones - 3) + R"(,
      "settings": {"solver": {"maxSweeps": 1}}})");
  const Words words{"run", strict, "--out",       Path("strict"), "--steps",
                    "200", "-q",   "--tolerance", "1e-14"};
  EXPECT_EQ(Talusctl(words).exit_code, 3);
  EXPECT_EQ(Summary("strict").outcome(), "unconverged");
  EXPECT_GT(Summary("strict").unconverged_steps(), 2u);
  EXPECT_EQ(Talusctl(words).exit_code, 3) << "finished already, with the same outcome";
  Words lenient = words;
  lenient[3] = Path("lenient");
  lenient.insert(lenient.end(), {"--allow-unconverged", "1"});
  EXPECT_EQ(Talusctl(lenient).exit_code, 0);
  EXPECT_EQ(Summary("lenient").outcome(), "completed");

  const std::string runaway = WriteScene(R"({
    "bodies": [{"shapes": [{"sphere": {"radiusM": 1}}], "massKg": 1}],
    "settings": {"timeStepS": 1, "gravityWorldMS2": {"z": -1e6}}})");
  EXPECT_EQ(Talusctl({"run", runaway, "--out", Path("runaway"), "--steps", "9999", "-q"}).exit_code,
            4);
  EXPECT_EQ(Summary("runaway").outcome(), "faulted");
  EXPECT_FALSE(Summary("runaway").fault().empty());
  EXPECT_GT(Summary("runaway").steps(), 0u);
}

// By what it allows itself, not by what the one before it did.
TEST_F(TalusctlRun, JudgesAFinishedRunAnew) {
  const std::string strict = WriteScene(std::string(kStones, sizeof kStones - 3) + R"(,
      "settings": {"solver": {"maxSweeps": 1}}})");
  const auto run = [&](const std::string& allowed) {
    return Talusctl({"run", strict, "--out", Path("out"), "--steps", "200", "-q", "--tolerance",
                     "1e-14", "--allow-unconverged", allowed});
  };
  ASSERT_EQ(run("0.01").exit_code, 3);
  const cli::record::RunSummary before = Summary("out");
  ASSERT_EQ(before.outcome(), "unconverged");
  const TalusctlResult lenient = run("1");
  EXPECT_EQ(lenient.exit_code, 0);
  EXPECT_THAT(lenient.err, HasSubstr("finished already"));
  EXPECT_THAT(lenient.out, HasSubstr("completed: 200 steps"));
  EXPECT_EQ(Summary("out").outcome(), "completed");
  EXPECT_EQ(Summary("out").exit_code(), 0);
  EXPECT_EQ(Summary("out").wall_seconds(), before.wall_seconds()) << "it was made again";
  EXPECT_EQ(run("0").exit_code, 3);
  EXPECT_EQ(Summary("out").outcome(), "unconverged");
}

TEST_F(TalusctlRun, WarnsOfASeedThatChangesNothing) {
  const auto run = [&](const std::string& scene, const std::string& out) {
    return Talusctl({"run", scene, "--seed", "5", "--steps", "2", "-q", "--out", Path(out)});
  };
  const TalusctlResult none = run("box_stack", "none");
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.err, AllOf(HasSubstr("--seed 5 changes nothing"), HasSubstr("no emitter")));
  EXPECT_EQ(Summary("none").seed(), "");
  const TalusctlResult one = run(WriteScene(kStones), "one");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_EQ(one.err, "");
  EXPECT_EQ(Summary("one").seed(), "5");
}

TEST_F(TalusctlRun, UsesAServerThatIsThereAndLeavesItClean) {
  client::ServerProcessOptions options;
  options.binary = TALUS_SERVER_BINARY;
  options.arguments = {"--log-level", "error"};
  auto server = client::ServerProcess::Start(options);
  ASSERT_TRUE(server);
  client::Client client(server->address());
  ASSERT_EQ(Talusctl(RunStones("private")).exit_code, 0);
  Words shared = RunStones("shared");
  shared.insert(shared.end(), {"--server", server->address()});
  Words lost = RunStones("lost");
  lost.insert(lost.end(), {"--server", "unix:/nowhere/talus.sock"});
  {
    TalusctlProcess process(shared);
    const std::string snapshot = Path("shared") + "/snapshot.bin";
    ASSERT_TRUE(WaitUntil([&] { return std::filesystem::exists(snapshot); }));
    process.Signal(SIGKILL);
    EXPECT_EQ(process.Wait().exit_code, -SIGKILL);
  }
  EXPECT_EQ(client.ListScenes({})->scenes_size(), 1) << "nobody could delete it";
  ASSERT_EQ(Talusctl(shared).exit_code, 0);
  EXPECT_EQ(client.ListScenes({})->scenes_size(), 0);
  EXPECT_EQ(Summary("shared").resumed(), 1u) << "it started over";
  EXPECT_EQ(Summary("shared").state_hash(), Summary("private").state_hash());
  EXPECT_EQ(Talusctl(lost).exit_code, 24);
  EXPECT_EQ(server->Terminate(), 0);
}

}  // namespace
}  // namespace talus::testing
