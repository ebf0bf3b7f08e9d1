// The commands of talusctl against a real server: text for people, JSON for programs, exit codes
// for scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "clients/cpp/scene.h"
#include "tests/support/wait_until.h"
#include "tests/system/talusctl/talusctl_process.h"
#include "tests/system/talusctl/talusctl_server.h"

namespace talus::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using TalusctlCommands = TalusctlServerTest;

TEST_F(TalusctlCommands, LeadASceneThroughItsLife) {
  EXPECT_EQ(RunForJson<v1::SceneInfo>({"create", "rolling_disk", "--id", "disk"}).scene(),
            "scenes/disk");
  EXPECT_THAT(Run({"list"}).out, StartsWith("scenes/disk"));
  const auto step = RunForJson<v1::StepResponse>({"step", "disk", "--count", "200"});
  EXPECT_EQ(step.frame().step_index(), 200);
  EXPECT_EQ(RunForJson<v1::StepResponse>({"step", "disk", "10", "--residual-history"}).steps_done(),
            10);
  EXPECT_EQ(RunForJson<v1::SceneInfo>({"show"}).step_index(), 210)
      << "the only scene needs no name";
  EXPECT_EQ(RunForJson<v1::Frame>({"state", "scenes/disk"}).bodies().positions_world_m_size(), 6);
  EXPECT_EQ(RunForJson<v1::Layout>({"layout", "disk"}).body_names(1), "disk");
  EXPECT_EQ(RunForJson<v1::Frame>({"contacts", "disk"}).contacts().modes_size(), 1);
  EXPECT_GT(RunForJson<v1::Energy>({"energy", "disk"}).kinetic_translation_j(), 0);
  EXPECT_EQ(RunForJson<v1::GetDiagnosticsResponse>({"diagnostics", "disk"}).report().step_index(),
            210);
  EXPECT_THAT(Run({"contacts", "disk"}).out, StartsWith("step_index,body_a_id,"));
  EXPECT_THAT(Run({"state"}).out, HasSubstr("disk"));
  EXPECT_EQ(Run({"delete", "disk"}).exit_code, 0);
  EXPECT_EQ(Run({"delete", "disk"}).exit_code, 15);
  EXPECT_EQ(Run({"show"}).exit_code, 15) << "there is no scene left to mean";
}

TEST_F(TalusctlCommands, TellOfTheBodiesThatWereChosen) {
  ASSERT_EQ(Run({"create", "box_stack", "--id", "stack"}).exit_code, 0);
  ASSERT_EQ(Run({"step", "stack", "5"}).exit_code, 0);
  const auto layout = RunForJson<v1::Layout>({"layout", "stack"});
  const std::string last = layout.body_names(layout.body_names_size() - 1);
  const std::string first = layout.body_names(0);
  const TalusctlResult one = Run({"state", "--body", last, "stack"});
  EXPECT_THAT(one.out, AllOf(HasSubstr(' ' + last + "  x "), Not(HasSubstr(' ' + first + "  x "))));
  EXPECT_EQ(RunForJson<v1::Frame>({"state", "stack", "--body", last, "--body", first})
                .bodies()
                .positions_world_m_size(),
            6);
  const auto touching = RunForJson<v1::Frame>({"contacts", "stack", "--body", last}).contacts();
  const auto all = RunForJson<v1::Frame>({"contacts", "stack"}).contacts();
  EXPECT_GT(touching.modes_size(), 0);
  EXPECT_LT(touching.modes_size(), all.modes_size());
  EXPECT_EQ(Run({"state", "stack", "--body", "nobody"}).exit_code, 15);
}

TEST_F(TalusctlCommands, MakeScenesOfTheServersFiles) {
  EXPECT_THAT(Run({"list", "--named"}).out, StartsWith("box_stack "));
  const auto listed = RunForJson<v1::ListNamedScenesResponse>({"list", "--named"});
  ASSERT_EQ(listed.scenes_size(), 3);
  EXPECT_EQ(RunForJson<v1::SceneInfo>({"create", "--named", "rolling_disk", "--id", "d"}).scene(),
            "scenes/d");
  const auto unknown = Run({"create", "--named", "rolling_dice"});
  EXPECT_EQ(unknown.exit_code, 15);
  EXPECT_THAT(unknown.err, HasSubstr("named_scene = rolling_dice does not exist"));
  EXPECT_EQ(Run({"create", "--named", "rolling_disk", "--seed", "3"}).exit_code, 2);
  EXPECT_EQ(Run({"create", "rolling_disk", "--named", "rolling_disk"}).exit_code, 2);
}

