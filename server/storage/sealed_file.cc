#include "server/storage/sealed_file.h"

#include <chrono>
#include <utility>

#include "server/session/error.h"

namespace talus {
namespace {

absl::Status Damaged(const std::string& name) {
  return BadSnapshotError(absl::StatusCode::kDataLoss,
                          name + " is damaged or no snapshot of this version");
}

int64_t UnixMilliseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

std::optional<SnapshotHeader> FindHeader(const FileHead& head) {
  std::optional<SnapshotHeader> header = DecodeHeader(head.bytes);
  const uint64_t payload_size = static_cast<uint64_t>(head.file_size) - kSnapshotHeaderSize;
  if (header.has_value() && header->byte_size != payload_size) header.reset();
  return header;
}

SnapshotHeader MakeHeader(int64_t step_index, uint64_t state_hash, std::string_view bytes) {
  return {step_index, state_hash, UnixMilliseconds(), bytes.size(), DigestOf(bytes)};
}

absl::Status WriteSealedFile(const std::string& directory, const std::string& temporary_name,
                             const std::string& name, const SnapshotHeader& header,
                             std::string_view bytes, StorageQuota& quota) {
  const auto size = static_cast<int64_t>(kSnapshotHeaderSize + bytes.size());
  absl::Status status = quota.Take(size);
  if (!status.ok()) return status;
  const auto head = EncodeHeader(header);
  status = WriteFileDurably(directory, temporary_name, name,
                            {std::string_view(head.data(), head.size()), bytes});
  if (!status.ok()) quota.GiveBack(size);
  return status;
}

absl::StatusOr<SealedSnapshot> ReadSealedFile(const std::string& path, const std::string& name,
                                              int64_t most_bytes) {
  auto head = ReadFileHead(path, kSnapshotHeaderSize);
  if (!head.ok()) return head.status();
  if (!head->has_value()) return NotFoundError("snapshot", name);
  const auto header = FindHeader(**head);
  if (!header.has_value()) return Damaged(name);
  if (header->byte_size > static_cast<uint64_t>(most_bytes)) {
    return LimitError("snapshot_bytes", most_bytes, static_cast<int64_t>(header->byte_size));
  }
  // Renamed into place and never written again, the file can only vanish between the two looks.
  auto whole = ReadFileHead(path, kSnapshotHeaderSize + header->byte_size);
  if (!whole.ok()) return whole.status();
  if (!whole->has_value()) return NotFoundError("snapshot", name);
  SealedSnapshot sealed{*header, std::move((*whole)->bytes)};
  if (sealed.bytes.size() != kSnapshotHeaderSize + header->byte_size) return Damaged(name);
  sealed.bytes.erase(0, kSnapshotHeaderSize);
  if (DigestOf(sealed.bytes) != header->digest) return Damaged(name);
  return sealed;
}

}  // namespace talus
