#include "server/storage/scene_recording.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "server/session/error.h"
#include "server/storage/waiting_size.h"

namespace talus {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;
constexpr std::chrono::seconds kLongestChunk{1};
constexpr std::chrono::seconds kLongestUnflushed{5};
constexpr size_t kStepsInARow = 256;
// Of one turn on the recording thread, so that recordings share it fairly.
constexpr int64_t kBatchBytes = int64_t{4} << 20;

uint16_t ChannelOf(RecordingTopic topic) {
  return static_cast<uint16_t>(static_cast<int>(topic) + 1);
}

uint64_t NanosecondsOf(double time_s) {
  return static_cast<uint64_t>(std::llround(std::clamp(time_s * 1e9, 0.0, 9e18)));
}

}  // namespace

SceneRecording::SceneRecording(RecordingInfo info, const RecordingOptions& options,
                               std::unique_ptr<RecordingFile> file,
                               std::shared_ptr<const RecordingCodec> codec, RecordingStore& store,
                               Executor& executor, Clock& clock,
                               std::function<void(const RecordingInfo&)> ended)
    : options_(options),
      codec_(std::move(codec)),
      store_(store),
      executor_(executor),
      clock_(clock),
      id_(info.id),
      parts_(info.parts),
      every_n_steps_(info.every_n_steps),
      info_(std::move(info)),
      file_(std::move(file)),
      writer_("", "talus", kChunkBytes),
      flushed_at_(clock.Now()),
      ended_(std::move(ended)) {}

void SceneRecording::AwaitBegin(Completion<RecordingInfo> done) {
  MutexLock lock(mutex_);
  begin_waiters_.push_back(std::move(done));
}

void SceneRecording::Stop(Completion<RecordingInfo> done) {
  {
    MutexLock lock(mutex_);
    if (!finished_) {
      Close("");
      end_waiters_.push_back(std::exchange(done, nullptr));
    }
  }
  if (!done) return MakeReady();
  done(store_.Find(id_));
}

void SceneRecording::Abandon(const absl::Status& why) {
  {
    MutexLock lock(mutex_);
    abandoned_ = why;
    Close(std::string(why.message()));
  }
  MakeReady();
}

void SceneRecording::OnStart(RecordStart start) {
  {
    MutexLock lock(mutex_);
    const auto bytes = static_cast<int64_t>(start.snapshot.size());
    last_step_ = {start.step_index, start.time_s, start.state_hash, false};
    Push(std::move(start), bytes);
  }
  MakeReady();
}

void SceneRecording::OnStep(const StepNote& step) {
  bool wake = false;
  {
    MutexLock lock(mutex_);
    if (closed_) return;
    const size_t waiting = queue_.size();
    if (steps_.residual_history != step.residual_history) PushSteps();
    if (steps_.state_hashes.empty()) {
      steps_.residual_history = step.residual_history;
      steps_begin_ = step.step_index - 1;
      wake = true;  // so that it is written in time, whatever follows
    }
    steps_.state_hashes.push_back(step.state_hash);
    last_step_ = step;
    if (steps_.state_hashes.size() >= kStepsInARow) PushSteps();
    wake = wake || closed_ || queue_.size() > waiting;
  }
  if (wake) MakeReady();
}

void SceneRecording::OnInput(InputRecord input) {
  {
    MutexLock lock(mutex_);
    if (closed_) return;
    PushSteps();
    const int64_t bytes = WeighInput(input.input);
    Push(std::move(input), bytes);
  }
  MakeReady();
}

std::optional<FrameParts> SceneRecording::FindDueParts(int64_t step_index, bool by_hand) {
  MutexLock lock(mutex_);
  const bool due = by_hand || step_index % every_n_steps_ == 0;
  if (closed_ || !due || parts_ == FrameParts()) return std::nullopt;
  if (queued_bytes_ < options_.queue_bytes) return parts_;
  if (options_.stop_when_behind) {
    CloseBehind("the frames");
  } else {
    ++dropped_;
  }
  return std::nullopt;
}

void SceneRecording::OnFrame(const FramePtr& frame) {
  {
    MutexLock lock(mutex_);
    if (closed_) return;
    Push(frame, WeighFrame(*frame));
  }
  MakeReady();
}

void SceneRecording::OnEnd(const absl::Status& why) {
  {
    MutexLock lock(mutex_);
    Close(std::string(why.message()));
  }
  MakeReady();
}

bool SceneRecording::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