// Steps that are asked for at once end between two of them: those that were made count.
TEST_F(TalusctlCommands, AStepThatIsInterruptedSaysSoAndItsSceneGoesOn) {
  constexpr int64_t kCount = 1'000'000;
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  const auto step_index = [&] { return RunForJson<v1::SceneInfo>({"show"}).step_index(); };
  for (const int signal : {SIGINT, SIGTERM}) {
    const int64_t before = step_index();
    TalusctlProcess step(
        {"step", "disk", "--count", std::to_string(kCount), "--server", server_->address()});
    ASSERT_TRUE(WaitUntil([&] { return step_index() > before; }));
    step.Signal(signal);
    EXPECT_EQ(step.Wait().exit_code, 130);
    const int64_t after = step_index();
    EXPECT_LT(after, before + kCount);
    const auto next =
        RunForJson<v1::StepResponse>({"step", "disk", "--expect", std::to_string(after)});
    EXPECT_EQ(next.frame().step_index(), after + 1);
  }
}

TEST_F(TalusctlCommands, AFullOutputIsAFailure) {
  const auto run = [this](const std::string& words) {
    return std::system((std::string(TALUSCTL_BINARY) + ' ' + words + " --server " +
                        server_->address() + " 2>" + folder_ + "/full.err")
                           .c_str());
  };
  ASSERT_EQ(run("create rolling_disk >" + folder_ + "/made"), 0);
  EXPECT_EQ(WEXITSTATUS(run("list >/dev/full")), 1);
  EXPECT_EQ(WEXITSTATUS(run("list --json >/dev/full")), 1);
  EXPECT_EQ(WEXITSTATUS(run("list >" + folder_ + "/listed")), 0);
}

TEST_F(TalusctlCommands, AFolderOfAScenesNameDoesNotHideIt) {
  ASSERT_TRUE(std::filesystem::create_directory(folder_ + "/rolling_disk"));
  EXPECT_EQ(std::system(("cd " + folder_ + " && " + TALUSCTL_BINARY +
                         " create rolling_disk --server " + server_->address() + " >made")
                            .c_str()),
            0);
}

TEST_F(TalusctlCommands, CreateASceneUnderAnotherLaw) {
  for (const std::string law : {"ccp", "box", "polygonal", "bristle"}) {
    ASSERT_EQ(Run({"create", "rolling_disk", "--id", law, "--law", law}).exit_code, 0) << law;
    EXPECT_EQ(Run({"step", law, "3"}).exit_code, 0) << law;
  }
  const auto settings = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"create", "rolling_disk", "--id", "chosen"};
    words.insert(words.end(), more.begin(), more.end());
    const TalusctlResult made = Run(words);
    EXPECT_EQ(made.exit_code, 0) << made.err;
    const std::string shown = Run({"show", "chosen"}).out;
    EXPECT_EQ(Run({"delete", "chosen"}).exit_code, 0);
    return shown;
  };
  EXPECT_THAT(settings({"--law", "polygonal", "--solver", "lemke", "--facets", "12"}),
              ::testing::AllOf(HasSubstr("CONTACT_SOLVER_LEMKE"), HasSubstr("\"facet_count\":12")));
  EXPECT_THAT(settings({"--solver", "newton"}), HasSubstr("CONTACT_SOLVER_NEWTON"));
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"fixed_point", "FIXED_POINT"},
                                          {"extragradient", "EXTRAGRADIENT"},
                                          {"nsgs", "NSGS"},
                                          {"barzilai_borwein", "BARZILAI_BORWEIN"},
                                          {"admm", "ADMM"}}) {
    EXPECT_THAT(settings({"--law", "ccp", "--solver", name}), HasSubstr("CONTACT_SOLVER_" + value));
  }
  EXPECT_THAT(settings({"--law", "ccp", "--solver", "psor", "--psor-relaxation", "1.25",
                        "--psor-averaging", "0.5", "--psor-simultaneous"}),
              HasSubstr(R"("psor":{"relaxation":1.25,"averaging":0.5,"sequential":false})"));
  const TalusctlResult apart = Run({"create", "rolling_disk", "--psor-relaxation", "1.25"});
  EXPECT_NE(apart.exit_code, 0);
  EXPECT_THAT(apart.err, HasSubstr("psor = given must be left out unless the solver is PSOR"));
  const TalusctlResult wrong = Run({"create", "rolling_disk", "--solver", "lemke"});
  EXPECT_EQ(wrong.exit_code, 13);
  EXPECT_THAT(wrong.err,
              HasSubstr("must be ALART_CURNIER, NEWTON, FIXED_POINT, EXTRAGRADIENT or NSGS "
                        "when the law is NCP"));
  const TalusctlResult odd = Run({"create", "rolling_disk", "--law", "polygonal", "--facets", "5"});
  EXPECT_EQ(odd.exit_code, 13);
  EXPECT_THAT(odd.err, HasSubstr("facet_count = 5 must be even"));
  // A scene has facets for the law that it may be changed to; asked for, they are of one law.
  const TalusctlResult none = Run({"create", "rolling_disk", "--law", "box", "--facets", "8"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--facets"));
  const TalusctlResult other = Run({"create", "rolling_disk", "--law", "square"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("square must be one of "));
}

TEST_F(TalusctlCommands, ShowWhatJointsCarry) {
  const std::string scene = folder_ + "/hanging.json";
  std::ofstream(scene) << R"({"bodies": [{"name": "bob", "massKg": 2, "shapes": [{"sphere":
      {"radiusM": 0.1}}]}], "joints": [{"name": "hook", "bodyB": "bob", "axes":
      [{"mode": "AXIS_MODE_LOCKED"}, {"mode": "AXIS_MODE_LOCKED"}, {"mode": "AXIS_MODE_LOCKED"}]}],
      "settings": {"gravityWorldMS2": {"z": -10}}})";
  ASSERT_EQ(Run({"create", scene, "--id", "hanging"}).exit_code, 0);
  ASSERT_EQ(Run({"step", "hanging", "2"}).exit_code, 0);
  EXPECT_NEAR(RunForJson<v1::GetJointsResponse>({"joints", "hanging"}).joints(0).force_n().z(), 20,
              0.01);
  EXPECT_THAT(Run({"joints"}).out, HasSubstr("1 hook  force"));
  EXPECT_EQ(Run({"joints", "nothing"}).exit_code, 15);
}

