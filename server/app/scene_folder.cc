#include "server/app/scene_folder.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "server/session/resource_name.h"
#include "server/storage/file.h"
#include "server/wire/scene_text.h"
#include "solver/base/status.h"

namespace talus::app {
namespace {

constexpr size_t kMostFiles = 1024;
constexpr int64_t kMostFileMib = 16;  // some 100 000 bodies
constexpr int64_t kMostMib = 256;     // all together
constexpr int64_t kMib = int64_t{1} << 20;
constexpr std::string_view kEnding = ".json";

absl::Status FolderError(const std::string& path, const std::string& why) {
  return absl::FailedPreconditionError("--scenes " + path + ": " + why);
}

bool IsSceneFile(std::string_view file) {
  return file.size() > kEnding.size() && file.ends_with(kEnding) && file.front() != '.';
}

// The names of the scenes, sorted, so that of several faults the same one is told each time.
absl::StatusOr<std::vector<std::string>> FindNames(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  for (const std::filesystem::directory_iterator end; !error && entries != end;
       entries.increment(error)) {
    std::string file = entries->path().filename().string();
    if (!IsSceneFile(file)) continue;
    file.resize(file.size() - kEnding.size());
    names.push_back(std::move(file));
    if (names.size() > kMostFiles) {
      return FolderError(folder, "must have at most " + std::to_string(kMostFiles) + " scenes");
    }
  }
  if (error) return FolderError(folder, error.message());
  std::sort(names.begin(), names.end());
  return names;
}

// A regular file of at most so many bytes. A link is followed: mounted folders are made of links,
// and whoever may write to the folder is trusted with what is in it. A file that grows while it is
// read is cut off, and then no JSON any more.
absl::StatusOr<std::string> ReadText(const std::string& path) {
  absl::StatusOr<std::optional<FileHead>> head =
      ReadFileHead(path, static_cast<size_t>(kMostFileMib * kMib), Links::kFollow);
  if (!head.ok()) return FolderError(path, std::string(head.status().message()));
  if (!head->has_value()) return FolderError(path, "No such file or directory");
  FileHead& file = **head;
  if (!file.regular) return FolderError(path, "must be a regular file");
  if (file.file_size > kMostFileMib * kMib) {
    return FolderError(path, "has " + std::to_string(file.file_size) +
                                 " bytes, must have at most " + std::to_string(kMostFileMib) +
                                 " MiB");
  }
  return std::move(file.bytes);
}

// As its author knows the fields: from the scene on.
std::string DescribeFault(const absl::Status& status) {
  constexpr std::string_view kScene = "scene.";
  const std::string message(status.message());
  return message.starts_with(kScene) ? message.substr(kScene.size()) : message;
}

absl::Status AddScene(const std::string& name, const std::string& text, SceneLibrary& library) {
  TALUS_ASSIGN_OR_RETURN(SceneDef scene, wire::DecodeSceneText(text, "scene"));
  return library.Add(name, std::move(scene));
}

}  // namespace

absl::StatusOr<SceneLibrary> ReadSceneFolder(const std::string& folder) {
  SceneLibrary library;
  if (folder.empty()) return library;
  TALUS_ASSIGN_OR_RETURN(const std::vector<std::string> names, FindNames(folder));
  int64_t bytes = 0;
  for (const std::string& name : names) {
    const std::string path = folder + '/' + name + std::string(kEnding);
    // Before it is opened, so that a name that nobody could ask for costs nothing.
    if (absl::Status status = ValidateId(name, "name"); !status.ok()) {
      return FolderError(path, std::string(status.message()));
    }
    TALUS_ASSIGN_OR_RETURN(const std::string text, ReadText(path));
    bytes += static_cast<int64_t>(text.size());
    if (bytes > kMostMib * kMib) {
      return FolderError(folder,
                         "must have at most " + std::to_string(kMostMib) + " MiB of scenes in all");
    }
    absl::Status status = AddScene(name, text, library);
    if (!status.ok()) return FolderError(path, DescribeFault(status));
  }
  return library;
}

}  // namespace talus::app
