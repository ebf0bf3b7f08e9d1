#include "clients/cli/scene_file.h"

#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "clients/cli/json_message.h"
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

void SceneFile::ApplyPsor(const v1::PsorSettings& psor) {
  spec.mutable_settings()->mutable_solver()->mutable_psor()->MergeFrom(psor);
}

void SceneFile::DropForeignPsor() {
  if (spec.settings().solver().solver() == v1::CONTACT_SOLVER_PSOR) return;
  if (spec.settings().solver().has_psor()) {
    spec.mutable_settings()->mutable_solver()->clear_psor();
  }
}

void SceneFile::ApplyFacets(int count) {
  spec.mutable_settings()->mutable_solver()->set_facet_count(count);
}

std::string SceneFile::Place(const client::Error& error, const std::string& prefix) const {
  // The server names fields of the request; the file holds the spec.
  return PlaceInFile(path, positions, error, prefix);
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
  auto positions = ParseJsonMessage(path, text, scene.spec);
  if (!positions) return positions.error();
  scene.positions = *std::move(positions);
  return scene;
}

}  // namespace talus::cli