void SceneRecording::Push(Item item, int64_t bytes) {
  // Frames were refused at one bound; what cannot be left out has another.
  if (queued_bytes_ > 4 * options_.queue_bytes) {
    CloseBehind("the inputs");
    return;
  }
  queued_bytes_ += bytes;
  queue_.push_back({std::move(item), bytes});
}

InputRecord SceneRecording::TakeSteps() {
  return {steps_begin_, last_step_.time_s, last_step_.state_hash, std::exchange(steps_, {})};
}

void SceneRecording::PushSteps() {
  if (steps_.state_hashes.empty()) return;
  InputRecord record = TakeSteps();
  const int64_t bytes = WeighInput(record.input);
  Push(std::move(record), bytes);
}

void SceneRecording::Close(const std::string& why) {
  if (closed_) return;
  closed_ = true;
  closed_because_ = why;
  if (!steps_.state_hashes.empty()) queue_.push_back({TakeSteps(), 0});
}

void SceneRecording::CloseBehind(const std::string& what) {
  if (closed_) return;
  fell_behind_ = true;
  Close("the disk could not follow " + what + ": " + std::to_string(queued_bytes_) +
        " bytes waited");
}

void SceneRecording::MakeReady() {
  // Once the recording thread has ended nobody waits for this file any more.
  static_cast<void>(executor_.MakeReady(shared_from_this()));
}

std::vector<SceneRecording::Entry> SceneRecording::TakeBatch(bool* end) {
  MutexLock lock(mutex_);
  std::vector<Entry> batch;
  int64_t bytes = 0;
  while (!queue_.empty() && bytes < kBatchBytes) {
    bytes += queue_.front().bytes;
    queued_bytes_ -= queue_.front().bytes;
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  *end = closed_ && queue_.empty();
  return batch;
}

bool SceneRecording::RunQuantum(ArenaCache&, bool) {
  {
    MutexLock lock(mutex_);
    if (finished_) return false;
  }
  bool end = false;
  if (!std::exchange(container_open_, true)) OpenContainer();
  for (const Entry& entry : TakeBatch(&end)) {
    if (!failure_.ok()) continue;
    const absl::Status status =
        std::visit([this](const auto& item) { return Write(item); }, entry.item);
    if (!status.ok()) Fail(status);
  }
  if (end) {
    Finish();
    return false;
  }
  Pace();
  MutexLock lock(mutex_);
  return !queue_.empty() || closed_;
}

void SceneRecording::OpenContainer() {
  writer_.AddMetadata(kRecordingBegin, MakeBeginMetadata(info_));
  for (int index = 0; index < kRecordingTopics; ++index) {
    const RecordingSchema schema = codec_->MakeSchema(static_cast<RecordingTopic>(index));
    const uint16_t id = writer_.AddSchema(schema.name, schema.encoding, schema.data);
    writer_.AddChannel(schema.topic, id, schema.encoding);
  }
}

absl::Status SceneRecording::Write(const RecordStart& start) {
  info_.first_step_index = info_.last_step_index = start.step_index;
  writer_.AddAttachment("start.snapshot", "application/octet-stream", NanosecondsOf(start.time_s),
                        start.snapshot);
  absl::Status status = WriteOut();
  if (status.ok()) status = file_->Flush();
  if (!status.ok()) return status;
  began_ = true;
  store_.Update(MakeInfo());
  std::vector<Completion<RecordingInfo>> waiters;
  {
    MutexLock lock(mutex_);
    waiters.swap(begin_waiters_);
  }
  for (const auto& done : waiters) done(info_);
  return absl::OkStatus();
}

absl::Status SceneRecording::Write(const InputRecord& input) {
  ++info_.input_count;
  info_.last_step_index = input.step_index;
  if (const auto* steps = std::get_if<StepsMade>(&input.input)) {
    info_.last_step_index += static_cast<int64_t>(steps->state_hashes.size());
  }
  return WriteMessage(RecordingTopic::kInputs, input.time_s, codec_->Encode(input));
}

absl::Status SceneRecording::Write(const FramePtr& frame) {
  ++info_.frame_count;
  const auto write = [&](RecordingTopic topic) {
    return WriteMessage(topic, frame->time_s, codec_->Encode(topic, *frame, parts_));
  };
  absl::Status status;
  if (frame->layout_version() != written_layout_) {
    status = write(RecordingTopic::kLayout);
    written_layout_ = frame->layout_version();
  }
  const FrameParts fixed = {false, false, false, parts_.contacts, parts_.report};
  if (status.ok() && parts_ != fixed) status = write(RecordingTopic::kFrames);
  if (status.ok() && parts_.contacts) status = write(RecordingTopic::kContacts);
  if (status.ok() && parts_.report) status = write(RecordingTopic::kDiagnostics);
  return status;
}

absl::Status SceneRecording::WriteMessage(RecordingTopic topic, double time_s,
                                          const std::string& bytes) {
  const int64_t message = static_cast<int64_t>(bytes.size()) + 64;
  const int64_t most = writer_.size() + writer_.most_rest() + 2 * message;
  if (most > options_.most_bytes) {
    return LimitError("recording_bytes", options_.most_bytes, most);
  }
  writer_.AddMessage(ChannelOf(topic), NanosecondsOf(time_s), bytes);
  return WriteOut();
}

absl::Status SceneRecording::WriteOut(bool last) {
  const std::string bytes = writer_.TakeBytes();
  if (bytes.empty()) return absl::OkStatus();
  const absl::Status status = file_->Append(bytes, last);
  // The quota is met by what the writer has made already; that and the end of the file still go in.
  if (!last && FindErrorInfo(status).reason == ErrorReason::kLimitReached) {
    const absl::Status appended = file_->Append(bytes, true);
    if (!appended.ok()) return appended;
  }
  return status;
}

void SceneRecording::Pace() {
  bool steps_wait = false;
  {
    MutexLock lock(mutex_);
    steps_wait = !steps_.state_hashes.empty();
  }
  if (timer_set_ || !failure_.ok() || (!steps_wait && !writer_.chunk_open())) return;
  timer_set_ = true;
  clock_.CallAt(clock_.Now() + kLongestChunk, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    {
      MutexLock lock(self->mutex_);
      self->PushSteps();
    }
    // First what waits now, so that the chunk holds it.
    self->MakeReady();
    static_cast<void>(self->executor_.Post([self] {
      self->timer_set_ = false;
      if (self->file_ == nullptr || !self->failure_.ok()) return;
      self->writer_.CloseChunk();
      absl::Status status = self->WriteOut();
      const Clock::TimePoint now = self->clock_.Now();
      if (status.ok() && now - self->flushed_at_ >= kLongestUnflushed) {
        status = self->file_->Flush();
        self->flushed_at_ = now;
      }
      if (!status.ok()) self->Fail(status);
      self->store_.Update(self->MakeInfo());
      self->Pace();
    }));
  });
}

