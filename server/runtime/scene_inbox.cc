#include "server/runtime/scene_inbox.h"

#include <algorithm>
#include <utility>

#include "server/runtime/step_command.h"
#include "server/session/error.h"

namespace talus {
namespace {

// Answers kept for repeats of a Step. A client repeats its last call or two, and an answer may hold
// a whole frame.
constexpr size_t kRememberedSteps = 16;

// Equal for equal calls: a repeat under a request_id must ask for the same.
std::string FingerprintOf(const StepCall& call) {
  std::string text = std::to_string(call.step_count) + "/";
  if (call.expected_step_index.has_value()) text += std::to_string(*call.expected_step_index);
  text += '/';
  for (const bool part : {call.parts.positions, call.parts.orientations, call.parts.velocities,
                          call.parts.contacts, call.parts.report, call.residual_history}) {
    text += part ? '1' : '0';
  }
  text += std::to_string(static_cast<int>(call.capture));
  return text;
}

}  // namespace

SceneInbox::SceneInbox(int64_t mailbox_depth, const SceneInfo& info)
    : mailbox_(mailbox_depth), remembered_(kRememberedSteps), info_(info) {}

bool SceneInbox::Submit(Mailbox::Lane lane, std::unique_ptr<Command> command) {
  absl::Status status;
  {
    MutexLock lock(mutex_);
    status = CheckOpen();
    if (status.ok()) status = mailbox_.Submit(lane, command, RetryAfterMs());
  }
  if (status.ok()) return true;
  command->Fail(status);
  return false;
}

bool SceneInbox::SubmitRepeatable(StepCall call, Waiter<StepAnswer> waiter) {
  const std::string fingerprint = FingerprintOf(call);
  const std::string request_id = call.request_id;
  absl::Status status;
  Repeatable::AnswerPtr earlier;
  {
    MutexLock lock(mutex_);
    status = CheckOpen();
    if (status.ok()) {
      auto found = remembered_.Find(request_id, fingerprint);
      status = found.status();
      if (found.ok()) earlier = *std::move(found);
    }
    if (status.ok() && earlier == nullptr) {
      auto answer = std::make_shared<SharedAnswer<StepAnswer>>();
      std::unique_ptr<Command> command = std::make_unique<StepCommand>(
          std::move(call), answer, [this, answer] { Forget(answer); });
      status = mailbox_.Submit(Mailbox::Lane::kChanges, command, RetryAfterMs());
      if (status.ok()) {
        answer->Join(std::move(waiter));
        remembered_.Add(request_id, fingerprint, std::move(answer));
        return true;
      }
    } else if (earlier != nullptr && earlier->waiter_count() >= mailbox_.depth()) {
      status = MailboxFullError(mailbox_.depth(), RetryAfterMs());
    }
  }
  if (status.ok()) {
    earlier->Join(std::move(waiter));
  } else {
    waiter.done(status);
  }
  return false;
}

void SceneInbox::End(Life life, std::function<void()> ended) {
  MutexLock lock(mutex_);
  if (life_ == Life::kOpen) life_ = life;
  ended_.push_back(std::move(ended));
}

SceneInfo SceneInbox::info() const {
  MutexLock lock(mutex_);
  return info_;
}

SceneInbox::Life SceneInbox::life() const {
  MutexLock lock(mutex_);
  return life_;
}

bool SceneInbox::empty() const {
  MutexLock lock(mutex_);
  return mailbox_.empty();
}

int64_t SceneInbox::CountWaiting() const {
  MutexLock lock(mutex_);
  return mailbox_.size();
}

std::unique_ptr<Command> SceneInbox::TakeChange() {
  MutexLock lock(mutex_);
  return mailbox_.TakeChange();
}

std::vector<std::unique_ptr<Command>> SceneInbox::TakeReads() {
  MutexLock lock(mutex_);
  return mailbox_.TakeReads();
}

std::vector<std::unique_ptr<Command>> SceneInbox::TakeAll() {
  MutexLock lock(mutex_);
  return mailbox_.TakeAll();
}

std::vector<std::function<void()>> SceneInbox::TakeEnded() {
  MutexLock lock(mutex_);
  return std::exchange(ended_, {});
}

void SceneInbox::SweepWaiting(Clock::TimePoint now) {
  DueAnswers answers;
  {
    MutexLock lock(mutex_);
    mailbox_.Sweep(now, info_.step_index, answers);
  }
  for (const auto& give : answers) give();
}

void SceneInbox::PublishInfo(const World& world, int64_t layout_version) {
  MutexLock lock(mutex_);
  info_.step_index = world.step_index();
  info_.time_s = world.time_s();
  info_.body_count = static_cast<int64_t>(world.body_count());
  info_.emitter_count = static_cast<int64_t>(world.emitter_count());
  info_.particles_pending = world.particles_pending();
  info_.joint_count = static_cast<int64_t>(world.joint_count());
  info_.layout_version = layout_version;
  info_.state_hash = world.state_hash();
  info_.settings = world.settings();
  if (info_.fault != world.fault()) info_.fault = world.fault();
}

void SceneInbox::NoteChangeTime(Clock::Duration time) {
  const double ms = std::chrono::duration<double, std::milli>(time).count();
  MutexLock lock(mutex_);
  // Smoothed over about eight changes.
  change_ms_ += (ms - change_ms_) / 8.0;
}

bool SceneInbox::PlanWakeUp(Clock::TimePoint when) {
  MutexLock lock(mutex_);
  if (wake_up_.has_value() && *wake_up_ <= when) return false;
  wake_up_ = when;
  return true;
}

void SceneInbox::NoteWakeUp() {
  MutexLock lock(mutex_);
  wake_up_.reset();
}

absl::Status SceneInbox::CheckOpen() const {
  switch (life_) {
    case Life::kOpen:
      return absl::OkStatus();
    case Life::kDraining:
      return DrainingError();
    case Life::kDeleted:
      return SceneDeletedError();
  }
  return absl::OkStatus();
}

int64_t SceneInbox::RetryAfterMs() const {
  // One place comes free when one change is done.
  return static_cast<int64_t>(std::clamp(change_ms_, 1.0, 10'000.0));
}

void SceneInbox::Forget(const Repeatable::AnswerPtr& answer) {
  MutexLock lock(mutex_);
  remembered_.Forget(answer);
}

}  // namespace talus
