#include "server/storage/recording_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <utility>

#include "server/session/error.h"
#include "server/session/resource_name.h"
#include "server/storage/file.h"
#include "server/storage/mcap_format.h"
#include "server/storage/mcap_reader.h"

namespace talus {
namespace {

using Metadata = std::map<std::string, std::string>;
using State = RecordingState;

constexpr std::string_view kRecordingSuffix = ".mcap";
constexpr int64_t kMostSummaryBytes = int64_t{1} << 28;
// What is read of a file at the start, which no file may hold up.
constexpr int64_t kMostMetadataBytes = int64_t{1} << 20;

int64_t IntegerAt(const Metadata& metadata, const std::string& key, int64_t otherwise) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return otherwise;
  int64_t value = otherwise;
  const std::string& text = found->second;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc() ? value : otherwise;
}

std::string TextAt(const Metadata& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? std::string() : found->second;
}

std::string NamesOf(const FrameParts& parts) {
  std::string names;
  const auto add = [&](bool there, const char* name) {
    if (!there) return;
    if (!names.empty()) names += ' ';
    names += name;
  };
  add(parts.positions, "positions");
  add(parts.orientations, "orientations");
  add(parts.velocities, "velocities");
  add(parts.contacts, "contacts");
  add(parts.report, "diagnostics");
  return names;
}

FrameParts PartsOf(const std::string& names) {
  const auto has = [&](const char* name) { return names.find(name) != std::string::npos; };
  return {has("positions"), has("orientations"), has("velocities"), has("contacts"),
          has("diagnostics")};
}

// The metadata that a finished file ends with.
std::optional<Metadata> ReadEnd(const RecordingView& view) {
  const auto end_size = static_cast<int64_t>(mcap::kFooterSize + mcap::kMagic.size());
  if (view.size() < end_size) return std::nullopt;
  const auto end = view.Read(view.size() - end_size, end_size);
  if (!end.ok() || !EndsWith(*end, mcap::kMagic)) return std::nullopt;
  mcap::Cursor footer(std::string_view(*end).substr(mcap::kRecordHead));
  const auto summary_start = footer.Get<uint64_t>();
  const int64_t summary_end = view.size() - end_size;
  if (summary_start > static_cast<uint64_t>(summary_end)) return std::nullopt;
  const int64_t summary_size = summary_end - static_cast<int64_t>(summary_start);
  if (summary_size > kMostSummaryBytes) return std::nullopt;
  const auto summary = view.Read(static_cast<int64_t>(summary_start), summary_size);
  if (!summary.ok()) return std::nullopt;
  mcap::Cursor records(*summary);
  while (!records.empty()) {
    const auto opcode = records.Get<uint8_t>();
    mcap::Cursor index(records.GetBytes(records.Get<uint64_t>()));
    if (!records.ok() || opcode != mcap::kMetadataIndex) continue;
    const auto offset = static_cast<int64_t>(index.Get<uint64_t>());
    const auto length = static_cast<int64_t>(index.Get<uint64_t>());
    if (index.GetString() != kRecordingEnd || length < 0 || length > kMostMetadataBytes) continue;
    const auto record = view.Read(offset, length);
    if (!record.ok() || record->size() < mcap::kRecordHead) return std::nullopt;
    mcap::Cursor content(std::string_view(*record).substr(mcap::kRecordHead));
    content.GetString();
    mcap::Cursor entries(content.GetString());
    Metadata metadata;
    while (!entries.empty()) {
      const std::string_view key = entries.GetString();
      metadata[std::string(key)] = entries.GetString();
    }
    return metadata;
  }
  return std::nullopt;
}

// What a file that was found says about itself.
RecordingInfo ReadInfo(const std::string& id, const std::string& path) {
  RecordingInfo info;
  info.id = id;
  info.state = State::kIncomplete;
  info.last_step_index = info.frame_count = info.input_count = info.dropped_frames = -1;
  const auto view = RecordingView::Open(path);
  if (!view.ok()) return info;
  info.byte_size = (*view)->size();
  auto reader = McapReader::Make(*view, kMostMetadataBytes);
  if (!reader.ok()) return info;
  const auto first = reader->Next();
  if (!first.ok() || first->name != kRecordingBegin) return info;
  info.scene_id = TextAt(first->metadata, "scene");
  info.parts = PartsOf(TextAt(first->metadata, "parts"));
  info.every_n_steps = IntegerAt(first->metadata, "every_n_steps", 1);
  info.created_unix_ms = IntegerAt(first->metadata, "created_unix_ms", 0);
  if (const auto end = ReadEnd(**view)) {
    info.state = TextAt(*end, "state") == "failed" ? State::kFailed : State::kComplete;
    info.ended_because = TextAt(*end, "ended_because");
    info.first_step_index = IntegerAt(*end, "first_step_index", 0);
    info.last_step_index = IntegerAt(*end, "last_step_index", -1);
    info.frame_count = IntegerAt(*end, "frame_count", -1);
    info.input_count = IntegerAt(*end, "input_count", -1);
    info.dropped_frames = IntegerAt(*end, "dropped_frames", -1);
  }
  return info;
}

}  // namespace

Metadata MakeBeginMetadata(const RecordingInfo& info) {
  return {{"scene", info.scene_id},
          {"parts", NamesOf(info.parts)},
          {"every_n_steps", std::to_string(info.every_n_steps)},
          {"created_unix_ms", std::to_string(info.created_unix_ms)}};
}

