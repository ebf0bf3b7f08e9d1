#include "server/storage/scene_store.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <utility>

#include "server/session/error.h"
#include "server/session/resource_name.h"
#include "server/storage/file.h"
#include "server/storage/sealed_file.h"

namespace talus {
namespace {

constexpr std::string_view kSceneSuffix = ".scene";
constexpr std::string_view kTemporarySceneSuffix = ".scene.tmp";

std::string NameOf(const std::string& scene_id, int64_t number) {
  return scene_id + "." + std::to_string(number) + std::string(kSceneSuffix);
}

// The scene and the number in a file name of ours.
std::optional<std::pair<std::string, int64_t>> ParseName(std::string_view name) {
  if (!EndsWith(name, kSceneSuffix)) return std::nullopt;
  name.remove_suffix(kSceneSuffix.size());
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view digits = name.substr(dot + 1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  const bool whole = error == std::errc() && end == digits.end() && number > 0;
  if (!whole || !ValidateId(name.substr(0, dot), "").ok()) return std::nullopt;
  return std::make_pair(std::string(name.substr(0, dot)), number);
}

}  // namespace

absl::StatusOr<std::unique_ptr<SceneStore>> SceneStore::Open(const std::string& directory, int keep,
                                                             const Limits& limits,
                                                             StorageQuota& quota) {
  const absl::Status made = MakeDirectory(directory);
  if (!made.ok()) return made;
  const auto bytes = TidyDirectory(directory, kTemporarySceneSuffix, kSceneSuffix);
  if (!bytes.ok()) return bytes.status();
  quota.Count(*bytes);
  const auto names = FindFileNames(directory);
  if (!names.ok()) return names.status();
  std::unique_ptr<SceneStore> store(new SceneStore(directory, keep, limits, quota));
  MutexLock lock(store->mutex_);
  for (const std::string& name : *names) {
    if (const auto parsed = ParseName(name))
      store->numbers_[parsed->first].push_back(parsed->second);
  }
  for (auto& [id, numbers] : store->numbers_) std::sort(numbers.begin(), numbers.end());
  return store;
}

SceneStore::SceneStore(std::string directory, int keep, const Limits& limits, StorageQuota& quota)
    : directory_(std::move(directory)), keep_(std::max(1, keep)), limits_(limits), quota_(quota) {}

absl::Status SceneStore::Save(const std::string& scene_id, int64_t step_index, uint64_t state_hash,
                              std::string_view bytes) {
  const auto size = static_cast<int64_t>(bytes.size());
  if (size > limits_.snapshot_bytes) {
    return LimitError("snapshot_bytes", limits_.snapshot_bytes, size);
  }
  const SnapshotHeader header = MakeHeader(step_index, state_hash, bytes);
  MutexLock lock(mutex_);
  const int64_t number = NextNumber(scene_id);
  absl::Status status = WriteSealedFile(directory_, scene_id + std::string(kTemporarySceneSuffix),
                                        NameOf(scene_id, number), header, bytes, quota_);
  return status.ok() ? Keep(scene_id, number) : status;
}

absl::Status SceneStore::Link(const std::string& scene_id, const std::string& snapshot_path) {
  MutexLock lock(mutex_);
  const int64_t number = NextNumber(scene_id);
  const std::string path = PathOf(scene_id, number);
  if (::link(snapshot_path.c_str(), path.c_str()) != 0) {
    return FileError("cannot link", path, errno);
  }
  absl::Status status = FlushDirectory(directory_);
  if (status.ok()) return Keep(scene_id, number);
  ::unlink(path.c_str());
  return status;
}

absl::Status SceneStore::Forget(const std::string& scene_id) {
  MutexLock lock(mutex_);
  const auto found = numbers_.find(scene_id);
  if (found == numbers_.end()) return absl::OkStatus();
  // Oldest first: whatever a crash or a failure leaves is the newest state, never an older one.
  std::vector<int64_t>& numbers = found->second;
  while (!numbers.empty()) {
    const auto freed = RemoveFile(PathOf(scene_id, numbers.front()));
    if (!freed.ok()) return freed.status();
    quota_.GiveBack(freed->value_or(0));
    numbers.erase(numbers.begin());
  }
  numbers_.erase(found);
  return FlushDirectory(directory_);
}

std::vector<std::string> SceneStore::FindScenes() const {
  MutexLock lock(mutex_);
  std::vector<std::string> ids;
  for (const auto& [id, numbers] : numbers_) ids.push_back(id);
  return ids;
}

absl::StatusOr<StoredScene> SceneStore::Load(
    const std::string& scene_id, absl::FunctionRef<absl::Status(const StoredScene&)> accept) const {
  std::vector<int64_t> numbers;
  {
    MutexLock lock(mutex_);
    const auto found = numbers_.find(scene_id);
    if (found != numbers_.end()) numbers = found->second;
  }
  StoredScene scene;
  absl::Status newest = NotFoundError("scene", FormatSceneName(scene_id));
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    const std::string name = NameOf(scene_id, *number);
    auto sealed = ReadSealedFile(PathOf(scene_id, *number), name, limits_.snapshot_bytes);
    absl::Status status = sealed.status();
    if (status.ok()) {
      scene.step_index = sealed->header.step_index;
      scene.state_hash = sealed->header.state_hash;
      scene.bytes = std::move(sealed->bytes);
      status = accept(scene);
      if (status.ok()) return scene;
    }
    scene.damaged.push_back(std::string(status.message()));
    if (scene.damaged.size() == 1) newest = std::move(status);
  }
  return newest;
}

std::string SceneStore::PathOf(const std::string& scene_id, int64_t number) const {
  return directory_ + "/" + NameOf(scene_id, number);
}

int64_t SceneStore::NextNumber(const std::string& scene_id) const {
  const auto found = numbers_.find(scene_id);
  return found == numbers_.end() ? 1 : found->second.back() + 1;
}

absl::Status SceneStore::Keep(const std::string& scene_id, int64_t number) {
  std::vector<int64_t>& numbers = numbers_[scene_id];
  numbers.push_back(number);
  while (numbers.size() > static_cast<size_t>(keep_)) {
    const auto freed = RemoveFile(PathOf(scene_id, numbers.front()));
    // The new state is there; one too many is tried again with the next.
    if (!freed.ok()) return absl::OkStatus();
    quota_.GiveBack(freed->value_or(0));
    numbers.erase(numbers.begin());
  }
  return absl::OkStatus();
}

}  // namespace talus
