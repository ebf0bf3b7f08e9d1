#include "server/session/input_replay.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "server/session/error.h"
#include "server/storage/mcap_reader.h"
#include "server/stream/scene_recorder.h"
#include "solver/base/mutex.h"

namespace talus {
namespace {

// Notes the hash after every step of the scene that is replayed into.
class HashNotes : public SceneRecorder {
 public:
  bool wants_snapshot() const override { return false; }
  void OnStart(RecordStart) override {}
  void OnStep(const StepNote& step) override {
    MutexLock lock(mutex_);
    hashes_.push_back(step.state_hash);
  }
  void OnInput(InputRecord) override {}
  std::optional<FrameParts> FindDueParts(int64_t, bool) override { return std::nullopt; }
  void OnFrame(const FramePtr&) override {}
  void OnEnd(const absl::Status&) override {}
  bool closed() const override {
    MutexLock lock(mutex_);
    return closed_;
  }

  void Close() {
    MutexLock lock(mutex_);
    closed_ = true;
  }
  std::vector<uint64_t> Take() {
    MutexLock lock(mutex_);
    return std::exchange(hashes_, {});
  }

 private:
  mutable Mutex mutex_;
  std::vector<uint64_t> hashes_ TALUS_GUARDED_BY(mutex_);
  bool closed_ TALUS_GUARDED_BY(mutex_) = false;
};

// So much is read at once on the thread that may wait for a disk; what is read is made where the
// scene is, without another thread's turn between two inputs.
constexpr size_t kInputsAtOnce = 64;
constexpr size_t kBytesAtOnce = 1 << 18;

// One chain of calls, each begun by the end of the one before; kept alive by whichever is under
// way. Never on two threads at once.
class Chain : public std::enable_shared_from_this<Chain> {
 public:
  Chain(const ReplayCall& call, McapReader reader, std::shared_ptr<const RecordingCodec> codec,
        SceneRegistry& registry, Executor& executor, Clock& clock, const Limits& limits,
        CallControlPtr control, Completion<ReplayAnswer> done)
      : call_(call),
        reader_(std::move(reader)),
        codec_(std::move(codec)),
        registry_(registry),
        executor_(executor),
        clock_(clock),
        limits_(limits),
        control_(std::move(control)),
        done_(std::move(done)) {}

  void Begin();

 private:
  void Record();
  // The next input. From any thread, also from within the call that begins one.
  void Continue();
  void ReplayNext();
  void ReadInputs();  // on the executor's thread
  void Apply();
  void StepOn();
  void Check(int64_t step_index, uint64_t recorded, uint64_t replayed);
  bool Postpone(const absl::Status& status);
  void EndInput(const absl::Status& status);
  void End(const absl::Status& status);
  void Answer(const absl::Status& status);
  template <typename T>
  Completion<T> Then() {
    return [self = shared_from_this()](const absl::StatusOr<T>& result) {
      self->EndInput(result.status());
    };
  }

  // What each kind of input does to the scene.
  void Make(const StepsMade&) { StepOn(); }
  void Make(const BodiesAdded& input) {
    scene_->AddBodies({input.bodies, input.materials, input.joints}, control_,
                      Then<AddBodiesAnswer>());
  }
  void Make(const BodiesRemoved& input) {
    scene_->RemoveBodies({input.body_ids, input.body_names}, control_,
                         Then<std::shared_ptr<const Layout>>());
  }
  void Make(const BodiesUpdated& input) {
    scene_->UpdateBodies(input.updates, control_, Then<SceneInfo>());
  }
  void Make(const EmittersAdded& input) {
    scene_->AddEmitters({input.emitters, input.materials}, control_, Then<SceneInfo>());
  }
  void Make(const EmittersRemoved& input) {
    scene_->RemoveEmitters(input.names, control_, Then<SceneInfo>());
  }
  void Make(const JointsAdded& input) {
    scene_->AddJoints(input.joints, control_, Then<AddJointsAnswer>());
  }
  void Make(const JointsRemoved& input) {
    scene_->RemoveJoints({input.joint_ids, input.joint_names}, control_, Then<SceneInfo>());
  }
  void Make(const Actuated& input) {
    Actuation actuation;
    for (const ActuatorTarget& target : input.targets) {
      actuation.actuators.push_back({target.kind, target.id, {}, target.axis});
    }
    actuation.values = input.values;
    scene_->Actuate(std::move(actuation), control_, Then<SceneInfo>());
  }
  void Make(const SceneRestored& input) {
    registry_.Restore(scene_, input.snapshot, control_, Then<SceneInfo>());
  }