TEST_F(TalusctlCommands, TakeAStepsProblemAndSolveIt) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  const std::string file = folder_ + "/problem.json";
  EXPECT_EQ(Run({"problem", "disk", "--out", file}).exit_code, 15) << "no step has kept one";
  ASSERT_EQ(Run({"step", "disk", "--keep-problem", "always"}).exit_code, 0);
  EXPECT_EQ(RunForJson<v1::GetStepProblemResponse>({"problem", "--out", file}).step_index(), 1);
  const std::string solved = folder_ + "/solved.json";
  const auto answer = RunForJson<v1::SolveContactProblemResponse>({"solve", file, "--out", solved});
  EXPECT_EQ(answer.outcome(), v1::SOLVE_OUTCOME_CONVERGED);
  EXPECT_EQ(answer.block_count(), 1);
  EXPECT_GT(std::filesystem::file_size(solved), std::filesystem::file_size(file) / 2);
  const std::string fclib = folder_ + "/solved.h5";
  EXPECT_EQ(Run({"solve", file, "--out", fclib}).exit_code, 0);
  EXPECT_EQ(Run({"solve", fclib}).exit_code, 13) << "a server of many takes no HDF5";
  // With a server of its own.
  const std::vector<std::string> environment = {"TALUS_SERVER=" TALUS_SERVER_BINARY,
                                                "TALUS_TOKEN_FILE=/nowhere/tokens"};
  const TalusctlResult alone = Talusctl(
      {"solve", solved, "--law", "ccp", "--solver", "newton", "--tolerance", "1e-10"}, environment);
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_THAT(alone.out, HasSubstr("1 blocks, converged"));
  EXPECT_EQ(Talusctl({"solve", fclib}, environment).exit_code, 0);
  EXPECT_EQ(Talusctl({"solve", folder_ + "/none.json"}, environment).exit_code, 2);
  EXPECT_EQ(Run({"solve", file, "--solver", "magic"}).exit_code, 2);
  EXPECT_EQ(Run({"solve", file, "--solver", "admm"}).exit_code, 13) << "not for this law";
  EXPECT_EQ(
      Run({"solve", file, "--solver", "fixed_point", "--tolerance", "1e-14", "--max-sweeps", "1"})
          .exit_code,
      3);
}

