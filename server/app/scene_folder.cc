#include "server/app/scene_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "server/session/resource_name.h"
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

class OpenFile {
 public:
  // Not kept waiting by a pipe. A link is followed: mounted folders are made of links, and whoever
  // may write to the folder is trusted with what is in it.
  explicit OpenFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

// A regular file of at most so many bytes. One that grows while it is read is cut off, and then no
// JSON any more.
absl::StatusOr<std::string> ReadText(const std::string& path) {
  const OpenFile file(path);
  struct stat status {};
  if (file.descriptor() < 0 || ::fstat(file.descriptor(), &status) != 0) {
    return FolderError(path, std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) return FolderError(path, "must be a regular file");
  if (status.st_size > kMostFileMib * kMib) {
    return FolderError(path, "has " + std::to_string(status.st_size) +
                                 " bytes, must have at most " + std::to_string(kMostFileMib) +
                                 " MiB");
  }
  std::string text(static_cast<size_t>(status.st_size), '\0');
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.descriptor(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FolderError(path, std::strerror(errno));
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  text.resize(size);
  return text;
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
