#include "server/runtime/control_session.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>

#include "server/session/error.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"

namespace talus {
namespace {

using SteadySeconds = std::chrono::duration<double>;

absl::Status ValidatePeriod(double period_s) {
  return CheckRange(FieldPath("period_s"), period_s, 1e-4, 10.0);
}

const char* NameOf(MissPolicy policy) {
  if (policy == MissPolicy::kZero) return "ZERO";
  return policy == MissPolicy::kFail ? "FAIL" : "HOLD_LAST";
}

// What MissPolicy::kZero sets to zero: all but the places where things are held.
ActuatorTargets FindReleased(const ActuatorTargets& actuators) {
  ActuatorTargets released;
  for (const ActuatorTarget& target : actuators.targets) {
    if (target.kind == ActuatorKind::kJointPosition) continue;
    released.targets.push_back(target);
    released.value_count += CountValues(target.kind);
  }
  return released;
}

}  // namespace

absl::Status ValidateControl(const ControlOptions& options) {
  if (options.holder.size() > kLongestHolder) {
    return InvalidFieldError("holder", std::to_string(options.holder.size()) + " characters",
                             "must have at most " + std::to_string(kLongestHolder));
  }
  TALUS_RETURN_IF_ERROR(
      CheckRange(FieldPath("max_wait_s"), options.max_wait_s, 1e-3, options.longest_wait_s));
  if (options.period_s.has_value()) {
    TALUS_RETURN_IF_ERROR(ValidatePeriod(*options.period_s));
  }
  TALUS_RETURN_IF_ERROR(CheckRange(FieldPath("steps_per_tick"), options.steps_per_tick, 1, 1000));
  return CheckRange(FieldPath("most_misses"), options.most_misses, 1, 1'000'000);
}

struct ControlSession::Impl {
  struct Waiting {
    ControlCall call;
    Completion<ControlAnswer> done;
  };

  Impl(std::shared_ptr<SceneActor> actor, Clock& used_clock, ControlOptions chosen,
       std::function<void(const absl::Status&)> when_ended)
      : scene(std::move(actor)),
        clock(used_clock),
        options(std::move(chosen)),
        ended(std::move(when_ended)) {}

  StepCall MakeStep(const ControlCall& call) const {
    StepCall step;
    step.step_count = options.real_time ? options.steps_per_tick : call.step_count;
    step.expected_step_index = call.expected_step_index;
    step.parts = options.parts;
    step.capture = options.capture;
    if (!call.values.empty()) step.actuation = Actuation{{}, targets, call.values};
    return step;
  }

  const std::shared_ptr<SceneActor> scene;
  Clock& clock;
  const ControlOptions options;

  // Set while the session is opened, by one after the other; not changed after.
  Clock::Duration max_wait{};
  CallControlPtr control;
  std::shared_ptr<const ActuatorTargets> targets;
  std::shared_ptr<const ActuatorTargets> released;
  Clock::Duration period{};

