// A recording under way: takes what happens to a scene in the scene's quantum, and writes it into
// its file on the recording thread.
//
// Between the two stands a queue with a bound in bytes. A scene never waits: a frame that finds the
// queue full is counted as dropped, or ends the recording, as the caller chose; an input is never
// dropped, so when the queue could not hold it either, the recording ends and says so. The file is
// written chunk by chunk, a chunk at the latest one second after its first message, and forced to
// the disk every five seconds and at the end: a killed process loses a second, a machine that loses
// power five. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "server/runtime/completion.h"
#include "server/runtime/executor.h"
#include "server/session/held_bytes.h"
#include "server/storage/recording_container.h"
#include "server/storage/recording_store.h"
#include "server/stream/recording_codec.h"
#include "server/stream/scene_recorder.h"
#include "solver/base/mutex.h"

namespace talus {

struct RecordingOptions {
  bool stop_when_behind = false;  // else frames are dropped
  int64_t queue_bytes = int64_t{64} << 20;
  int64_t most_bytes = int64_t{4} << 30;  // of the file
};

class SceneRecording : public SceneRecorder,
                       public ExecutorTask,
                       public std::enable_shared_from_this<SceneRecording> {
 public:
  // `file` is empty. `starting` bounds the states that wait to be written, of all recordings.
  // `ended` runs once, on the recording thread, when the file is finished.
  SceneRecording(RecordingInfo info, const RecordingOptions& options,
                 std::unique_ptr<RecordingFile> file, std::shared_ptr<const RecordingCodec> codec,
                 RecordingStore& store, HeldBytes& starting, Executor& executor, Clock& clock,
                 std::function<void(const RecordingInfo&)> ended);

  // Answers once the state it begins from is safely on the disk.
  void AwaitBegin(Completion<RecordingInfo> done);
  // Ends it; answers when the file is finished.
  void Stop(Completion<RecordingInfo> done);
  // It never began: the file goes, and who awaits the begin is answered with `why`.
  void Abandon(const absl::Status& why);

  bool wants_snapshot() const override { return true; }
  void OnStart(RecordStart start) override;
  void OnStep(const StepNote& step) override;
  void OnInput(InputRecord input) override;
  std::optional<FrameParts> FindDueParts(int64_t step_index, bool by_hand) override;
  void OnFrame(const FramePtr& frame) override;
  void OnEnd(const absl::Status& why) override;
  bool closed() const override;

 private:
  using Item = std::variant<RecordStart, InputRecord, FramePtr>;
  struct Entry {
    Item item;
    int64_t bytes;
  };

  bool RunQuantum(ArenaCache& arenas, bool guest) override;
  void MakeReady();
  // What waits, at most a batch of it.
  std::vector<Entry> TakeBatch(bool* end);
  void Push(Item item, int64_t bytes) TALUS_REQUIRES(mutex_);
  InputRecord TakeSteps() TALUS_REQUIRES(mutex_);
  void PushSteps() TALUS_REQUIRES(mutex_);
  void Close(const std::string& why) TALUS_REQUIRES(mutex_);
  void CloseBehind(const std::string& what) TALUS_REQUIRES(mutex_);

  // On the recording thread.
  void AnswerBegun();
  void Pace();
  void Fail(const absl::Status& status);
  void Finish();
  // The file's own end, and what the recording comes to by it.
  void FinishFile(RecordingInfo* info);
  void AnswerAll(const RecordingInfo& info, const absl::Status& not_begun);
  RecordingInfo MakeInfo();

  const RecordingOptions options_;
  RecordingStore& store_;
  HeldBytes& starting_;
  Executor& executor_;
  Clock& clock_;
  const std::string id_;
  const FrameParts parts_;
  const int64_t every_n_steps_;

  mutable Mutex mutex_;
  std::deque<Entry> queue_ TALUS_GUARDED_BY(mutex_);
  int64_t queued_bytes_ TALUS_GUARDED_BY(mutex_) = 0;
  HeldBytes::Hold start_hold_ TALUS_GUARDED_BY(mutex_);  // until the start is on the disk
  StepsMade steps_ TALUS_GUARDED_BY(mutex_);             // in a row, not yet in the queue
  int64_t steps_begin_ TALUS_GUARDED_BY(mutex_) = 0;
  StepNote last_step_ TALUS_GUARDED_BY(mutex_);
  bool closed_ TALUS_GUARDED_BY(mutex_) = false;
  std::string closed_because_ TALUS_GUARDED_BY(mutex_);
  int64_t dropped_ TALUS_GUARDED_BY(mutex_) = 0;
  bool fell_behind_ TALUS_GUARDED_BY(mutex_) = false;
  absl::Status abandoned_ TALUS_GUARDED_BY(mutex_);
  bool finished_ TALUS_GUARDED_BY(mutex_) = false;
  std::vector<Completion<RecordingInfo>> begin_waiters_ TALUS_GUARDED_BY(mutex_);
  std::vector<Completion<RecordingInfo>> end_waiters_ TALUS_GUARDED_BY(mutex_);

  // Of the recording thread alone.
  std::unique_ptr<RecordingContainer> container_;  // null: finished
  bool timer_set_ = false;
  Clock::TimePoint flushed_at_;
  absl::Status failure_;
  std::function<void(const RecordingInfo&)> ended_;
};

}  // namespace talus
