// Recordings of scenes: joins the scene registry and the recording store without blocking the
// caller.
//
// Disk work runs on the recording thread, which snapshots do not share, so a slow recording holds
// up neither them nor a scene. Without a store (the server has no data directory) everything is
// refused with FAILED_PRECONDITION (STORAGE).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/runtime/clock.h"
#include "server/runtime/completion.h"
#include "server/runtime/executor.h"
#include "server/session/held_bytes.h"
#include "server/session/input_replay.h"
#include "server/session/scene_registry.h"
#include "server/session/storage_event.h"
#include "server/storage/recording_store.h"
#include "server/storage/scene_recording.h"
#include "server/stream/recording_codec.h"
#include "solver/base/mutex.h"

namespace talus {

struct StartRecordingCall {
  std::string scene_id;
  std::string recording_id;  // empty: the archive chooses
  FrameParts parts;
  int64_t every_n_steps = 1;  // 1 to 1 000 000
  bool stop_when_behind = false;
};

struct RecordingPage {
  std::vector<RecordingInfo> recordings;  // sorted by id
  std::string next_page_token;            // empty: the last page
};

// Recordings of this process so far. One that could not begin is in none of them.
struct RecordingLoad {
  int64_t under_way = 0;
  int64_t completed = 0;
  int64_t failed = 0;  // ended by themselves, with what they have
  int64_t bytes = 0;   // of the files of those that ended
};

class RecordingArchive {
 public:
  using Codec = std::shared_ptr<const RecordingCodec>;

  // `store` may be null. All must outlive the archive; `executor`, of one thread, runs what blocks
  // on the disk.
  RecordingArchive(SceneRegistry& registry, RecordingStore* store, Executor& executor, Clock& clock,
                   const Limits& limits, StorageReport report);

  // Answers once the state it begins from is on the disk. A caller that gives up may find it under
  // way all the same.
  void Start(const StartRecordingCall& call, Codec codec, const CallControlPtr& control,
             Completion<RecordingInfo> done);
  // Answers once the file is finished; also for one that has ended.
  void Stop(const std::string& id, Completion<RecordingInfo> done);
  void Find(const std::string& id, Completion<RecordingInfo> done);
  void List(int64_t page_size, const std::string& page_token, Completion<RecordingPage> done);
  void Delete(const std::string& id, StatusCompletion done);
  // The file as it is now.
  void OpenView(const std::string& id,
                Completion<std::pair<RecordingInfo, std::shared_ptr<RecordingView>>> done);
  void Read(std::shared_ptr<RecordingView> view, int64_t offset, int64_t count,
            Completion<std::string> done);
  void Replay(ReplayCall call, Codec codec, const CallControlPtr& control,
              Completion<ReplayAnswer> done);

  RecordingLoad load() const;
  // True once no recording is under way.
  bool WaitUntilEnded(std::chrono::milliseconds patience);

 private:
  template <typename Done>
  void Post(const Done& done, std::function<void()> job);
  void StartNow(const StartRecordingCall& call, Codec codec, const CallControlPtr& control,
                const Completion<RecordingInfo>& done);
  void NoteEnd(const RecordingInfo& info);

  SceneRegistry& registry_;
  RecordingStore* const store_;
  Executor& executor_;
  Clock& clock_;
  const Limits limits_;
  HeldBytes starting_;
  const StorageReport report_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::map<std::string, std::shared_ptr<SceneRecording>> running_ TALUS_GUARDED_BY(mutex_);
  RecordingLoad ended_ TALUS_GUARDED_BY(mutex_);  // but for those under way
};

}  // namespace talus
