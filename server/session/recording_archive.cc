#include "server/session/recording_archive.h"

#include <utility>

#include "server/session/error.h"
#include "server/session/page.h"
#include "server/session/resource_name.h"

namespace talus {
namespace {

absl::Status NoRecordingsError() {
  return StorageError(absl::StatusCode::kFailedPrecondition,
                      "the server has no data directory (option --data-dir), so it keeps no "
                      "recordings");
}

absl::Status Validate(const StartRecordingCall& call) {
  constexpr int64_t kMostSteps = 1'000'000;
  if (call.every_n_steps >= 1 && call.every_n_steps <= kMostSteps) return absl::OkStatus();
  return InvalidFieldError("every_n_steps", std::to_string(call.every_n_steps),
                           "must be in [1, 1000000]");
}

int64_t UnixMilliseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

RecordingArchive::RecordingArchive(SceneRegistry& registry, RecordingStore* store,
                                   Executor& executor, Clock& clock, const Limits& limits,
                                   StorageReport report)
    : registry_(registry),
      store_(store),
      executor_(executor),
      clock_(clock),
      limits_(limits),
      starting_(limits.snapshot_bytes),
      report_(std::move(report)) {}

template <typename Done>
void RecordingArchive::Post(const Done& done, std::function<void()> job) {
  if (store_ == nullptr) {
    done(NoRecordingsError());
  } else if (!executor_.Post(std::move(job))) {
    done(DrainingError());
  }
}

void RecordingArchive::Start(const StartRecordingCall& call, Codec codec,
                             const CallControlPtr& control, Completion<RecordingInfo> done) {
  const absl::Status valid = Validate(call);
  if (!valid.ok()) {
    done(valid);
    return;
  }
  Post(done, [this, call, codec = std::move(codec), control, done] {
    StartNow(call, codec, control, done);
  });
}

void RecordingArchive::StartNow(const StartRecordingCall& call, Codec codec,
                                const CallControlPtr& control,
                                const Completion<RecordingInfo>& done) {
  const auto scene = registry_.Find(call.scene_id);
  if (!scene.ok()) {
    done(scene.status());
    return;
  }
  RecordingInfo info;
  info.id = call.recording_id;
  info.scene_id = call.scene_id;
  info.parts = call.parts;
  info.every_n_steps = call.every_n_steps;
  info.created_unix_ms = UnixMilliseconds();
  auto file = store_->Create(&info);
  if (!file.ok()) {
    done(file.status());
    return;
  }
  RecordingOptions options;
  options.stop_when_behind = call.stop_when_behind;
  options.most_bytes = limits_.recording_bytes;
  auto recording = std::make_shared<SceneRecording>(
      info, options, *std::move(file), std::move(codec), *store_, starting_, executor_, clock_,
      [this](const RecordingInfo& ended) { NoteEnd(ended); });
  recording->AwaitBegin(done);
  {
    MutexLock lock(mutex_);
    running_[info.id] = recording;
  }
  (*scene)->Record(recording, control, [recording](absl::StatusOr<SceneInfo> attached) {
    if (!attached.ok()) recording->Abandon(attached.status());
  });
}

void RecordingArchive::NoteEnd(const RecordingInfo& info) {
  // What could not begin is gone from the store by now.
  const bool stored = store_->Find(info.id).ok();
  {
    MutexLock lock(mutex_);
    running_.erase(info.id);
    if (stored) {
      ++(info.state == RecordingState::kFailed ? ended_.failed : ended_.completed);
      ended_.bytes += info.byte_size;
    }
  }
  changed_.notify_all();
  if (info.state != RecordingState::kFailed || !report_) return;
  report_({StorageEvent::Severity::kWarning, "recording ended by itself",
           FormatRecordingName(info.id), info.ended_because});
}

void RecordingArchive::Stop(const std::string& id, Completion<RecordingInfo> done) {
  Post(done, [this, id, done] {
    std::shared_ptr<SceneRecording> recording;
    {
      MutexLock lock(mutex_);
      const auto found = running_.find(id);
      if (found != running_.end()) recording = found->second;
    }
    if (recording == nullptr) {
      done(store_->Find(id));
    } else {
      recording->Stop(done);
    }
  });
}

void RecordingArchive::Find(const std::string& id, Completion<RecordingInfo> done) {
  Post(done, [this, id, done] { done(store_->Find(id)); });
}

void RecordingArchive::List(int64_t page_size, const std::string& page_token,
                            Completion<RecordingPage> done) {
  Post(done, [this, page_size, page_token, done] {
    std::vector<RecordingInfo> all = store_->FindAll();
    std::vector<std::string> ids;
    for (const RecordingInfo& info : all) ids.push_back(info.id);
    const auto range = FindPage(ids, page_size, page_token);
    if (!range.ok()) {
      done(range.status());
      return;
    }
    RecordingPage page;
    for (size_t index = range->begin; index < range->end; ++index) {
      page.recordings.push_back(std::move(all[index]));
    }
    page.next_page_token = range->next_token;
    done(std::move(page));
  });
}

void RecordingArchive::Delete(const std::string& id, StatusCompletion done) {
  Post(done, [this, id, done] { done(store_->Delete(id)); });
}

void RecordingArchive::OpenView(
    const std::string& id,
    Completion<std::pair<RecordingInfo, std::shared_ptr<RecordingView>>> done) {
  Post(done, [this, id, done] {
    auto info = store_->Find(id);
    auto view = store_->OpenView(id);
    if (!view.ok()) {
      done(view.status());
      return;
    }
    info->byte_size = (*view)->size();
    done(std::make_pair(*std::move(info), *std::move(view)));
  });
}

void RecordingArchive::Read(std::shared_ptr<RecordingView> view, int64_t offset, int64_t count,
                            Completion<std::string> done) {
  Post(done, [view = std::move(view), offset, count, done] { done(view->Read(offset, count)); });
}

void RecordingArchive::Replay(ReplayCall call, Codec codec, const CallControlPtr& control,
                              Completion<ReplayAnswer> done) {
  Post(done, [this, call = std::move(call), codec = std::move(codec), control, done] {
    const auto info = store_->Find(call.recording_id);
    if (!info.ok()) {
      done(info.status());
      return;
    }
    if (info->state == RecordingState::kRecording) {
      done(RecordingRunningError(FormatRecordingName(info->id)));
      return;
    }
    InputReplay::Begin(call, store_->PathOf(info->id), codec, registry_, executor_, clock_, limits_,
                       control, done);
  });
}

RecordingLoad RecordingArchive::load() const {
  MutexLock lock(mutex_);
  RecordingLoad load = ended_;
  load.under_way = static_cast<int64_t>(running_.size());
  return load;
}

bool RecordingArchive::WaitUntilEnded(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  MutexLock lock(mutex_);
  while (!running_.empty()) {
    if (changed_.wait_until(mutex_, until) == std::cv_status::timeout) return running_.empty();
  }
  return true;
}

}  // namespace talus
