#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "clients/cli/commands.h"
#include "clients/cli/interruption.h"
#include "clients/cli/number_check.h"
#include "clients/cli/patience.h"
#include "clients/cli/run_folder.h"
#include "clients/cli/run_job.h"
#include "clients/cli/run_judgement.h"
#include "clients/cli/scene_file.h"
#include "clients/cli/scene_options.h"
#include "clients/cpp/server_process.h"

namespace talus::cli {
namespace {

constexpr double kDefaultSeconds = 5;
constexpr double kMostSeconds = 1e9;
constexpr char kServerDirectory[] = ".server-";

struct RunArguments {
  std::string scene;
  std::string out;
  std::optional<double> seconds;
  std::optional<int64_t> steps;
  SceneOptions changes;
  int threads = 0;
  int64_t frames_every = 10;
  bool contacts = false;
  std::string server_binary;
  RunOptions options;
};

void PrintSummary(const Context& context, const record::RunSummary& summary) {
  if (context.json) {
    PrintJson(summary);
    return;
  }
  std::printf(
      "%s: %u steps, %.6g s simulated in %.3g s (%.1f steps/s), %u bodies, %u contacts\n"
      "state hash %s, worst residual %.3g, worst penetration %.3g m, %u steps unconverged\n",
      summary.outcome().c_str(), summary.steps(), summary.seconds(), summary.wall_seconds(),
      summary.steps_per_second(), summary.bodies(), summary.contacts(),
      summary.state_hash().c_str(), summary.residual_worst(), summary.penetration_worst_m(),
      summary.unconverged_steps());
  if (!summary.fault().empty()) std::printf("fault: %s\n", summary.fault().c_str());
}

// A directory of the server's own, whatever the environment says; those of runs that were killed go
// away.
std::string MakeServerDirectory(const RunFolder& folder) {
  const std::string path = folder.PathOf("");
  std::error_code ignored;
  std::vector<std::filesystem::path> stale;
  for (const auto& entry : std::filesystem::directory_iterator(path, ignored)) {
    if (entry.path().filename().string().rfind(kServerDirectory, 0) == 0) {
      stale.push_back(entry.path());
    }
  }
  for (const auto& directory : stale) std::filesystem::remove_all(directory, ignored);
  return path + kServerDirectory + std::to_string(::getpid());
}

client::Result<client::ServerProcess> StartPrivateServer(const RunArguments& arguments,
                                                         const RunFolder& folder,
                                                         const std::string& server_directory) {
  client::ServerProcessOptions options;
  options.binary = arguments.server_binary;
  options.log_path = folder.PathOf("server.log");
  const std::string mib = std::to_string(client::kMostMessageMib);
  options.arguments = {"--max-message-mib",  mib,
                       "--max-snapshot-mib", mib,
                       "--max-bodies",       "10000000",
                       "--max-contacts",     "2147483647",
                       "--data-dir",         server_directory};
  if (arguments.threads > 0) {
    const std::string threads = std::to_string(arguments.threads);
    options.arguments.insert(options.arguments.end(),
                             {"--workers", threads, "--workers-per-scene", threads});
  }
  return client::ServerProcess::Start(options);
}

record::RunIdentity MakeIdentity(const RunArguments& arguments, const SceneFile& file) {
  record::RunIdentity identity;
  *identity.mutable_scene() = file.spec;
  if (arguments.changes.seed) identity.set_seed(*arguments.changes.seed);
  if (arguments.steps) {
    identity.set_steps(*arguments.steps);
  } else {
    identity.set_seconds(arguments.seconds.value_or(kDefaultSeconds));
  }
  identity.set_frames_every(arguments.frames_every);
  identity.set_contacts(arguments.contacts);
  return identity;
}

int ReportRun(const Context& context, const SceneFile& file, client::Error error) {
  // Files fail with these codes too, and without a reason; the server always gives one.
  const bool local =
      error.detail.reason() == v1::ERROR_REASON_UNSPECIFIED &&
      (error.code == client::Code::kUnknown || error.code == client::Code::kNotFound ||
       error.code == client::Code::kDataLoss);
  if (error.code == client::Code::kOutOfRange) return Complain(kExitUsage, error.message);
  if (local) return Complain(kExitFailure, error.message);
  error.message = file.Place(error) + error.message;
  return context.Report(error);
}

int RunWith(const Context& context, const RunArguments& arguments, const SceneFile& file,
            RunFolder& folder, const record::RunIdentity& identity, const std::string& address,
            const client::Client& client) {
  const Interruption interruption;
  RunOptions options = arguments.options;
  options.timeout = context.Call().timeout;
  RunJob job(client, address, folder, identity, options, interruption);
  auto summary = job.Execute();
  if (!summary) {
    const int code = ReportRun(context, file, summary.error());
    // Whatever else went wrong meanwhile, the same command need not get further.
    const bool stopped =
        summary.error().code == client::Code::kCancelled || Patience::AsksToWait(summary.error());
    return interruption.requested() && stopped ? kExitInterrupted : code;
  }
  PrintSummary(context, *summary);
  if (summary->outcome() == "interrupted") {
    std::fprintf(stderr, "talusctl: interrupted and saved; the same command continues\n");
  }
  return summary->exit_code();
}

// A run is judged by what this command allows, however it was judged when it ended.
int ReportFinished(const Context& context, const RunArguments& arguments, const RunFolder& folder,
                   record::RunSummary summary) {
  std::fprintf(stderr, "talusctl: the run in %s is finished already\n", arguments.out.c_str());
  const int judged = summary.exit_code();
  if (judged != kExitFaulted) JudgeCompleteRun(arguments.options.allowed_unconverged, summary);
  if (summary.exit_code() != judged) {
    auto written = folder.WriteSummary(summary);
    if (!written) return Complain(kExitFailure, written.error().message);
  }
  PrintSummary(context, summary);
  return summary.exit_code();
}

int RunFile(const Context& context, const RunArguments& arguments) {
  auto file = LoadSceneFile(arguments.scene);
  if (!file) return Complain(kExitUsage, file.error().message);
  const std::string complaint = ApplySceneOptions(arguments.changes, *file);
  if (!complaint.empty()) return Complain(kExitUsage, complaint);
  const record::RunIdentity identity = MakeIdentity(arguments, *file);
  auto folder = RunFolder::Open(arguments.out);
  if (!folder) return Complain(kExitFailure, folder.error().message);
  auto claimed = folder->Claim(identity);
  if (!claimed) {
    return Complain(claimed.code() == client::Code::kFailedPrecondition ? kExitUsage : kExitFailure,
                    claimed.error().message);
  }
  auto finished = folder->FindFinished();
  if (!finished) return Complain(kExitFailure, finished.error().message);
  if (finished->has_value()) return ReportFinished(context, arguments, *folder, **finished);
  // The environment's address is for sharing a server; a run shares one only when it is told to.
  if (!context.server.empty()) {
    return RunWith(context, arguments, *file, *folder, identity, context.server, context.Connect());
  }
  const std::string server_directory = MakeServerDirectory(*folder);
  auto server = StartPrivateServer(arguments, *folder, server_directory);
  if (!server) return Complain(kExitFailure, server.error().message);
  const int code = RunWith(context, arguments, *file, *folder, identity, server->address(),
                           client::Client(server->address(), {client::kMostMessageMib}));
  server->Terminate();
  std::error_code ignored;
  std::filesystem::remove_all(server_directory, ignored);
  return code;
}

}  // namespace

void AddRunCommand(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<RunArguments>();
  RunArguments& a = *arguments;
  CLI::App* run = app.add_subcommand(
      "run",
      "Run a scene from start to end: scene file in; frames, contacts, summary and snapshot out.\n"
      "Starts a server of its own unless --server is given. After a kill or an interruption the\n"
      "same command continues from the last snapshot and ends with the same bits.");
  run->add_option("scene", a.scene, "Scene file (proto3 JSON of SceneSpec) or named scene")
      ->required();
  run->add_option("--out,-o", a.out, "Folder of the run")->required();
  auto* seconds = run->add_option("--seconds", a.seconds, "Simulated time [5]");
  seconds->check(CLI::PositiveNumber)->check(NumberIn(0, kMostSeconds));
  run->add_option("--steps", a.steps, "Steps, instead of --seconds")
      ->check(CLI::Range(int64_t{1}, kMostRunSteps))
      ->excludes(seconds);
  run->add_option("--threads", a.threads, "Threads of the run's own server [all cores]")
      ->check(CLI::Range(0, client::kMostWorkers));
  AddSceneOptions(*run, a.changes);
  run->add_option("--frames-every", a.frames_every, "Record every n-th step; 0: first and last")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  run->add_flag("--contacts", a.contacts, "Record contacts in every frame");
  run->add_option("--snapshot-every", a.options.snapshot_every,
                  "Snapshot every n steps; 0: every 30 s of wall clock")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  run->add_option("--allow-unconverged", a.options.allowed_unconverged,
                  "Share of steps that may miss the tolerance before the exit code says so")
      ->check(NumberIn(0, 1))
      ->capture_default_str();
  run->add_option("--server-binary", a.server_binary, "talus_server to start")
      ->envname("TALUS_SERVER");
  run->add_flag("--quiet,-q", a.options.quiet, "No progress on standard error");
  run->callback([arguments, &context] { context.exit_code = RunFile(context, *arguments); });
}

}  // namespace talus::cli
