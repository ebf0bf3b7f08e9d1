#include "server/storage/snapshot_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "server/session/error.h"
#include "server/session/page.h"
#include "server/session/resource_name.h"
#include "server/storage/file.h"
#include "server/storage/sealed_file.h"

namespace talus {
namespace {

constexpr std::string_view kSnapshotSuffix = ".snapshot";
constexpr std::string_view kTemporarySnapshotSuffix = ".snapshot.tmp";
constexpr char kLockName[] = "talus.lock";

SnapshotInfo InfoOf(const std::string& id, const SnapshotHeader& header) {
  SnapshotInfo info;
  info.id = id;
  info.step_index = header.step_index;
  info.state_hash = header.state_hash;
  info.byte_size = static_cast<int64_t>(header.byte_size);
  info.created_unix_ms = header.created_unix_ms;
  return info;
}

}  // namespace

absl::StatusOr<std::unique_ptr<SnapshotStore>> SnapshotStore::Open(const std::string& directory,
                                                                   const Limits& limits,
                                                                   StorageQuota& quota) {
  const absl::Status made = MakeDirectory(directory);
  if (!made.ok()) return made;
  const std::string lock_path = directory + "/" + kLockName;
  const int lock_file = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (lock_file < 0) return FileError("cannot open", lock_path, errno);
  // From here on the store closes the file.
  std::unique_ptr<SnapshotStore> store(new SnapshotStore(directory, limits, quota, lock_file));
  if (::flock(lock_file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return FileError("cannot lock", lock_path, errno);
    return StorageError(absl::StatusCode::kUnavailable,
                        "the data directory " + directory + " is in use by another server");
  }
  // What a crash left half-written goes; the lock says nobody is writing it now.
  const auto bytes = TidyDirectory(directory, kTemporarySnapshotSuffix, kSnapshotSuffix);
  if (!bytes.ok()) return bytes.status();
  quota.Count(*bytes);
  return store;
}

SnapshotStore::SnapshotStore(std::string directory, const Limits& limits, StorageQuota& quota,
                             int lock_file)
    : directory_(std::move(directory)), limits_(limits), quota_(quota), lock_file_(lock_file) {}

SnapshotStore::~SnapshotStore() { ::close(lock_file_); }

absl::StatusOr<SnapshotInfo> SnapshotStore::Save(const std::string& id, int64_t step_index,
                                                 uint64_t state_hash, std::string_view bytes) {
  const int64_t size = static_cast<int64_t>(bytes.size());
  if (!id.empty()) {
    absl::Status valid = ValidateId(id, "snapshot_id");
    if (!valid.ok()) return valid;
  }
  if (size > limits_.snapshot_bytes) {
    return LimitError("snapshot_bytes", limits_.snapshot_bytes, size);
  }
  const SnapshotHeader header = MakeHeader(step_index, state_hash, bytes);
  MutexLock lock(mutex_);
  const auto ids = FindIds();
  if (!ids.ok()) return ids.status();
  auto taken = [&](const std::string& one) {
    return std::binary_search(ids->begin(), ids->end(), one);
  };
  if (taken(id)) return DuplicateNameError("snapshot_id", FormatSnapshotName(id));
  const int64_t count = static_cast<int64_t>(ids->size());
  if (count >= limits_.snapshots) return LimitError("snapshots", limits_.snapshots, count + 1);
  std::string chosen = id;
  for (int64_t number = count + 1; chosen.empty() || (id.empty() && taken(chosen)); ++number) {
    chosen = "snapshot-" + std::to_string(number);
  }
  absl::Status status =
      WriteSealedFile(directory_, chosen + std::string(kTemporarySnapshotSuffix),
                      chosen + std::string(kSnapshotSuffix), header, bytes, quota_);
  if (!status.ok()) return status;
  return InfoOf(chosen, header);
}

absl::StatusOr<StoredSnapshot> SnapshotStore::Load(const std::string& id) const {
  absl::Status valid = ValidateId(id, "snapshot");
  if (!valid.ok()) return valid;
  auto sealed = ReadSealedFile(PathOf(id), FormatSnapshotName(id), limits_.snapshot_bytes);
  if (!sealed.ok()) return sealed.status();
  return StoredSnapshot{InfoOf(id, sealed->header), std::move(sealed->bytes)};
}

absl::StatusOr<SnapshotInfo> SnapshotStore::Find(const std::string& id) const {
  absl::Status valid = ValidateId(id, "snapshot");
  if (!valid.ok()) return valid;
  const auto head = ReadFileHead(PathOf(id), kSnapshotHeaderSize);
  if (!head.ok()) return head.status();
  if (!head->has_value()) return NotFoundError("snapshot", FormatSnapshotName(id));
  const auto header = FindHeader(**head);
  if (header.has_value()) return InfoOf(id, *header);
  return BadSnapshotError(absl::StatusCode::kDataLoss,
                          FormatSnapshotName(id) + " is damaged or no snapshot of this version");
}

absl::StatusOr<SnapshotPage> SnapshotStore::List(int64_t page_size,
                                                 const std::string& page_token) const {
  const auto ids = FindIds();
  if (!ids.ok()) return ids.status();
  const auto range = FindPage(*ids, page_size, page_token);
  if (!range.ok()) return range.status();
  SnapshotPage page;
  for (size_t index = range->begin; index < range->end; ++index) {
    const auto head = ReadFileHead(PathOf((*ids)[index]), kSnapshotHeaderSize);
    // One file that cannot be read must not hide the others.
    if (!head.ok() || !head->has_value()) continue;
    const auto header = FindHeader(**head);
    if (header.has_value()) page.snapshots.push_back(InfoOf((*ids)[index], *header));
  }
  page.next_page_token = range->next_token;
  return page;
}

absl::Status SnapshotStore::Delete(const std::string& id) {
  absl::Status valid = ValidateId(id, "snapshot");
  if (!valid.ok()) return valid;
  MutexLock lock(mutex_);
  const auto freed = RemoveFile(PathOf(id));
  if (!freed.ok()) return freed.status();
  if (!freed->has_value()) return NotFoundError("snapshot", FormatSnapshotName(id));
  quota_.GiveBack(**freed);
  return FlushDirectory(directory_);
}

absl::StatusOr<std::vector<std::string>> SnapshotStore::FindDamaged() const {
  const auto ids = FindIds();
  if (!ids.ok()) return ids.status();
  std::vector<std::string> damaged;
  for (const std::string& id : *ids) {
    const auto head = ReadFileHead(PathOf(id), kSnapshotHeaderSize);
    if (!head.ok() || (head->has_value() && !FindHeader(**head).has_value())) damaged.push_back(id);
  }
  return damaged;
}

std::string SnapshotStore::PathOf(const std::string& id) const {
  return directory_ + "/" + id + std::string(kSnapshotSuffix);
}

absl::StatusOr<std::vector<std::string>> SnapshotStore::FindIds() const {
  auto names = FindFileNames(directory_);
  if (!names.ok()) return names.status();
  std::vector<std::string> ids;
  for (const std::string& name : *names) {
    if (!EndsWith(name, kSnapshotSuffix)) continue;
    std::string id = name.substr(0, name.size() - kSnapshotSuffix.size());
    if (ValidateId(id, "").ok()) ids.push_back(std::move(id));
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace talus