Metadata MakeEndMetadata(const RecordingInfo& info) {
  return {{"state", info.state == State::kFailed ? "failed" : "complete"},
          {"ended_because", info.ended_because},
          {"first_step_index", std::to_string(info.first_step_index)},
          {"last_step_index", std::to_string(info.last_step_index)},
          {"frame_count", std::to_string(info.frame_count)},
          {"input_count", std::to_string(info.input_count)},
          {"dropped_frames", std::to_string(info.dropped_frames)}};
}

RecordingFile::RecordingFile(int descriptor, std::string path, StorageQuota& quota)
    : descriptor_(descriptor), path_(std::move(path)), quota_(quota) {}

RecordingFile::~RecordingFile() { ::close(descriptor_); }

absl::Status RecordingFile::Append(std::string_view bytes, bool last) {
  const auto count = static_cast<int64_t>(bytes.size());
  if (last) {
    quota_.Count(count);
  } else {
    const absl::Status status = quota_.Take(count);
    if (!status.ok()) return status;
  }
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const absl::Status status = FileError("cannot write", path_, errno);
      // Half a record must not stand where the next one would go on.
      if (::ftruncate(descriptor_, size_) == 0) ::lseek(descriptor_, size_, SEEK_SET);
      quota_.GiveBack(count);
      return status;
    }
    rest.remove_prefix(static_cast<size_t>(written));
  }
  size_ += count;
  return absl::OkStatus();
}

absl::Status RecordingFile::Flush() {
  if (::fdatasync(descriptor_) != 0) return FileError("cannot flush", path_, errno);
  flushed_size_ = size_;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<RecordingStore>> RecordingStore::Open(const std::string& directory,
                                                                     const Limits& limits,
                                                                     StorageQuota& quota) {
  const absl::Status made = MakeDirectory(directory);
  if (!made.ok()) return made;
  const auto bytes = TidyDirectory(directory, ".mcap.tmp", kRecordingSuffix);
  if (!bytes.ok()) return bytes.status();
  quota.Count(*bytes);
  const auto names = FindFileNames(directory);
  if (!names.ok()) return names.status();
  std::unique_ptr<RecordingStore> store(new RecordingStore(directory, limits, quota));
  MutexLock lock(store->mutex_);
  for (const std::string& name : *names) {
    if (!EndsWith(name, kRecordingSuffix)) continue;
    const std::string id = name.substr(0, name.size() - kRecordingSuffix.size());
    if (ValidateId(id, "").ok()) store->infos_[id] = ReadInfo(id, directory + "/" + name);
  }
  return store;
}

absl::StatusOr<std::unique_ptr<RecordingFile>> RecordingStore::Create(RecordingInfo* info) {
  if (!info->id.empty()) {
    const absl::Status valid = ValidateId(info->id, "recording_id");
    if (!valid.ok()) return valid;
  }
  MutexLock lock(mutex_);
  const auto count = static_cast<int64_t>(infos_.size());
  if (infos_.count(info->id) > 0) {
    return DuplicateNameError("recording_id", FormatRecordingName(info->id));
  }
  if (count >= limits_.recordings) return LimitError("recordings", limits_.recordings, count + 1);
  for (int64_t number = count + 1; info->id.empty(); ++number) {
    const std::string id = "recording-" + std::to_string(number);
    if (infos_.count(id) == 0) info->id = id;
  }
  const std::string path = PathOf(info->id);
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (descriptor < 0) return FileError("cannot create", path, errno);
  auto file = std::make_unique<RecordingFile>(descriptor, path, quota_);
  const absl::Status status = FlushDirectory(directory_);
  if (!status.ok()) {
    ::unlink(path.c_str());
    return status;
  }
  info->state = State::kRecording;
  infos_[info->id] = *info;
  return file;
}

void RecordingStore::Update(const RecordingInfo& info) {
  MutexLock lock(mutex_);
  const auto found = infos_.find(info.id);
  if (found != infos_.end()) found->second = info;
}

absl::StatusOr<RecordingInfo> RecordingStore::Find(const std::string& id) const {
  const absl::Status valid = ValidateId(id, "recording");
  if (!valid.ok()) return valid;
  MutexLock lock(mutex_);
  const auto found = infos_.find(id);
  if (found == infos_.end()) return NotFoundError("recording", FormatRecordingName(id));
  return found->second;
}

std::vector<RecordingInfo> RecordingStore::FindAll() const {
  MutexLock lock(mutex_);
  std::vector<RecordingInfo> all;
  for (const auto& [id, info] : infos_) all.push_back(info);
  return all;
}

absl::StatusOr<std::shared_ptr<RecordingView>> RecordingStore::OpenView(
    const std::string& id) const {
  const auto info = Find(id);
  if (!info.ok()) return info.status();
  return RecordingView::Open(PathOf(id));
}

absl::Status RecordingStore::Delete(const std::string& id) {
  const auto info = Find(id);
  if (!info.ok()) return info.status();
  if (info->state == State::kRecording) return RecordingRunningError(FormatRecordingName(id));
  MutexLock lock(mutex_);
  const auto freed = RemoveFile(PathOf(id));
  if (!freed.ok()) return freed.status();
  quota_.GiveBack(freed->value_or(0));
  infos_.erase(id);
  return FlushDirectory(directory_);
}

std::string RecordingStore::PathOf(const std::string& id) const {
  return directory_ + "/" + id + std::string(kRecordingSuffix);
}

}  // namespace talus
