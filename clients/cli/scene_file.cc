#include "clients/cli/scene_file.h"

#include <google/protobuf/util/json_util.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "clients/cli/output_file.h"

namespace talus::cli {
namespace {

constexpr size_t kMostSceneMib = 256;  // of text, which takes many times that as a message

// Folders that may hold named scenes, the most particular first.
std::vector<std::filesystem::path> SceneFolders() {
  std::vector<std::filesystem::path> folders;
  if (const char* named = std::getenv("TALUS_SCENES"); named != nullptr && *named != '\0') {
    folders.emplace_back(named);
  }
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  folders.push_back(self / "../share/talus/scenes");
  folders.push_back(self / "../../../clients/scenes");  // build/<preset>/bin of a source tree
  return folders;
}

std::string FindSceneFile(const std::string& name) {
  std::error_code ignored;
  // A folder of a scene's name is most often what an earlier run of it made.
  const bool is_file =
      std::filesystem::exists(name, ignored) && !std::filesystem::is_directory(name, ignored);
  if (is_file || name.find('/') != std::string::npos) return name;
  const std::string file = name.ends_with(".json") ? name : name + ".json";
  for (const auto& folder : SceneFolders()) {
    if (std::filesystem::exists(folder / file, ignored)) {
      return std::filesystem::weakly_canonical(folder / file, ignored).string();
    }
  }
  return name;
}

// The field that protobuf's JSON reader complains about: `(bodies[0].kind): invalid …`,
// `(bodies[0]) masss: Cannot …`, `settings: Proto field is not repeating …`.
std::string FieldOf(const std::string& message) {
  if (message.empty() || message[0] != '(') return message.substr(0, message.find(':'));
  const size_t end = message.find(')');
  const std::string path = message.substr(1, end - 1);
  const std::string rest = end == std::string::npos ? "" : message.substr(end + 1);
  if (rest.rfind(" ", 0) != 0) return path;
  const std::string name = rest.substr(1, rest.find(':') - 1);
  return path.empty() ? name : path + "." + name;
}

}  // namespace

void SceneFile::ApplySeed(uint64_t seed) {
  for (int i = 0; i < spec.emitters_size(); ++i) {
    spec.mutable_emitters(i)->set_seed(seed + static_cast<uint64_t>(i));
  }
}

void SceneFile::ApplyTolerance(double tolerance) {
  spec.mutable_settings()->mutable_solver()->set_tolerance(tolerance);
}

void SceneFile::ApplyLaw(v1::ContactLaw law) {
  v1::SolverSettings& solver = *spec.mutable_settings()->mutable_solver();
  solver.set_law(law);
  solver.clear_solver();
}

void SceneFile::ApplySolver(v1::ContactSolver solver) {
  spec.mutable_settings()->mutable_solver()->set_solver(solver);
}

void SceneFile::ApplyFacets(int count) {
  spec.mutable_settings()->mutable_solver()->set_facet_count(count);
}

std::string SceneFile::Place(const client::Error& error) const {
  // The server names fields of the request, `size(spec.bodies[0].shapes)` included; the file holds
  // the spec.
  std::string field = error.detail.field();
  if (field.rfind("size(", 0) == 0 && field.ends_with(")")) {
    field = field.substr(5, field.size() - 6);
  }
  constexpr std::string_view kSpec = "spec.";
  if (field.rfind(kSpec, 0) == 0) field.erase(0, kSpec.size());
  const int line = positions.FindLine(field);
  return line > 0 ? path + ":" + std::to_string(line) + ": " : "";
}

client::Result<SceneFile> LoadSceneFile(const std::string& name) {
  const std::string path = FindSceneFile(name);
  const auto text = ReadFile(path, kMostSceneMib);
  if (text) return ParseSceneFile(path, *text);
  if (text.code() == client::Code::kResourceExhausted) return text.error();
  return MakeError(client::Code::kNotFound, "cannot read the scene file " + path);
}

client::Result<SceneFile> ParseSceneFile(const std::string& path, const std::string& text) {
  SceneFile scene;
  scene.path = path;
  if (const auto error = scene.positions.Scan(text)) {
    return MakeError(client::Code::kInvalidArgument, path + ":" + std::to_string(error->line) +
                                                         ":" + std::to_string(error->column) +
                                                         ": " + error->message);
  }
  const auto status = google::protobuf::util::JsonStringToMessage(text, &scene.spec);
  if (!status.ok()) {
    const std::string message(status.message().data(), status.message().size());
    const int line = scene.positions.FindLine(FieldOf(message));
    return MakeError(client::Code::kInvalidArgument,
                     path + ":" + (line > 0 ? std::to_string(line) + ":" : "") + " " + message);
  }
  return scene;
}

}  // namespace talus::cli
