#include "clients/cli/urdf_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <utility>

#include "clients/cli/output_file.h"

namespace talus::cli {
namespace {

constexpr int kFoldersAbove = 4;

bool IsKnownMesh(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return ending == ".stl" || ending == ".obj";
}

// In the order of the text, each once. None of a text that is no XML: the server says so.
std::vector<std::string> ListMeshes(const std::string& text) {
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return {};
  std::vector<std::string> uris;
  std::set<std::string> seen;
  for (const pugi::xpath_node& mesh : document.select_nodes("//collision/geometry/mesh")) {
    std::string uri = mesh.node().attribute("filename").value();
    if (IsKnownMesh(uri) && seen.insert(uri).second) uris.push_back(std::move(uri));
  }
  return uris;
}

// The longest end of the URI that is a file in the folder.
std::optional<std::filesystem::path> FindIn(const std::filesystem::path& folder,
                                            const std::filesystem::path& uri_path) {
  std::error_code ignored;
  for (auto begin = uri_path.begin(); begin != uri_path.end(); ++begin) {
    std::filesystem::path file = folder;
    for (auto part = begin; part != uri_path.end(); ++part) file /= *part;
    if (std::filesystem::is_regular_file(file, ignored)) return file;
  }
  return std::nullopt;
}

std::optional<std::filesystem::path> FindMesh(const std::filesystem::path& folder,
                                              const std::string& uri) {
  const size_t scheme = uri.find("://");
  const std::filesystem::path path = scheme == std::string::npos ? uri : uri.substr(scheme + 3);
  std::filesystem::path above = folder;
  for (int level = 0; level <= kFoldersAbove; ++level) {
    if (auto found = FindIn(above, path)) return found;
    above = above.parent_path();
  }
  return std::nullopt;
}

}  // namespace

std::string UrdfFile::Place(const client::Error& error) const {
  const std::string& field = error.detail.field();
  const bool in_file =
      field == "urdf" || (field.starts_with("urdf.") && !field.starts_with("urdf.scene") &&
                          !field.starts_with("urdf.options"));
  return in_file ? path + ": " : "";
}

client::Result<UrdfFile> ReadUrdfFile(const std::string& path, bool meshes) {
  auto text = ReadFile(path);
  if (!text) return text.error();
  UrdfFile file = {path, *std::move(text), {}};
  if (!meshes) return file;
  std::error_code ignored;
  const auto folder = std::filesystem::weakly_canonical(path, ignored).parent_path();
  for (const std::string& uri : ListMeshes(file.text)) {
    const auto found = FindMesh(folder, uri);
    if (!found) continue;  // the server lists it
    auto bytes = ReadFile(found->string());
    if (!bytes) return bytes.error();
    v1::ModelFile& mesh = file.meshes.emplace_back();
    mesh.set_name(uri);
    mesh.set_content(*std::move(bytes));
  }
  return file;
}

}  // namespace talus::cli