  const ReplayCall call_;
  McapReader reader_;
  const std::shared_ptr<const RecordingCodec> codec_;
  SceneRegistry& registry_;
  Executor& executor_;
  Clock& clock_;
  const Limits limits_;
  const CallControlPtr control_;
  const Completion<ReplayAnswer> done_;
  const std::shared_ptr<HashNotes> notes_ = std::make_shared<HashNotes>();
  std::shared_ptr<SceneActor> scene_;
  std::deque<InputRecord> inputs_;        // read and not yet made
  std::optional<absl::Status> read_end_;  // after these nothing follows; not OK: why not
  std::atomic<int> due_{0};               // inputs to begin: the one that is begun and the next
  InputRecord input_;
  size_t steps_done_ = 0;  // of input_
  ReplayAnswer answer_;
};

void Chain::Begin() {
  while (true) {
    const auto item = reader_.Next();
    if (!item.ok()) return End(item.status());
    if (item->kind == McapItem::Kind::kEnd) {
      return End(BadRecordingError("the recording has no state to begin from"));
    }
    if (item->kind != McapItem::Kind::kAttachment) continue;
    CreateSceneCall create;
    create.scene_id = call_.scene_id;
    create.client = call_.client;
    create.source = std::string(item->data);
    create.scratch = true;  // a server that is killed meanwhile does not bring half of it back
    ReadInputs();
    registry_.Create(std::move(create), [self = shared_from_this()](const auto& made) {
      if (!made.ok()) return self->Answer(made.status());
      auto scene = self->registry_.Find(made->info.id);
      if (!scene.ok()) return self->Answer(scene.status());
      self->scene_ = *std::move(scene);
      self->Record();
    });
    return;
  }
}

void Chain::Record() {
  scene_->Record(notes_, control_, [self = shared_from_this()](const auto& attached) {
    if (!attached.ok()) return self->End(attached.status());
    self->Continue();
  });
}

void Chain::Continue() {
  // An answer may be there before the call that asked for it returns, on this thread or another:
  // whoever began that call begins the next.
  if (due_.fetch_add(1) > 0) return;
  const auto self = shared_from_this();
  do {
    ReplayNext();
  } while (due_.fetch_sub(1) > 1);
}

void Chain::ReplayNext() {
  if (answer_.mismatch.has_value()) return End(absl::OkStatus());
  if (inputs_.empty()) {
    if (read_end_.has_value()) {
      answer_.truncated = reader_.truncated();
      return End(*read_end_);
    }
    const bool taken = executor_.Post([self = shared_from_this()] {
      self->ReadInputs();
      self->Continue();
    });
    if (!taken) End(DrainingError());
    return;
  }
  input_ = std::move(inputs_.front());
  inputs_.pop_front();
  steps_done_ = 0;
  Apply();
}

void Chain::ReadInputs() {
  for (size_t bytes = 0; inputs_.size() < kInputsAtOnce && bytes < kBytesAtOnce;) {
    const auto item = reader_.Next();
    if (!item.ok()) {
      read_end_ = item.status();
      return;
    }
    if (item->kind == McapItem::Kind::kEnd) {
      read_end_ = absl::OkStatus();
      return;
    }
    if (item->kind != McapItem::Kind::kMessage || item->name != "/inputs") continue;
    bytes += item->data.size();
    auto input = codec_->DecodeInput(item->data);
    if (!input.ok()) {
      read_end_ = BadRecordingError(std::string(input.status().message()));
      return;
    }
    inputs_.push_back(*std::move(input));
  }
}

void Chain::Apply() {
  std::visit([this](const auto& input) { Make(input); }, input_.input);
}

void Chain::StepOn() {
  const auto& steps = std::get<StepsMade>(input_.input);
  const auto left = static_cast<int64_t>(steps.state_hashes.size() - steps_done_);
  StepCall call;
  call.step_count = std::min(left, limits_.steps_per_call);
  // What a call owes it waits for afterwards, deaf to its caller: a second and no more.
  const int64_t rate = limits_.steps_per_second;
  if (rate > 0) call.step_count = std::min(call.step_count, rate);
  call.residual_history = steps.residual_history;
  scene_->Step(call, control_, Then<StepAnswer>());
}

// Steps that came too fast for the server are made later; the recording is not to blame.
bool Chain::Postpone(const absl::Status& status) {
  const ErrorInfo info = FindErrorInfo(status);
  if (info.reason != ErrorReason::kLimitReached || info.retry_after_ms == 0) return false;
  clock_.CallAt(clock_.Now() + std::chrono::milliseconds(info.retry_after_ms),
                [self = shared_from_this()] {
                  const auto again = [self] { self->Apply(); };
                  // The server is ending, and the registry may have.
                  if (!self->executor_.Post(again)) self->Answer(DrainingError());
                });
  return true;
}

void Chain::EndInput(const absl::Status& status) {
  if (!status.ok() && Postpone(status)) return;
  // Nor is it for a server that has no memory left.
  if (FindErrorInfo(status).limit_name == "memory_bytes") return End(status);
  switch (status.code()) {
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kAborted:
      return End(status);
    default:
      break;
  }
  const auto* steps = std::get_if<StepsMade>(&input_.input);
  if (steps != nullptr) {
    for (const uint64_t replayed : notes_->Take()) {
      if (steps_done_ >= steps->state_hashes.size()) break;
      ++answer_.steps_replayed;
      const auto step_index = input_.step_index + static_cast<int64_t>(steps_done_) + 1;
      Check(step_index, steps->state_hashes[steps_done_++], replayed);
    }
  }
  if (!status.ok() && !answer_.mismatch.has_value()) {
    answer_.mismatch = ReplayMismatch{input_.step_index + static_cast<int64_t>(steps_done_),
                                      answer_.inputs_replayed, input_.state_hash, 0,
                                      std::string(status.message())};
  } else if (steps != nullptr && steps_done_ < steps->state_hashes.size() &&
             !answer_.mismatch.has_value()) {
    return StepOn();
  } else if (steps == nullptr) {
    const SceneInfo info = scene_->info();
    Check(info.step_index, input_.state_hash, info.state_hash);
  }
  if (!answer_.mismatch.has_value()) ++answer_.inputs_replayed;
  Continue();
}

void Chain::Check(int64_t step_index, uint64_t recorded, uint64_t replayed) {
  if (recorded == replayed || answer_.mismatch.has_value()) return;
  answer_.mismatch = ReplayMismatch{step_index, answer_.inputs_replayed, recorded, replayed, {}};
}

void Chain::End(const absl::Status& status) {
  notes_->Close();
  if (scene_ == nullptr) return Answer(status);
  answer_.scene = scene_->info();
  if (status.ok() && !call_.scene_id.empty()) {
    scene_->Keep();
    return Answer(status);
  }
  // A scene nobody asked for, or one that stopped halfway.
  registry_.Delete(
      scene_, [self = shared_from_this(), status](const absl::Status&) { self->Answer(status); });
}

void Chain::Answer(const absl::Status& status) {
  if (status.ok()) {
    done_(answer_);
  } else {
    done_(status);
  }
}

}  // namespace

void InputReplay::Begin(const ReplayCall& call, const std::string& path,
                        std::shared_ptr<const RecordingCodec> codec, SceneRegistry& registry,
                        Executor& executor, Clock& clock, const Limits& limits,
                        const CallControlPtr& control, Completion<ReplayAnswer> done) {
  auto reader = McapReader::Open(path);
  if (!reader.ok()) {
    done(reader.status());
    return;
  }
  std::make_shared<Chain>(call, *std::move(reader), std::move(codec), registry, executor, clock,
                          limits, control, std::move(done))
      ->Begin();
}

}  // namespace talus
