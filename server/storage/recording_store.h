// Recordings on disk, one MCAP file each in one directory: what there is, and the files themselves
// to write, read and remove.
//
// What is told about a recording comes from metadata inside its file, so a file says the same
// wherever it is taken. A file without an end (the server was killed while it was written) is told
// as INCOMPLETE and is readable up to its last whole chunk. Thread-safe; calls block on the disk.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/session/limits.h"
#include "server/storage/recording_view.h"
#include "server/storage/storage_quota.h"
#include "server/stream/frame.h"
#include "solver/base/mutex.h"

namespace talus {

enum class RecordingState { kRecording, kComplete, kFailed, kIncomplete };

struct RecordingInfo {
  std::string id;  // without `recordings/`
  std::string scene_id;
  RecordingState state = RecordingState::kRecording;
  std::string ended_because;  // why it ended by itself; empty: it was stopped, or goes on
  FrameParts parts;
  int64_t every_n_steps = 1;
  int64_t first_step_index = 0;  // of the state it began from
  int64_t last_step_index = 0;   // -1: not known, the file has no end
  int64_t frame_count = 0;       // -1 likewise
  int64_t input_count = 0;       // -1 likewise; steps in a row count as one
  int64_t dropped_frames = 0;
  int64_t byte_size = 0;
  int64_t created_unix_ms = 0;
};

// The metadata records a file of ours carries: at its begin and, once it is finished, at its end.
inline constexpr char kRecordingBegin[] = "talus.recording";
inline constexpr char kRecordingEnd[] = "talus.recording.end";
std::map<std::string, std::string> MakeBeginMetadata(const RecordingInfo& info);
std::map<std::string, std::string> MakeEndMetadata(const RecordingInfo& info);

// A file that is being written; takes what it writes from the quota. One thread at a time.
class RecordingFile {
 public:
  RecordingFile(int descriptor, std::string path, StorageQuota& quota);
  ~RecordingFile();
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  // All of the bytes or none: after a failure the file is as long as before. With `last`, the quota
  // does not refuse them. RESOURCE_EXHAUSTED (storage_bytes), UNAVAILABLE.
  absl::Status Append(std::string_view bytes, bool last = false);
  // Forces what was written to the disk.
  absl::Status Flush();
  int64_t size() const { return size_; }
  // All of it is on the disk.
  bool flushed() const { return flushed_size_ == size_; }

 private:
  const int descriptor_;
  const std::string path_;
  StorageQuota& quota_;
  int64_t size_ = 0;
  int64_t flushed_size_ = 0;
};

class RecordingStore {
 public:
  // Makes the directory if needed; nobody else may use it. `quota` outlives the store.
  // UNAVAILABLE (STORAGE).
  static absl::StatusOr<std::unique_ptr<RecordingStore>> Open(const std::string& directory,
                                                              const Limits& limits,
                                                              StorageQuota& quota);

  // A new file for `info`, whose empty id is replaced by a chosen one. INVALID_ARGUMENT,
  // ALREADY_EXISTS, RESOURCE_EXHAUSTED (recordings), UNAVAILABLE.
  absl::StatusOr<std::unique_ptr<RecordingFile>> Create(RecordingInfo* info);
  // What a recording under way has come to, and in the end what it is.
  void Update(const RecordingInfo& info);

  // NOT_FOUND, INVALID_ARGUMENT.
  absl::StatusOr<RecordingInfo> Find(const std::string& id) const;
  std::vector<RecordingInfo> FindAll() const;  // sorted by id
  // NOT_FOUND, INVALID_ARGUMENT, UNAVAILABLE.
  absl::StatusOr<std::shared_ptr<RecordingView>> OpenView(const std::string& id) const;
  // NOT_FOUND, INVALID_ARGUMENT, FAILED_PRECONDITION (RECORDING) while it is written, UNAVAILABLE.
  absl::Status Delete(const std::string& id);

  std::string PathOf(const std::string& id) const;

 private:
  RecordingStore(std::string directory, const Limits& limits, StorageQuota& quota)
      : directory_(std::move(directory)), limits_(limits), quota_(quota) {}

  const std::string directory_;
  const Limits limits_;
  StorageQuota& quota_;
  mutable Mutex mutex_;
  std::map<std::string, RecordingInfo> infos_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus
