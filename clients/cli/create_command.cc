#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "clients/cli/commands.h"
#include "clients/cli/model_options.h"
#include "clients/cli/model_report.h"
#include "clients/cli/output_file.h"
#include "clients/cli/scene_file.h"
#include "clients/cli/scene_line.h"
#include "clients/cli/scene_options.h"
#include "clients/cli/urdf_file.h"

namespace talus::cli {
namespace {

struct CreateArguments {
  std::string file;
  std::string id;
  std::string snapshot;
  std::string snapshot_file;
  std::string named_scene;
  double idle_ttl_s = 0.0;
  SceneOptions changes;
  std::string urdf;
  ModelOptions model;
};

// What a scene is made from, and the files that errors may be about.
struct Source {
  v1::CreateSceneRequest request;
  std::optional<SceneFile> file;
  std::optional<UrdfFile> urdf;

  std::string Place(const client::Error& error) const {
    const std::string robot = urdf ? urdf->Place(error) : "";
    return robot + (file ? file->Place(error, urdf ? "urdf.scene." : "spec.") : "");
  }
};

client::Result<SceneFile> LoadChangedScene(const CreateArguments& arguments) {
  auto file = LoadSceneFile(arguments.file);
  if (!file) return file;
  const std::string complaint = ApplySceneOptions(arguments.changes, *file);
  if (!complaint.empty()) return client::MakeError(client::Code::kInvalidArgument, complaint);
  return file;
}

client::Result<client::Done> ReadRobot(CreateArguments& arguments, Source& source) {
  const std::string complaint = CompleteModelOptions(arguments.model);
  if (!complaint.empty()) return client::MakeError(client::Code::kInvalidArgument, complaint);
  auto urdf = ReadUrdfFile(arguments.urdf, arguments.model.needs_meshes());
  if (!urdf) return urdf.error();
  v1::UrdfScene& robot = *source.request.mutable_urdf();
  robot.set_urdf(urdf->text);
  *robot.mutable_options() = arguments.model.message;
  robot.mutable_files()->Assign(urdf->meshes.begin(), urdf->meshes.end());
  if (source.file) *robot.mutable_scene() = source.file->spec;
  source.urdf = *std::move(urdf);
  return client::Done{};
}

client::Result<Source> ReadSource(CreateArguments& arguments) {
  Source source;
  source.request.set_scene_id(arguments.id);
  source.request.set_idle_ttl_s(arguments.idle_ttl_s);
  if (!arguments.snapshot.empty()) {
    source.request.set_snapshot(SnapshotName(arguments.snapshot));
  } else if (!arguments.snapshot_file.empty()) {
    auto bytes = ReadFile(arguments.snapshot_file);
    if (!bytes) return bytes.error();
    source.request.set_snapshot_data(*std::move(bytes));
  } else if (!arguments.named_scene.empty()) {
    source.request.set_named_scene(arguments.named_scene);
  }
  if (!arguments.file.empty()) {
    auto file = LoadChangedScene(arguments);
    if (!file) return file.error();
    source.file = *std::move(file);
  }
  if (!arguments.urdf.empty()) {
    auto read = ReadRobot(arguments, source);
    if (!read) return read.error();
  } else if (source.file) {
    *source.request.mutable_spec() = source.file->spec;
  }
  return source;
}

int CreateScene(const Context& context, CreateArguments& arguments) {
  auto source = ReadSource(arguments);
  if (!source) return Complain(kExitUsage, source.error().message);
  auto response = context.Connect().CreateScene(source->request, context.Call());
  if (!response) {
    client::Error error = response.error();
    error.message = source->Place(error) + error.message;
    return context.Report(error);
  }
  if (context.json && source->urdf) {
    PrintJson(*response);
  } else if (context.json) {
    PrintJson(response->scene());
  } else {
    PrintScene(response->scene());
    if (source->urdf) PrintModelReport(source->urdf->path, response->model());
  }
  return kExitOk;
}

}  // namespace

void AddCreateCommand(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<CreateArguments>();
  CLI::App* create = app.add_subcommand("create", "Create a scene on the server");
  auto* source = create->add_option_group("source", "Where the scene comes from");
  auto* file = source->add_option("scene", arguments->file,
                                  "Scene file (proto3 JSON of SceneSpec) or one that came with "
                                  "Talus, as in gravel_pile");
  auto* urdf = source->add_option("--urdf", arguments->urdf,
                                  "Robot, by its URDF file; a scene is what stands around it");
  auto* stored =
      source->add_option("--snapshot", arguments->snapshot, "Snapshot stored on the server");
  auto* downloaded =
      source->add_option("--snapshot-file", arguments->snapshot_file, "Downloaded snapshot");
  auto* named = source->add_option("--named", arguments->named_scene,
                                   "Scene that the server was given as a file (list --named)");
  source->require_option(1, 2);
  stored->excludes(file)->excludes(urdf)->excludes(downloaded)->excludes(named);
  downloaded->excludes(file)->excludes(urdf)->excludes(named);
  named->excludes(file)->excludes(urdf);
  create->add_option("--id", arguments->id, "Name of the scene; the server chooses when left out");
  create->add_option("--idle-ttl", arguments->idle_ttl_s,
                     "Seconds of not being used after which it is evicted; 0: as the server does");
  auto* changes = create->add_option_group("changes", "What is changed of a scene file");
  changes->set_help_flag();  // --help is not one of them
  AddSceneOptions(*changes, arguments->changes);
  // A snapshot holds all of them, and the server's file is not at hand.
  for (CLI::Option* change : changes->get_options()) {
    change->excludes(stored)->excludes(downloaded)->excludes(named)->needs(file);
  }
  auto* robot = create->add_option_group("robot", "How a robot is to stand in it");
  for (CLI::Option* option : AddModelOptions(*robot, arguments->model)) option->needs(urdf);
  create->callback([arguments, &context] { context.exit_code = CreateScene(context, *arguments); });
}

}  // namespace talus::cli