void SceneRecording::Fail(const absl::Status& status) {
  failure_ = status;
  {
    MutexLock lock(mutex_);
    Close(std::string(status.message()));
  }
  MakeReady();
}

RecordingInfo SceneRecording::MakeInfo() {
  info_.byte_size = file_ == nullptr ? info_.byte_size : file_->size();
  MutexLock lock(mutex_);
  info_.dropped_frames = dropped_;
  return info_;
}

void SceneRecording::Finish() {
  absl::Status abandoned;
  bool fell_behind = false;
  {
    MutexLock lock(mutex_);
    abandoned = abandoned_;
    fell_behind = fell_behind_;
    info_.ended_because = closed_because_;
    info_.dropped_frames = dropped_;
  }
  // Nobody was told of a recording that could not even begin.
  if (!began_ && abandoned.ok()) abandoned = failure_.ok() ? CancelledError() : failure_;
  info_.state = failure_.ok() && !fell_behind ? RecordingState::kComplete : RecordingState::kFailed;
  if (!failure_.ok()) info_.ended_because = std::string(failure_.message());
  if (abandoned.ok()) FinishFile();
  const RecordingInfo info = MakeInfo();
  file_.reset();
  store_.Update(info);
  if (!abandoned.ok()) static_cast<void>(store_.Delete(info.id));
  ended_(info);
  AnswerAll(info, abandoned);
}

void SceneRecording::FinishFile() {
  // What the disk refused stays out; the file is readable without an end.
  if (FindErrorInfo(failure_).reason == ErrorReason::kStorage) return;
  writer_.AddMetadata(kRecordingEnd, MakeEndMetadata(info_));
  writer_.Finish();
  absl::Status status = WriteOut(true);
  if (status.ok()) status = file_->Flush();
  if (status.ok()) return;
  info_.state = RecordingState::kFailed;
  info_.ended_because = std::string(status.message());
}

void SceneRecording::AnswerAll(const RecordingInfo& info, const absl::Status& not_begun) {
  std::vector<Completion<RecordingInfo>> begin_waiters, end_waiters;
  {
    MutexLock lock(mutex_);
    finished_ = true;
    begin_waiters.swap(begin_waiters_);
    end_waiters.swap(end_waiters_);
  }
  for (const auto& done : begin_waiters) done(not_begun);
  for (const auto& done : end_waiters) done(info);
}

}  // namespace talus