  Mutex mutex;
  std::function<void(const absl::Status&)> ended TALUS_GUARDED_BY(mutex);
  bool closed TALUS_GUARDED_BY(mutex) = false;
  int64_t under_way TALUS_GUARDED_BY(mutex) = 0;  // steps the scene was asked for
  Clock::TimePoint last_use TALUS_GUARDED_BY(mutex);
  // REAL_TIME.
  std::deque<Waiting> waiting TALUS_GUARDED_BY(mutex);
  bool ticking TALUS_GUARDED_BY(mutex) = false;  // the first request has come
  Clock::TimePoint next_tick TALUS_GUARDED_BY(mutex);
  int64_t tick TALUS_GUARDED_BY(mutex) = 0;
  int64_t missed TALUS_GUARDED_BY(mutex) = 0;
  int64_t missed_in_row TALUS_GUARDED_BY(mutex) = 0;
};

std::shared_ptr<ControlSession> ControlSession::Make(
    std::shared_ptr<SceneActor> scene, Clock& clock, ControlOptions options,
    std::function<void(const absl::Status&)> ended) {
  return std::shared_ptr<ControlSession>(new ControlSession(
      std::make_unique<Impl>(std::move(scene), clock, std::move(options), std::move(ended))));
}

ControlSession::ControlSession(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ControlSession::~ControlSession() = default;

void ControlSession::Open(Completion<ControlOpening> done) {
  absl::Status status = ValidateControl(impl_->options);
  if (status.ok() && impl_->scene->info().run.running) status = SceneRunningError();
  if (!status.ok()) {
    done(status);
    return;
  }
  impl_->max_wait = Clock::DurationOf(impl_->options.max_wait_s);
  const std::weak_ptr<ControlSession> weak = weak_from_this();
  const absl::StatusOr<std::string> lease = impl_->scene->TakeLease(
      {impl_->options.holder, impl_->options.take_over, [weak](const absl::Status& why) {
         if (const auto self = weak.lock()) self->End(why);
       }});
  if (!lease.ok()) {
    done(lease.status());
    return;
  }
  {
    // Somebody may have taken it over already, or the controller has left.
    MutexLock lock(impl_->mutex);
    if (impl_->closed) status = LeaseLostError("it ended before it was told");
    impl_->control = std::make_shared<CallControl>(Clock::TimePoint::max(), *lease);
  }
  if (!status.ok()) {
    impl_->scene->GiveBackLease(*lease);
    done(status);
    return;
  }
  impl_->scene->FindActuators(
      impl_->options.actuators, impl_->control,
      [self = shared_from_this(), done = std::move(done)](absl::StatusOr<ActuatorsAnswer> found) {
        if (found.ok()) {
          self->Begin(*found, done);
        } else {
          self->Close();
          done(found.status());
        }
      });
}

void ControlSession::Begin(const ActuatorsAnswer& found, const Completion<ControlOpening>& done) {
  Impl& impl = *impl_;
  impl.targets = std::make_shared<ActuatorTargets>(found.targets);
  impl.released = std::make_shared<ActuatorTargets>(FindReleased(found.targets));
  ControlOpening opening{found.info, found.layout, impl.control->lease(),
                         static_cast<int64_t>(found.targets.value_count), 0.0};
  const Clock::TimePoint now = impl.clock.Now();
  if (impl.options.real_time) {
    const double steps_s =
        static_cast<double>(impl.options.steps_per_tick) * found.info.settings.time_step_s;
    opening.period_s = impl.options.period_s.value_or(steps_s);
    // What the steps take has the bounds of what is given.
    const absl::Status valid = ValidatePeriod(opening.period_s);
    if (!valid.ok()) {
      Close();
      return done(valid);
    }
    impl.period = Clock::DurationOf(opening.period_s);
  }
  {
    MutexLock lock(impl.mutex);
    impl.last_use = now;
  }
  WatchSilence(now + impl.max_wait);
  done(std::move(opening));
}

void ControlSession::WatchSilence(Clock::TimePoint at) {
  impl_->clock.LookAt(at, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->EndWhenSilent();
  });
}

void ControlSession::EndWhenSilent() {
  Impl& impl = *impl_;
  const Clock::TimePoint now = impl.clock.Now();
  Clock::TimePoint next = now + impl.max_wait;
  {
    MutexLock lock(impl.mutex);
    // From the first tick on misses are counted instead.
    if (impl.closed || impl.ticking) return;
    if (impl.under_way == 0) next = impl.last_use + impl.max_wait;
  }
  if (next > now) {
    WatchSilence(next);
  } else {
    End(LeaseLostError("no request came for max_wait_s = " +
                       std::to_string(impl.options.max_wait_s)));
  }
}

void ControlSession::Submit(ControlCall call, Completion<ControlAnswer> done) {
  Impl& impl = *impl_;
  if (impl.options.real_time) {
    AwaitTick(std::move(call), std::move(done));
    return;
  }
  CallControlPtr control = impl.control;
  if (call.timeout_s.has_value()) {
    absl::Status valid = CheckPositive(FieldPath("timeout_s"), *call.timeout_s, 0.0, 86400.0);
    if (!valid.ok()) return done(valid);
    control = std::make_shared<CallControl>(impl.clock.Now() + Clock::DurationOf(*call.timeout_s),
                                            impl.control->lease(), impl.control);
  }
  {
    MutexLock lock(impl.mutex);
    ++impl.under_way;
  }
  StepCall step = impl.MakeStep(call);
  step.may_run_here = true;
  const std::shared_ptr<SceneActor> scene = impl.scene;
  scene->Step(
      std::move(step), control,
      [self = shared_from_this(), done = std::move(done)](absl::StatusOr<StepAnswer> stepped) {
        {
          MutexLock lock(self->impl_->mutex);
          --self->impl_->under_way;
          self->impl_->last_use = self->impl_->clock.Now();
        }
        if (!stepped.ok()) return done(stepped.status());
        done(ControlAnswer{*std::move(stepped), 0, 0, 0.0});
      });
  scene->PrepareStep();
}

void ControlSession::AwaitTick(ControlCall call, Completion<ControlAnswer> done) {
  Impl& impl = *impl_;
  absl::Status status;
  if (call.step_count != 1) {
    status = InvalidFieldError("step_count", std::to_string(call.step_count),
                               "must be unset under REAL_TIME pacing");
  } else if (call.timeout_s.has_value()) {
    status = InvalidFieldError("timeout_s", std::to_string(*call.timeout_s),
                               "must be unset under REAL_TIME pacing");
  }
  bool first = false;
  const Clock::TimePoint now = impl.clock.Now();
  if (status.ok()) {
    MutexLock lock(impl.mutex);
    if (impl.closed) {
      status = LeaseLostError("the session has ended");
    } else if (std::ssize(impl.waiting) >= impl.options.pipeline_depth) {
      status = PipelineFullError(impl.options.pipeline_depth);
    } else {
      impl.waiting.push_back({std::move(call), std::move(done)});
      first = !std::exchange(impl.ticking, true);
      if (first) impl.next_tick = now;
    }
  }
  if (!status.ok()) return done(status);
  if (first) Tick();
}

void ControlSession::Tick() {
  Impl& impl = *impl_;
  const Clock::TimePoint now = impl.clock.Now();
  Clock::TimePoint next;
  absl::Status end;
  std::optional<Impl::Waiting> command;
  TickTime time;
  bool steps = false;
  int64_t passed = 0;
  {
    MutexLock lock(impl.mutex);
    if (impl.closed) return;
    time.due = impl.next_tick;
    // Ticks nobody looked at, because the clock itself was late.
    passed = (now - time.due) / impl.period;
    time.due += passed * impl.period;
    impl.missed += passed;
    impl.tick += passed + 1;
    time.tick = impl.tick;
    impl.next_tick = next = time.due + impl.period;
    steps = impl.under_way == 0;
    if (!steps || impl.waiting.empty()) ++impl.missed;
    if (steps && impl.waiting.empty()) {
      ++impl.missed_in_row;
      if (impl.options.miss_policy == MissPolicy::kFail) {
        end = DeadlineMissedError(time.tick, impl.scene->info().step_index);
      } else if (impl.missed_in_row >= impl.options.most_misses) {
        end = LeaseLostError("no request came at " + std::to_string(impl.missed_in_row) +
                             " ticks in a row");
      }
    } else if (steps) {
      command.emplace(std::move(impl.waiting.front()));
      impl.waiting.pop_front();
      impl.missed_in_row = 0;
      time.missed = std::exchange(impl.missed, 0);
    }
    if (steps && end.ok()) ++impl.under_way;
  }
  if (passed > 0) TellOfMiss(passed, "PASSED " + std::to_string(passed), passed * impl.period);
  if (!command.has_value()) TellOfMiss(1, NameOf(impl.options.miss_policy), {});
  if (!end.ok()) return End(end);
  impl.clock.CallAt(next, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Tick();
  });
  if (command.has_value()) {
    StepAtTick(impl.MakeStep(command->call), time, std::move(command->done));
  } else if (steps) {
    StepAtTick(MakeMissedStep(), time, [](const absl::StatusOr<ControlAnswer>&) {});
  }
}

