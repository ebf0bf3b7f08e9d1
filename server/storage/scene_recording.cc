#include "server/storage/scene_recording.h"

#include <utility>

#include "server/session/error.h"
#include "server/storage/waiting_size.h"

namespace talus {
namespace {

constexpr std::chrono::seconds kLongestChunk{1};
constexpr std::chrono::seconds kLongestUnflushed{5};
constexpr size_t kStepsInARow = 256;
// Of one turn on the recording thread, so that recordings share it fairly.
constexpr int64_t kBatchBytes = int64_t{4} << 20;

}  // namespace

SceneRecording::SceneRecording(RecordingInfo info, const RecordingOptions& options,
                               std::unique_ptr<RecordingFile> file,
                               std::shared_ptr<const RecordingCodec> codec, RecordingStore& store,
                               HeldBytes& starting, Executor& executor, Clock& clock,
                               std::function<void(const RecordingInfo&)> ended)
    : options_(options),
      store_(store),
      starting_(starting),
      executor_(executor),
      clock_(clock),
      id_(info.id),
      parts_(info.parts),
      every_n_steps_(info.every_n_steps),
      container_(std::make_unique<RecordingContainer>(std::move(info), std::move(file),
                                                      std::move(codec), options.most_bytes)),
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
  const auto bytes = static_cast<int64_t>(start.snapshot.size());
  auto hold = starting_.Take(bytes);
  if (!hold.ok()) return Abandon(hold.status());
  {
    MutexLock lock(mutex_);
    start_hold_ = *std::move(hold);
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
  for (Entry& entry : TakeBatch(&end)) {
    if (!failure_.ok()) continue;
    const absl::Status status =
        std::visit([this](const auto& item) { return container_->Write(item); }, entry.item);
    const bool began = std::holds_alternative<RecordStart>(entry.item);
    entry.item = FramePtr();  // before the next state may be held
    if (!status.ok()) {
      Fail(status);
    } else if (began) {
      AnswerBegun();
    }
  }
  if (end) {
    Finish();
    return false;
  }
  Pace();
  MutexLock lock(mutex_);
  return !queue_.empty() || closed_;
}

void SceneRecording::AnswerBegun() {
  const RecordingInfo info = MakeInfo();
  store_.Update(info);
  std::vector<Completion<RecordingInfo>> waiters;
  {
    MutexLock lock(mutex_);
    start_hold_.reset();
    waiters.swap(begin_waiters_);
  }
  for (const auto& done : waiters) done(info);
}

void SceneRecording::Pace() {
  bool steps_wait = false;
  {
    MutexLock lock(mutex_);
    steps_wait = !steps_.state_hashes.empty();
  }
  // A scene may stand still before what it did last has been forced to the disk.
  const bool waits = steps_wait || container_->chunk_open() || !container_->flushed();
  if (timer_set_ || !failure_.ok() || !waits) return;
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
      if (self->container_ == nullptr || !self->failure_.ok()) return;
      absl::Status status = self->container_->CloseChunk();
      const Clock::TimePoint now = self->clock_.Now();
      if (status.ok() && now - self->flushed_at_ >= kLongestUnflushed) {
        status = self->container_->Flush();
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
  RecordingInfo info = container_->info();
  MutexLock lock(mutex_);
  info.dropped_frames = dropped_;
  return info;
}

void SceneRecording::Finish() {
  absl::Status abandoned;
  RecordingInfo info = MakeInfo();
  bool failed = !failure_.ok();
  {
    MutexLock lock(mutex_);
    abandoned = abandoned_;
    info.ended_because = failed ? std::string(failure_.message()) : closed_because_;
    failed = failed || fell_behind_;
  }
  info.state = failed ? RecordingState::kFailed : RecordingState::kComplete;
  // Nobody was told of a recording that could not even begin.
  if (!container_->began() && abandoned.ok()) {
    abandoned = failure_.ok() ? CancelledError() : failure_;
  }
  if (abandoned.ok()) FinishFile(&info);
  container_.reset();
  store_.Update(info);
  if (!abandoned.ok()) static_cast<void>(store_.Delete(info.id));
  ended_(info);
  AnswerAll(info, abandoned);
}

void SceneRecording::FinishFile(RecordingInfo* info) {
  // What the disk refused stays out; the file is readable without an end.
  if (FindErrorInfo(failure_).reason == ErrorReason::kStorage) return;
  const absl::Status finished = container_->Finish(*info);
  const RecordingInfo held = MakeInfo();
  info->byte_size = held.byte_size;
  if (finished.ok()) return;
  info->state = RecordingState::kFailed;
  info->ended_because = std::string(finished.message());
  info->last_step_index = held.last_step_index;
  info->frame_count = held.frame_count;
  info->input_count = held.input_count;
}

void SceneRecording::AnswerAll(const RecordingInfo& info, const absl::Status& not_begun) {
  std::vector<Completion<RecordingInfo>> begin_waiters, end_waiters;
  {
    MutexLock lock(mutex_);
    finished_ = true;
    start_hold_.reset();
    begin_waiters.swap(begin_waiters_);
    end_waiters.swap(end_waiters_);
  }
  for (const auto& done : begin_waiters) done(not_begun);
  for (const auto& done : end_waiters) done(info);
}

}  // namespace talus
