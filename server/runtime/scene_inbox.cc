#include "server/runtime/scene_inbox.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "server/runtime/hosted_world.h"
#include "server/runtime/step_command.h"
#include "server/session/error.h"

namespace talus {
namespace {

// Answers kept for repeats of a Step. A client repeats its last call or two, and an answer may hold
// a whole frame.
constexpr size_t kRememberedSteps = 16;

// With every bit of a number.
void AppendNumber(double value, std::string& text) {
  text += '/' + std::to_string(std::bit_cast<uint64_t>(value));
}

void AppendCondition(const std::optional<StopCondition>& until, std::string& text) {
  if (!until.has_value()) return;
  text += "/until";
  if (until->time_s.has_value()) AppendNumber(*until->time_s, text);
  if (until->rest.has_value()) {
    text += "/rest";
    AppendNumber(until->rest->speed_m_s, text);
    AppendNumber(until->rest->angular_speed_rad_s, text);
    AppendNumber(until->rest->for_s, text);
  }
  if (until->contact.has_value()) {
    text += "/contact/" + until->contact->body_a + '/' + until->contact->body_b;
  }
}

void AppendActuation(const Actuation& actuation, std::string& text) {
  for (const ActuatorDef& actuator : actuation.actuators) {
    text += '/' + std::to_string(static_cast<int>(actuator.kind)) + ',' +
            std::to_string(actuator.id) + ',' + std::to_string(actuator.axis) + ',' + actuator.name;
  }
  for (const double value : actuation.values) AppendNumber(value, text);
}

// Equal for equal calls: a repeat under a request_id must ask for the same.
void AppendBodies(const BodySelection& bodies, std::string& text) {
  if (bodies.all()) return;
  text += "/bodies" + std::to_string(bodies.every_kth_row);
  for (const uint64_t id : bodies.ids) text += ',' + std::to_string(id);
  for (const std::string& name : bodies.names) {
    text += ',' + std::to_string(name.size()) + ':' + name;
  }
}

std::string FingerprintOf(const StepCall& call) {
  std::string text = std::to_string(call.step_count) + "/";
  if (call.expected_step_index.has_value()) text += std::to_string(*call.expected_step_index);
  text += '/';
  for (const bool part : {call.parts.positions, call.parts.orientations, call.parts.velocities,
                          call.parts.contacts, call.parts.report, call.residual_history}) {
    text += part ? '1' : '0';
  }
  text += std::to_string(static_cast<int>(call.capture));
  AppendCondition(call.until, text);
  if (call.actuation.has_value()) AppendActuation(*call.actuation, text);
  AppendBodies(call.bodies, text);
  return text;
}

}  // namespace

SceneInbox::SceneInbox(int64_t mailbox_depth, const SceneInfo& info)
    : mailbox_(mailbox_depth), remembered_(kRememberedSteps), info_(info) {}

bool SceneInbox::Submit(Mailbox::Lane lane, std::unique_ptr<Command> command,
                        std::string_view lease) {
  absl::Status status;
  {
    MutexLock lock(mutex_);
    status = lane == Mailbox::Lane::kChanges ? CheckChange(lease) : CheckOpen();
    if (status.ok()) status = mailbox_.Submit(lane, command, RetryAfterMs());
    ++uses_;
  }
  if (status.ok()) return true;
  command->Fail(status);
  return false;
}

bool SceneInbox::SubmitOwnRead(std::unique_ptr<Command> command) {
  absl::Status status;
  {
    MutexLock lock(mutex_);
    status = CheckOpen();
    if (status.ok()) status = mailbox_.Submit(Mailbox::Lane::kReads, command, RetryAfterMs());
  }
  if (status.ok()) return true;
  command->Fail(status);
  return false;
}

bool SceneInbox::SubmitRepeatable(StepCall call, Waiter<StepAnswer> waiter) {
  const std::string fingerprint = FingerprintOf(call);
  const std::string request_id = call.request_id;
  Repeatable::AnswerPtr earlier;
  while (true) {
    absl::Status status;
    {
      MutexLock lock(mutex_);
      ++uses_;
      if (earlier != nullptr) remembered_.Forget(earlier);  // it was given up
      earlier = nullptr;
      status = CheckChange(waiter.control == nullptr ? "" : waiter.control->lease());
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
    if (!status.ok()) {
      waiter.done(status);
      return false;
    }
    if (earlier->TryJoin(waiter)) return false;
  }
}

absl::StatusOr<std::string> SceneInbox::TakeLease(LeaseCall call) {
  SceneLease::Lost displaced;
  const std::string taker = call.holder;
  absl::StatusOr<std::string> token;
  {
    MutexLock lock(mutex_);
    if (absl::Status open = CheckOpen(); !open.ok()) return open;
    ++uses_;
    token = lease_.Take(std::move(call), displaced);
    info_.holder = lease_.holder();
  }
  if (displaced) displaced(LeaseLostError("it was taken over by " + taker));
  return token;
}

void SceneInbox::GiveBackLease(std::string_view token) {
  MutexLock lock(mutex_);
  ++uses_;
  lease_.GiveBack(token);
  info_.holder = lease_.holder();
}

LeaseTermPtr SceneInbox::FindTerm(std::string_view token) const {
  if (token.empty()) return nullptr;
  MutexLock lock(mutex_);
  return lease_.FindTerm(token);
}

void SceneInbox::EndLease(const absl::Status& status) {
  SceneLease::Lost lost;
  {
    MutexLock lock(mutex_);
    lost = lease_.End();
    info_.holder.clear();
  }
  if (lost) lost(status);
}

void SceneInbox::End(Life life, std::function<void()> ended) {
  MutexLock lock(mutex_);
  if (life_ == Life::kOpen) life_ = life;
  if (life == Life::kDeleted) gives_up_steps_ = true;
  ended_.push_back(std::move(ended));
}

void SceneInbox::GiveUpSteps() {
  MutexLock lock(mutex_);
  gives_up_steps_ = true;
}

bool SceneInbox::at_rest() const {
  MutexLock lock(mutex_);
  return life_ != Life::kOpen && ended_.empty();
}

SceneInfo SceneInbox::info() const {
  MutexLock lock(mutex_);
  return info_;
}

std::string SceneInbox::holder() const {
  MutexLock lock(mutex_);
  return lease_.holder();
}

absl::Status SceneInbox::AdmitChange(std::string_view lease) const {
  MutexLock lock(mutex_);
  absl::Status status = CheckChange(lease);
  return status.ok() ? mailbox_.CheckRoom(Mailbox::Lane::kChanges, RetryAfterMs()) : status;
}

std::optional<int64_t> SceneInbox::FindIdleMark() const {
  MutexLock lock(mutex_);
  const bool used = !mailbox_.empty() || !lease_.holder().empty() || info_.run.running;
  return used ? std::nullopt : std::optional<int64_t>(uses_);
}

void SceneInbox::NoteUse() {
  MutexLock lock(mutex_);
  ++uses_;
}

void SceneInbox::NoteEvicted(bool evicted) {
  MutexLock lock(mutex_);
  info_.evicted = evicted;
}

bool SceneInbox::AreStepsShort(int64_t step_count) const {
  constexpr double kShort = 50e-6;
  MutexLock lock(mutex_);
  return step_s_ > 0.0 && step_s_ * static_cast<double>(step_count) < kShort;
}

SceneInbox::Life SceneInbox::life() const {
  MutexLock lock(mutex_);
  return life_;
}

bool SceneInbox::gives_up_steps() const {
  MutexLock lock(mutex_);
  return gives_up_steps_;
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

void SceneInbox::PublishInfo(HostedWorld& state) {
  const World& world = state.world();
  const uint64_t state_hash = world.state_hash();
  MutexLock lock(mutex_);
  info_.step_index = world.step_index();
  info_.time_s = world.time_s();
  info_.body_count = static_cast<int64_t>(world.body_count());
  info_.emitter_count = static_cast<int64_t>(world.emitter_count());
  info_.particles_pending = world.particles_pending();
  info_.joint_count = static_cast<int64_t>(world.joint_count());
  info_.layout_version = state.layout_version();
  info_.state_hash = state_hash;
  info_.change_count = state.moment().count;
  info_.run = state.free_run().info();
  NoteStepTime(world.step_index(), world.last_report().stage_times.Total());
  info_.settings = world.settings();
  if (info_.fault != world.fault()) info_.fault = world.fault();
}

void SceneInbox::NoteStepTime(int64_t step_index, double time_s) {
  if (step_index == timed_step_index_) return;
  timed_step_index_ = step_index;
  // A step that was interrupted says nothing about the next.
  step_s_ = last_step_s_ > 0.0 ? std::min(last_step_s_, time_s) : time_s;
  last_step_s_ = time_s;
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

bool SceneInbox::NoteWakeUp(Clock::TimePoint when) {
  MutexLock lock(mutex_);
  if (wake_up_ != when) return false;
  wake_up_.reset();
  return true;
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

absl::Status SceneInbox::CheckChange(std::string_view lease) const {
  absl::Status status = CheckOpen();
  return status.ok() ? lease_.Check(lease) : status;
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
