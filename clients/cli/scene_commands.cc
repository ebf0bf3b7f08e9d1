#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <utility>

#include "clients/cli/commands.h"
#include "clients/cli/output_file.h"
#include "clients/cli/scene_file.h"
#include "clients/cli/scene_options.h"

namespace talus::cli {
namespace {

void PrintScene(const v1::SceneInfo& scene) {
  std::printf(
      "%-28s step %lld  time %.6g s  bodies %lld  emitters %lld  pending %lld  hash %s%s%s%s\n",
      scene.scene().c_str(), static_cast<long long>(scene.step_index()), scene.time_s(),
      static_cast<long long>(scene.body_count()), static_cast<long long>(scene.emitter_count()),
      static_cast<long long>(scene.particles_pending()), HexHash(scene.state_hash()).c_str(),
      scene.evicted() ? "  evicted" : "",
      scene.fault().empty() ? "" : "  FAULTED: ", scene.fault().c_str());
}

struct CreateArguments {
  std::string file;
  std::string id;
  std::string snapshot;
  std::string snapshot_file;
  std::string named_scene;
  double idle_ttl_s = 0.0;
  SceneOptions changes;
};

int CreateScene(const Context& context, const CreateArguments& arguments) {
  v1::CreateSceneRequest request;
  request.set_scene_id(arguments.id);
  request.set_idle_ttl_s(arguments.idle_ttl_s);
  SceneFile file;
  if (!arguments.snapshot.empty()) {
    request.set_snapshot(SnapshotName(arguments.snapshot));
  } else if (!arguments.snapshot_file.empty()) {
    auto bytes = ReadFile(arguments.snapshot_file);
    if (!bytes) return Complain(kExitUsage, bytes.error().message);
    request.set_snapshot_data(std::move(*bytes));
  } else if (!arguments.named_scene.empty()) {
    request.set_named_scene(arguments.named_scene);
  } else {
    auto loaded = LoadSceneFile(arguments.file);
    if (!loaded) return Complain(kExitUsage, loaded.error().message);
    file = std::move(*loaded);
    const std::string complaint = ApplySceneOptions(arguments.changes, file);
    if (!complaint.empty()) return Complain(kExitUsage, complaint);
    *request.mutable_spec() = file.spec;
  }
  auto response = context.Connect().CreateScene(request, context.Call());
  if (!response) {
    client::Error error = response.error();
    error.message = file.Place(error) + error.message;
    return context.Report(error);
  }
  if (context.json) {
    PrintJson(response->scene());
  } else {
    PrintScene(response->scene());
  }
  return kExitOk;
}

// All pages of a list as one.
template <typename Request, typename Response>
client::Result<Response> JoinPages(
    const Context& context,
    client::Result<Response> (client::Client::*list)(const Request&, const client::CallOptions&)) {
  client::Client client = context.Connect();
  Response all;
  Request request;
  do {
    auto page = (client.*list)(request, context.Call());
    if (!page) return page.error();
    all.mutable_scenes()->MergeFrom(page->scenes());
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  return all;
}

int ListScenes(const Context& context) {
  auto all = JoinPages(context, &client::Client::ListScenes);
  if (!all) return context.Report(all.error());
  if (context.json) {
    PrintJson(*all);
    return kExitOk;
  }
  for (const v1::SceneInfo& scene : all->scenes()) PrintScene(scene);
  return kExitOk;
}

int ListNamedScenes(const Context& context) {
  auto all = JoinPages(context, &client::Client::ListNamedScenes);
  if (!all) return context.Report(all.error());
  if (context.json) {
    PrintJson(*all);
    return kExitOk;
  }
  for (const v1::NamedSceneInfo& scene : all->scenes()) {
    std::printf("%-28s bodies %lld  joints %lld  time step %.6g s\n", scene.name().c_str(),
                static_cast<long long>(scene.body_count()),
                static_cast<long long>(scene.joint_count()), scene.time_step_s());
  }
  return kExitOk;
}

int Show(const Context& context, const std::string& name) {
  client::Client client = context.Connect();
  auto scene = ChooseScene(client, name, context.Call());
  if (!scene) return context.Report(scene.error());
  v1::GetSceneRequest request;
  request.set_scene(*scene);
  auto response = client.GetScene(request, context.Call());
  if (!response) return context.Report(response.error());
  if (context.json) {
    PrintJson(response->scene());
  } else {
    PrintScene(response->scene());
    std::printf("settings %s\n", ToJson(response->scene().settings()).c_str());
  }
  return kExitOk;
}

int DeleteScene(const Context& context, const std::string& name) {
  v1::DeleteSceneRequest request;
  request.set_scene(SceneName(name));
  auto response = context.Connect().DeleteScene(request, context.Call());
  if (!response) return context.Report(response.error());
  if (context.json) PrintJson(*response);
  return kExitOk;
}

}  // namespace

void AddSceneCommands(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<CreateArguments>();
  CLI::App* create = app.add_subcommand("create", "Create a scene on the server");
  auto* source = create->add_option_group("source", "Where the scene comes from");
  source->add_option("scene", arguments->file,
                     "Scene file (proto3 JSON of SceneSpec) or one that came with Talus, as in "
                     "gravel_pile");
  auto* stored =
      source->add_option("--snapshot", arguments->snapshot, "Snapshot stored on the server");
  auto* downloaded =
      source->add_option("--snapshot-file", arguments->snapshot_file, "Downloaded snapshot");
  auto* named = source->add_option("--named", arguments->named_scene,
                                   "Scene that the server was given as a file (list --named)");
  source->require_option(1);
  create->add_option("--id", arguments->id, "Name of the scene; the server chooses when left out");
  create->add_option("--idle-ttl", arguments->idle_ttl_s,
                     "Seconds of not being used after which it is evicted; 0: as the server does");
  auto* changes = create->add_option_group("changes", "What is changed of a scene file");
  changes->set_help_flag();  // --help is not one of them
  AddSceneOptions(*changes, arguments->changes);
  // A snapshot holds all of them, and the server's file is not at hand.
  for (CLI::Option* change : changes->get_options()) {
    change->excludes(stored)->excludes(downloaded)->excludes(named);
  }
  create->callback([arguments, &context] { context.exit_code = CreateScene(context, *arguments); });

  auto listed = std::make_shared<bool>(false);
  CLI::App* list = app.add_subcommand("list", "List the scenes on the server");
  list->add_flag("--named", *listed, "Those that it was given as files, for create --named");
  list->callback([listed, &context] {
    context.exit_code = *listed ? ListNamedScenes(context) : ListScenes(context);
  });

  auto shown = std::make_shared<std::string>();
  CLI::App* show = app.add_subcommand("show", "Describe a scene");
  show->add_option("scene", *shown, "Scene; may be left out when the server holds one only");
  show->callback([shown, &context] { context.exit_code = Show(context, *shown); });

  auto deleted = std::make_shared<std::string>();
  CLI::App* remove = app.add_subcommand("delete", "Delete a scene");
  remove->add_option("scene", *deleted, "Scene")->required();
  remove->callback([deleted, &context] { context.exit_code = DeleteScene(context, *deleted); });
}

}  // namespace talus::cli
