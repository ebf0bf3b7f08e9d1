#include "server/storage/eviction_store.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "server/session/error.h"
#include "server/storage/file.h"
#include "server/storage/sealed_file.h"

namespace talus {
namespace {

constexpr std::string_view kWorld = ".world";
constexpr std::string_view kOrigin = ".origin";
constexpr std::string_view kContacts = ".contacts";
constexpr std::array<std::string_view, 3> kEvictionSuffixes = {kWorld, kOrigin, kContacts};
constexpr std::string_view kTemporaryEvictionSuffix = ".eviction.tmp";

}  // namespace

absl::StatusOr<std::unique_ptr<EvictionStore>> EvictionStore::Open(const std::string& directory,
                                                                   const Limits& limits,
                                                                   StorageQuota& quota) {
  const absl::Status made = MakeDirectory(directory);
  if (!made.ok()) return made;
  const auto names = FindFileNames(directory);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    const bool ours = EndsWith(name, kTemporaryEvictionSuffix) ||
                      std::any_of(kEvictionSuffixes.begin(), kEvictionSuffixes.end(),
                                  [&](std::string_view suffix) { return EndsWith(name, suffix); });
    if (!ours) continue;
    if (const auto removed = RemoveFile(directory + "/" + name); !removed.ok()) {
      return removed.status();
    }
  }
  return std::unique_ptr<EvictionStore>(new EvictionStore(directory, limits, quota));
}

absl::StatusOr<std::shared_ptr<EvictionStore::Files>> EvictionStore::Save(
    const std::string& scene_id, const IdleState& idle) {
  const std::string name = scene_id + "." + std::to_string(next_number_.fetch_add(1));
  // Made first, so that what is written before a failure goes again.
  std::shared_ptr<Files> files(new Files(directory_, name, quota_));
  const auto write = [&](std::string_view suffix, const std::string& bytes) {
    const auto size = static_cast<int64_t>(bytes.size());
    if (size > limits_.snapshot_bytes) {
      return LimitError("snapshot_bytes", limits_.snapshot_bytes, size);
    }
    return WriteSealedFile(directory_, name + std::string(kTemporaryEvictionSuffix),
                           name + std::string(suffix),
                           MakeHeader(idle.step_index, idle.state_hash, bytes), bytes, quota_);
  };
  absl::Status status = write(kWorld, idle.state.world);
  if (status.ok()) status = write(kOrigin, idle.state.origin);
  if (status.ok()) status = write(kContacts, idle.state.contacts);
  if (!status.ok()) return status;
  return files;
}

absl::StatusOr<EvictedState> EvictionStore::Load(const Files& files) const {
  EvictedState state;
  for (const auto& [suffix, bytes] :
       {std::pair{kWorld, &state.world}, std::pair{kOrigin, &state.origin},
        std::pair{kContacts, &state.contacts}}) {
    const std::string name = files.name_ + std::string(suffix);
    auto sealed = ReadSealedFile(directory_ + "/" + name, name, limits_.snapshot_bytes);
    if (absl::IsNotFound(sealed.status())) {
      return BadSnapshotError(absl::StatusCode::kDataLoss, name + " is gone");
    }
    if (!sealed.ok()) return sealed.status();
    *bytes = std::move(sealed->bytes);
  }
  return state;
}

EvictionStore::Files::~Files() {
  for (const std::string_view suffix : kEvictionSuffixes) {
    const auto freed = RemoveFile(directory_ + "/" + name_ + std::string(suffix));
    if (freed.ok()) quota_.GiveBack(freed->value_or(0));
  }
}

}  // namespace talus
