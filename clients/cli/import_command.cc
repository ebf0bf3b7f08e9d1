#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <utility>

#include "clients/cli/commands.h"
#include "clients/cli/model_options.h"
#include "clients/cli/model_report.h"
#include "clients/cli/urdf_file.h"

namespace talus::cli {
namespace {

struct ImportArguments {
  std::string file;
  std::string scene;
  ModelOptions options;
};

int Import(const Context& context, ImportArguments& arguments) {
  const std::string complaint = CompleteModelOptions(arguments.options);
  if (!complaint.empty()) return Complain(kExitUsage, complaint);
  auto urdf = ReadUrdfFile(arguments.file, arguments.options.needs_meshes());
  if (!urdf) return Complain(kExitUsage, urdf.error().message);
  client::Client client = context.Connect();
  auto scene = ChooseScene(client, arguments.scene, context.Call());
  if (!scene) return context.Report(scene.error());
  v1::ModelImport model;
  model.set_scene(*scene);
  *model.mutable_options() = arguments.options.message;
  model.set_urdf_file("model.urdf");
  std::vector<v1::ModelFile> files = std::move(urdf->meshes);
  v1::ModelFile& text = files.emplace_back();
  text.set_name(model.urdf_file());
  text.set_content(urdf->text);
  auto response = client.ImportModel(model, files, context.Call());
  if (!response) {
    client::Error error = response.error();
    error.message = urdf->Place(error) + error.message;
    return context.Report(error);
  }
  if (context.json) {
    PrintJson(response->model());
    return kExitOk;
  }
  std::printf("%s has %lld bodies and %lld joints  hash %s\n", scene->c_str(),
              static_cast<long long>(response->scene().body_count()),
              static_cast<long long>(response->scene().joint_count()),
              HexHash(response->scene().state_hash()).c_str());
  PrintModelReport(urdf->path, response->model());
  return kExitOk;
}

}  // namespace

void AddImportCommand(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* import = app.add_subcommand("import", "Put a robot from a URDF file into a scene");
  import->add_option("file", arguments->file, "URDF file")->required();
  import->add_option("scene", arguments->scene,
                     "Scene; may be left out when the server holds one only");
  AddModelOptions(*import, arguments->options);
  import->callback([arguments, &context] { context.exit_code = Import(context, *arguments);
});
}  // namespace talus::cli

}  // namespace talus::cli