void ControlSession::TellOfMiss(int64_t count, std::string what, Clock::Duration late) {
  impl_->scene->CountMissedTicks(count);
  SceneEvent event;
  event.kind = EventKind::kDeadlineMissed;
  event.text = std::move(what);
  event.lateness_s = SteadySeconds(late).count();
  impl_->scene->PostEvent(std::move(event));
}

StepCall ControlSession::MakeMissedStep() const {
  StepCall step = impl_->MakeStep({});
  step.parts = {};
  if (impl_->options.miss_policy == MissPolicy::kZero) {
    step.actuation =
        Actuation{{}, impl_->released, std::vector<double>(impl_->released->value_count, 0.0)};
  }
  return step;
}

void ControlSession::StepAtTick(StepCall step, const TickTime& time,
                                Completion<ControlAnswer> done) {
  impl_->scene->Step(std::move(step), impl_->control,
                     [self = shared_from_this(), time,
                      done = std::move(done)](absl::StatusOr<StepAnswer> stepped) {
                       const Clock::TimePoint now = self->impl_->clock.Now();
                       {
                         MutexLock lock(self->impl_->mutex);
                         --self->impl_->under_way;
                       }
                       if (!stepped.ok()) return done(stepped.status());
                       done(ControlAnswer{*std::move(stepped), time.tick, time.missed,
                                          SteadySeconds(now - time.due).count()});
                     });
}

void ControlSession::Close() {
  std::function<void(const absl::Status&)> released;
  Finish(CancelledError(), released);
}

void ControlSession::End(const absl::Status& status) {
  std::function<void(const absl::Status&)> ended;
  if (Finish(status, ended) && ended) ended(status);
}

bool ControlSession::Finish(const absl::Status& status,
                            std::function<void(const absl::Status&)>& ended) {
  Impl& impl = *impl_;
  std::deque<Impl::Waiting> waiting;
  CallControlPtr control;
  {
    MutexLock lock(impl.mutex);
    if (impl.closed) return false;
    impl.closed = true;
    control = impl.control;
    ended = std::exchange(impl.ended, nullptr);
    waiting.swap(impl.waiting);
  }
  if (control != nullptr && FindErrorInfo(status).reason == ErrorReason::kLeaseLost) {
    SceneEvent event;
    event.kind = EventKind::kLeaseLost;
    event.text = impl.options.holder + ": " + std::string(status.message());
    impl.scene->PostEvent(std::move(event));
  }
  if (control != nullptr) {
    impl.scene->GiveBackLease(control->lease());  // first: what is under way is told of that
    control->Cancel();
  }
  for (Impl::Waiting& one : waiting) one.done(status);
  return true;
}

}  // namespace talus