TEST_F(TalusctlCommands, SolveSaysWhatItCannotReadOrWrite) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  ASSERT_EQ(Run({"step", "disk", "--keep-problem", "always"}).exit_code, 0);
  const std::string file = folder_ + "/problem.json";
  ASSERT_EQ(Run({"problem", "disk", "--out", file}).exit_code, 0);
  // Before it is solved, so that no solve is for nothing.
  const std::string nowhere = folder_ + "/none/solved.json";
  TalusctlResult result = Run({"solve", file, "--out", nowhere});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("cannot write " + nowhere));
  EXPECT_EQ(result.out, "");
  // A problem that is refused leaves nothing beside.
  const std::string out = folder_ + "/solved.json";
  EXPECT_EQ(Run({"solve", file, "--law", "box", "--solver", "newton", "--out", out}).exit_code, 13);
  EXPECT_FALSE(std::filesystem::exists(out + ".tmp"));
  // What was solved is told even where the disk is full.
  result = Run({"solve", file, "--out", "/dev/full"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("1 blocks, converged"));
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
  result = Run({"solve", "/dev/zero"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("/dev/zero must hold at most 256 MiB"));
  result = Run({"solve", folder_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("Is a directory"));
}

TEST_F(TalusctlCommands, SolveByPsorAsItIsTold) {
  ASSERT_EQ(Run({"create", "box_stack", "--id", "boxes"}).exit_code, 0);
  ASSERT_EQ(Run({"step", "boxes", "1", "--keep-problem", "always"}).exit_code, 0);
  const std::string file = folder_ + "/boxes.json";
  ASSERT_EQ(Run({"problem", "boxes", "--out", file}).exit_code, 0);
  const std::vector<std::string> solve = {"solve",    file,   "--law",       "ccp",
                                          "--solver", "psor", "--tolerance", "1e-2"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = solve;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto count = [&](const std::vector<std::string>& more) {
    return RunForJson<v1::SolveContactProblemResponse>(with(more)).sweep_count();
  };
  const int defaults = count({});
  EXPECT_EQ(count({"--psor-relaxation", "1", "--psor-averaging", "1"}), defaults);
  EXPECT_LT(count({"--psor-relaxation", "1.4"}), defaults);
  const int relaxed = count({"--psor-relaxation", "0.3"});
  EXPECT_GT(relaxed, defaults);
  EXPECT_GT(count({"--psor-averaging", "0.5"}), defaults);
  EXPECT_GT(count({"--psor-relaxation", "0.3", "--psor-simultaneous"}), relaxed);
  // With a server of its own.
  EXPECT_THAT(
      Talusctl(with({"--psor-relaxation", "0.3"}), {"TALUS_SERVER=" TALUS_SERVER_BINARY}).out,
      HasSubstr("converged after " + std::to_string(relaxed) + " sweeps"));
  TalusctlResult refused = Run(with({"--psor-relaxation", "2"}));
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("psor.relaxation = 2 must be in (0, 2)"));
  refused = Run(with({"--psor-averaging", "0"}));
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("psor.averaging = 0 must be in (0, 1]"));
  refused = Run({"solve", file, "--psor-simultaneous"});
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("psor = given must be left out unless solver is PSOR"));
  EXPECT_EQ(Run(with({"--psor-relaxation", "much"})).exit_code, 2);
  EXPECT_THAT(Talusctl({"solve", "--help"}).out,
              ::testing::AllOf(HasSubstr("--psor-relaxation"), HasSubstr("--psor-averaging"),
                               HasSubstr("--psor-simultaneous")));
}

