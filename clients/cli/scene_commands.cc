#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "clients/cli/commands.h"
#include "clients/cli/scene_line.h"

namespace talus::cli {
namespace {

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
