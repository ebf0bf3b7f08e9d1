#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <vector>

#include "clients/cli/commands.h"
#include "clients/cli/output_file.h"
#include "clients/cpp/scene.h"

namespace talus::cli {
namespace {

void PrintSnapshot(const v1::SnapshotInfo& snapshot) {
  std::printf("%-28s step %lld  hash %s  %lld bytes\n", snapshot.snapshot().c_str(),
              static_cast<long long>(snapshot.step_index()), HexHash(snapshot.state_hash()).c_str(),
              static_cast<long long>(snapshot.byte_size()));
}

int ShowSnapshot(const Context& context, const v1::SnapshotInfo& snapshot) {
  if (context.json) {
    PrintJson(snapshot);
  } else {
    PrintSnapshot(snapshot);
  }
  return kExitOk;
}

struct SnapshotArguments {
  std::string scene;
  std::string snapshot;
  std::string file;
  std::vector<std::string> ids;
};

int CreateSnapshot(const Context& context, const SnapshotArguments& arguments) {
  client::Client client = context.Connect();
  auto scene = ChooseScene(client, arguments.scene, context.Call());
  if (!scene) return context.Report(scene.error());
  auto snapshot =
      client::Scene::Attach(client, *scene).SaveSnapshot(arguments.snapshot, context.Call());
  if (!snapshot) return context.Report(snapshot.error());
  return ShowSnapshot(context, *snapshot);
}

int ListSnapshots(const Context& context) {
  client::Client client = context.Connect();
  v1::ListSnapshotsResponse all;
  v1::ListSnapshotsRequest request;
  do {
    auto page = client.ListSnapshots(request, context.Call());
    if (!page) return context.Report(page.error());
    all.mutable_snapshots()->MergeFrom(page->snapshots());
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  if (context.json) {
    PrintJson(all);
    return kExitOk;
  }
  for (const v1::SnapshotInfo& snapshot : all.snapshots()) PrintSnapshot(snapshot);
  return kExitOk;
}

int Restore(const Context& context, const SnapshotArguments& arguments) {
  client::Scene scene = client::Scene::Attach(context.Connect(), arguments.scene);
  auto info = scene.RestoreSnapshot(SnapshotName(arguments.snapshot), context.Call());
  if (!info) return context.Report(info.error());
  if (context.json) {
    PrintJson(*info);
  } else {
    std::printf("%s is at step %lld, hash %s\n", info->scene().c_str(),
                static_cast<long long>(info->step_index()), HexHash(info->state_hash()).c_str());
  }
  return kExitOk;
}

int Fork(const Context& context, const SnapshotArguments& arguments) {
  v1::ForkSceneRequest request;
  request.set_scene(SceneName(arguments.scene));
  for (const std::string& id : arguments.ids) request.add_scene_ids(id);
  if (arguments.ids.empty()) request.add_scene_ids("");
  auto response = context.Connect().ForkScene(request, context.Call());
  if (!response) return context.Report(response.error());
  if (context.json) {
    PrintJson(*response);
    return kExitOk;
  }
  for (const v1::SceneInfo& scene : response->scenes()) {
    std::printf("%s\n", scene.scene().c_str());
  }
  return kExitOk;
}

int DownloadSnapshot(const Context& context, const SnapshotArguments& arguments) {
  v1::DownloadSnapshotRequest request;
  client::Client client = context.Connect();
  if (!arguments.snapshot.empty()) {
    request.set_snapshot(SnapshotName(arguments.snapshot));
  } else {
    auto scene = ChooseScene(client, arguments.scene, context.Call());
    if (!scene) return context.Report(scene.error());
    request.set_scene(*scene);
  }
  auto bytes = client::DownloadSnapshotBytes(client, request, context.Call());
  if (!bytes) return context.Report(bytes.error());
  auto written = WriteFileAtomically(arguments.file, *bytes);
  if (!written) return Complain(kExitFailure, written.error().message);
  std::printf(context.json ? "{\"file\":\"%s\",\"byte_size\":%zu}\n" : "%s: %zu bytes\n",
              arguments.file.c_str(), bytes->size());
  return kExitOk;
}

int UploadSnapshot(const Context& context, const SnapshotArguments& arguments) {
  auto bytes = ReadFile(arguments.file);
  if (!bytes) return Complain(kExitUsage, bytes.error().message);
  auto stored = context.Connect().UploadSnapshot(arguments.snapshot, *bytes, context.Call());
  if (!stored) return context.Report(stored.error());
  return ShowSnapshot(context, stored->snapshot());
}

int DeleteSnapshot(const Context& context, const SnapshotArguments& arguments) {
  v1::DeleteSnapshotRequest request;
  request.set_snapshot(SnapshotName(arguments.snapshot));
  auto response = context.Connect().DeleteSnapshot(request, context.Call());
  if (!response) return context.Report(response.error());
  if (context.json) PrintJson(*response);
  return kExitOk;
}

}  // namespace

void AddSnapshotCommands(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<SnapshotArguments>();
  const auto run = [arguments, &context](int (*command)(const Context&, const SnapshotArguments&)) {
    return [arguments, &context, command] { context.exit_code = command(context, *arguments); };
  };
  CLI::App* snapshot =
      app.add_subcommand("snapshot", "Save, restore, fork, download and upload scenes");
  snapshot->require_subcommand(1);
  snapshot->fallthrough();

  CLI::App* create = snapshot->add_subcommand("create", "Save a scene on the server");
  create->add_option("scene", arguments->scene,
                     "Scene; may be left out when the server holds one only");
  create->add_option("--id", arguments->snapshot, "Name; the server chooses when left out");
  create->callback(run(CreateSnapshot));

  snapshot->add_subcommand("list", "List the snapshots stored on the server")->callback([&context] {
    context.exit_code = ListSnapshots(context);
  });

  CLI::App* restore = snapshot->add_subcommand("restore", "Put a scene back to a snapshot");
  restore->add_option("scene", arguments->scene, "Scene")->required();
  restore->add_option("snapshot", arguments->snapshot, "Snapshot")->required();
  restore->callback(run(Restore));

  CLI::App* fork = snapshot->add_subcommand("fork", "Copy a scene, as it is now");
  fork->add_option("scene", arguments->scene, "Scene")->required();
  fork->add_option("ids", arguments->ids, "Names of the copies; none: one, named by the server");
  fork->callback(run(Fork));

  CLI::App* download = snapshot->add_subcommand("download", "Write a snapshot into a file");
  auto* stored = download->add_option("--snapshot", arguments->snapshot, "A stored snapshot");
  download
      ->add_option("--scene", arguments->scene,
                   "A scene, as it is now; may be left out when the server holds one only")
      ->excludes(stored);
  download->add_option("--out,-o", arguments->file, "File")->required();
  download->callback(run(DownloadSnapshot));

  CLI::App* upload = snapshot->add_subcommand("upload", "Store a downloaded snapshot");
  upload->add_option("file", arguments->file, "File")->required();
  upload->add_option("--id", arguments->snapshot, "Name; the server chooses when left out");
  upload->callback(run(UploadSnapshot));

  CLI::App* remove = snapshot->add_subcommand("delete", "Delete a stored snapshot");
  remove->add_option("snapshot", arguments->snapshot, "Snapshot")->required();
  remove->callback(run(DeleteSnapshot));
}

}  // namespace talus::cli