TEST_F(TalusctlCommands, SolveUnderLawsWithFlatSides) {
  ASSERT_EQ(Run({"create", "box_stack", "--id", "boxes"}).exit_code, 0);
  ASSERT_EQ(Run({"step", "boxes", "1", "--keep-problem", "always"}).exit_code, 0);
  const std::string file = folder_ + "/boxes.json";
  ASSERT_EQ(Run({"problem", "boxes", "--out", file}).exit_code, 0);
  for (const std::string law : {"box", "polygonal", "bristle"}) {
    const TalusctlResult solved = Run({"solve", file, "--law", law, "--tolerance", "1e-6"});
    EXPECT_EQ(solved.exit_code, 0) << solved.out << solved.err;
    EXPECT_THAT(solved.out, HasSubstr("converged"));
    EXPECT_THAT(solved.out, ::testing::Not(HasSubstr("siconos")));
  }
  // Bristles this soft let the boxes sink into each other's way, and carry less.
  const auto solve = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"solve", file, "--law", "bristle", "--solver", "lemke"};
    words.insert(words.end(), more.begin(), more.end());
    return Run(words);
  };
  EXPECT_EQ(solve({"--bristle-stiffness", "1e4", "--slip-threshold", "0.1", "--time-step", "0.01"})
                .exit_code,
            0);
  TalusctlResult refused = solve({"--time-step", "2"});
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("flat_law.time_step_s = 2 must be in [1e-06, 1]"));
  refused = Run({"solve", file, "--law", "polygonal", "--facets", "5"});
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("flat_law.facet_count = 5 must be even and in [4, 32]"));
  refused = Run({"solve", file, "--facets", "4"});
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("flat_law = given must be left out"));
  refused = Run({"solve", file, "--law", "box", "--facets", "4"});
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("flat_law.facet_count = given must be left out unless"));
  refused = Run({"solve", file, "--law", "polygonal", "--bristle-stiffness", "1e6"});
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("flat_law.bristle_stiffness_n_m = given must be left out"));
  refused = Run({"solve", file, "--law", "box", "--solver", "newton"});
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("must be BLOCK_PIVOTING or LEMKE"));
  EXPECT_THAT(Talusctl({"solve", "--help"}).out,
              ::testing::AllOf(HasSubstr("--facets"), HasSubstr("--bristle-stiffness"),
                               HasSubstr("--slip-threshold"), HasSubstr("--time-step")));
}

TEST_F(TalusctlCommands, TellTheServerByOptionOrEnvironment) {
  const auto info = RunForJson<v1::GetServerInfoResponse>({"info"});
  EXPECT_EQ(info.version(), "0.1.0");
  EXPECT_EQ(info.limits().contacts_per_scene(), 4'000'000);
  const TalusctlResult text = Talusctl({"info"}, {"TALUS_SERVER_ADDRESS=" + server_->address()});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("contacts per scene   4000000\n"));
  EXPECT_THAT(text.out, HasSubstr("steps per second     any\n"));
  EXPECT_THAT(text.out, HasSubstr(" of any bytes\n"));
  const TalusctlResult nobody = Talusctl({"info", "--server", "unix:/nowhere/talus.sock"});
  EXPECT_EQ(nobody.exit_code, 24);
  EXPECT_THAT(nobody.err, HasSubstr("unix:/nowhere/talus.sock"));
}

TEST_F(TalusctlCommands, AShortTimeoutIsNotNone) {
  ASSERT_EQ(::kill(server_->pid(), SIGSTOP), 0);
  EXPECT_EQ(Run({"info", "--timeout", "0.0005"}).exit_code, 14);
  EXPECT_EQ(::kill(server_->pid(), SIGCONT), 0);
  for (const std::string timeout : {"-1", "nan", "1e30", "soon"}) {
    const TalusctlResult refused = Run({"info", "--timeout", timeout});
    EXPECT_EQ(refused.exit_code, 2) << timeout;
    EXPECT_THAT(refused.err, HasSubstr("--timeout")) << timeout;
  }
}

TEST_F(TalusctlCommands, MapErrorsToExitCodes) {
  EXPECT_EQ(Run({"show", "nowhere"}).exit_code, 15);
  EXPECT_EQ(Run({"step", "bad name"}).exit_code, 13);
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  EXPECT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 16);
  EXPECT_EQ(Run({"step", "disk", "--expect", "5"}).exit_code, 19);
  EXPECT_EQ(Run({"create", "no_such_scene"}).exit_code, 2);
  EXPECT_EQ(Run({"create"}).exit_code, 2);
  EXPECT_EQ(Run({"frobnicate"}).exit_code, 2);
  EXPECT_EQ(Talusctl({}).exit_code, 2);
  const TalusctlResult help = Talusctl({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("Exit codes:"));
  EXPECT_THAT(Talusctl({"version"}).out, StartsWith("talusctl 0.1.0"));
}

TEST_F(TalusctlCommands, ServeBecomesTheServer) {
  EXPECT_THAT(Talusctl({"serve", "--help"}).out, HasSubstr("--max-scenes"));
  EXPECT_EQ(Talusctl({"serve", "--no-such-option"}).exit_code, 2);
  TalusctlProcess serve({"serve", "--listen", "unix:" + folder_ + "/served.sock"});
  client::Client client("unix:" + folder_ + "/served.sock");
  EXPECT_TRUE(client.WaitUntilConnected(std::chrono::minutes{1}));
  serve.Signal(SIGTERM);
  const TalusctlResult ended = serve.Wait();
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.out, HasSubstr("listening on unix:"));
}

}  // namespace
}  // namespace talus::testing
