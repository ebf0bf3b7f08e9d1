#include "server/runtime/environment_session.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "server/session/error.h"
#include "solver/base/mutex.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"

namespace talus {
namespace {

constexpr FrameParts kAllParts{
    .positions = true, .orientations = true, .velocities = true, .report = true};

absl::Status ValidateEnvironment(const EnvironmentOptions& options) {
  constexpr int64_t kLongestSequence = int64_t{1} << 53;
  TALUS_RETURN_IF_ERROR(CheckRange(FieldPath("settings[max_wait_s]"), options.max_wait_s, 1e-3,
                                   options.longest_wait_s));
  TALUS_RETURN_IF_ERROR(
      CheckPositive(FieldPath("settings[force_limit]"), options.bounds.force, 0.0, 1e15));
  TALUS_RETURN_IF_ERROR(
      CheckPositive(FieldPath("settings[speed_limit]"), options.bounds.speed, 0.0, 1e6));
  TALUS_RETURN_IF_ERROR(CheckRange(FieldPath("settings[sequence_steps]"), options.sequence_steps, 0,
                                   kLongestSequence));
  if (options.end.has_value()) TALUS_RETURN_IF_ERROR(ValidateStopCondition(*options.end));
  return absl::OkStatus();
}

// A condition that names nobody would end the first step instead of the sequence.
absl::Status CheckBodies(const ContactCondition& contact, const Layout& layout) {
  int place = 0;
  for (const std::string& name : {contact.body_a, contact.body_b}) {
    if (!name.empty() && std::ranges::count(layout.body_names, name) == 0) {
      return NotFoundError("settings[end_on_contact][" + std::to_string(place) + "]", name);
    }
    ++place;
  }
  return absl::OkStatus();
}

}  // namespace

struct EnvironmentSession::Impl {
  Impl(std::shared_ptr<SceneActor> actor, Clock& used_clock, EnvironmentOptions chosen)
      : scene(std::move(actor)), clock(used_clock), options(std::move(chosen)) {}

  const std::shared_ptr<SceneActor> scene;
  Clock& clock;
  const EnvironmentOptions options;
  CallControlPtr control;  // set by Join

  // Of the one call at a time.
  EnvironmentWorldPtr world;
  ActuatorTargets targets;
  bool running = false;
  bool fresh = true;  // joined or reset, and not stepped since
  int64_t sequence_steps = 0;

  Mutex mutex;
  absl::Status lost TALUS_GUARDED_BY(mutex);  // not OK: the lease has ended
  bool busy TALUS_GUARDED_BY(mutex) = false;
  Clock::TimePoint last_use TALUS_GUARDED_BY(mutex);
};

std::shared_ptr<EnvironmentSession> EnvironmentSession::Make(std::shared_ptr<SceneActor> scene,
                                                             Clock& clock,
                                                             EnvironmentOptions options) {
  return std::shared_ptr<EnvironmentSession>(
      new EnvironmentSession(std::make_unique<Impl>(std::move(scene), clock, std::move(options))));
}

EnvironmentSession::EnvironmentSession(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

EnvironmentSession::~EnvironmentSession() = default;

const std::string& EnvironmentSession::scene_id() const { return impl_->scene->id(); }

bool EnvironmentSession::running() const { return impl_->running; }

absl::Status EnvironmentSession::Begin() {
  MutexLock lock(impl_->mutex);
  if (!impl_->lost.ok()) return impl_->lost;
  impl_->busy = true;
  return absl::OkStatus();
}

void EnvironmentSession::End() {
  MutexLock lock(impl_->mutex);
  impl_->busy = false;
  impl_->last_use = impl_->clock.Now();
}

void EnvironmentSession::Join(Completion<EnvironmentWorldPtr> done) {
  absl::Status status = ValidateEnvironment(impl_->options);
  if (status.ok() && impl_->scene->info().run.running) status = SceneRunningError();
  if (!status.ok()) return done(status);
  const std::weak_ptr<EnvironmentSession> weak = weak_from_this();
  const absl::StatusOr<std::string> lease =
      impl_->scene->TakeLease({impl_->options.holder, false, [weak](const absl::Status& why) {
                                 if (const auto self = weak.lock()) self->Lose(why);
                               }});
  if (!lease.ok()) return done(lease.status());
  {
    MutexLock lock(impl_->mutex);
    impl_->control = std::make_shared<CallControl>(Clock::TimePoint::max(), *lease);
    status = impl_->lost;
  }
  if (!status.ok()) {
    impl_->scene->GiveBackLease(*lease);
    return done(status);
  }
  Describe([self = shared_from_this(),
            done = std::move(done)](const absl::StatusOr<EnvironmentWorldPtr>& world) {
    if (!world.ok()) {
      self->Leave();
      return done(world.status());
    }
    self->End();
    self->WatchSilence(self->impl_->clock.Now() +
                       Clock::DurationOf(self->impl_->options.max_wait_s));
    done(*world);
  });
}

void EnvironmentSession::Describe(Completion<EnvironmentWorldPtr> done) {
  impl_->scene->Read(
      {.parts = {}, .joints = true}, impl_->control,
      [self = shared_from_this(), done = std::move(done)](absl::StatusOr<ReadAnswer> read) {
        if (!read.ok()) return done(read.status());
        const EnvironmentOptions& options = self->impl_->options;
        auto world = std::make_shared<EnvironmentWorld>();
        world->layout = read->frame->layout;
        world->joints = std::move(read->joints);
        if (options.end.has_value() && options.end->contact.has_value()) {
          const absl::Status status = CheckBodies(*options.end->contact, *world->layout);
          if (!status.ok()) return done(status);
        }
        if (options.actions.has_value()) {
          for (const std::string& name : *options.actions) {
            auto action = ParseAction(name, options.bounds, "settings[actions]");
            if (!action.ok()) return done(action.status());
            world->actions.push_back(*std::move(action));
          }
        } else {
          auto actions =
              ListActions(*world->layout, world->joints, read->joint_defs, options.bounds);
          if (!actions.ok()) return done(actions.status());
          world->actions = *std::move(actions);
        }
        self->FindTargets(std::move(world), done);
      });
}

void EnvironmentSession::FindTargets(std::shared_ptr<EnvironmentWorld> world,
                                     Completion<EnvironmentWorldPtr> done) {
  std::vector<ActuatorDef> actuators;
  actuators.reserve(world->actions.size());
  for (const EnvironmentAction& action : world->actions) actuators.push_back(action.actuator);
  impl_->scene->FindActuators(std::move(actuators), impl_->control,
                              [self = shared_from_this(), world,
                               done = std::move(done)](absl::StatusOr<ActuatorsAnswer> found) {
                                if (!found.ok()) return done(found.status());
                                self->impl_->targets = std::move(found->targets);
                                self->impl_->world = world;
                                done(EnvironmentWorldPtr(world));
                              });
}

void EnvironmentSession::Step(std::vector<EnvironmentAct> acts, bool joints,
                              Completion<EnvironmentMoment> done) {
  if (absl::Status status = Begin(); !status.ok()) return done(status);
  Completion<EnvironmentMoment> ending = [self = shared_from_this(), done = std::move(done)](
                                             absl::StatusOr<EnvironmentMoment> moment) {
    self->End();
    done(std::move(moment));
  };
  if (impl_->running) {
    Advance(acts, joints, std::move(ending));
  } else if (impl_->fresh) {
    Observe(joints, std::move(ending));
  } else {
    Restart(joints, std::move(ending));
  }
}

void EnvironmentSession::Observe(bool joints, Completion<EnvironmentMoment> done) {
  impl_->scene->Read(
      {.parts = kAllParts, .energy = true, .joints = joints}, impl_->control,
      [self = shared_from_this(), done = std::move(done)](absl::StatusOr<ReadAnswer> read) {
        if (!read.ok()) return done(read.status());
        self->impl_->running = true;
        self->impl_->fresh = false;
        self->impl_->sequence_steps = 0;
        done(EnvironmentMoment{SequenceState::kRunning, std::move(read->frame), read->energy,
                               std::move(read->joints)});
      });
}

void EnvironmentSession::Restart(bool joints, Completion<EnvironmentMoment> done) {
  impl_->scene->Reset({}, impl_->control,
                      [self = shared_from_this(), joints,
                       done = std::move(done)](const absl::StatusOr<SceneInfo>& info) {
                        if (!info.ok()) return done(info.status());
                        // The agent goes by what it was told when it joined, so that is what is
                        // found again.
                        self->FindTargets(
                            std::make_shared<EnvironmentWorld>(*self->impl_->world),
                            [self, joints, done](const absl::StatusOr<EnvironmentWorldPtr>& world) {
                              if (!world.ok()) return done(world.status());
                              self->impl_->fresh = true;
                              self->Observe(joints, done);
                            });
                      });
}

void EnvironmentSession::Advance(const std::vector<EnvironmentAct>& acts, bool joints,
                                 Completion<EnvironmentMoment> done) {
  StepCall step;
  step.step_count = impl_->options.steps_per_action;
  step.until = impl_->options.end;
  step.parts = kAllParts;
  step.may_run_here = true;
  if (!acts.empty()) {
    auto targets = std::make_shared<ActuatorTargets>();
    Actuation actuation;
    for (const EnvironmentAct& act : acts) {
      targets->targets.push_back(impl_->targets.targets[act.action]);
      actuation.values.insert(actuation.values.end(), act.values.begin(), act.values.end());
    }
    targets->value_count = actuation.values.size();
    actuation.targets = std::move(targets);
    step.actuation = std::move(actuation);
  }
  const std::shared_ptr<SceneActor> scene = impl_->scene;
  scene->Step(std::move(step), impl_->control,
              [self = shared_from_this(), joints,
               done = std::move(done)](const absl::StatusOr<StepAnswer>& answer) {
                if (!answer.ok()) return done(answer.status());
                self->Conclude(*answer, joints, done);
              });
  scene->PrepareStep();
}

void EnvironmentSession::Conclude(const StepAnswer& answer, bool joints,
                                  Completion<EnvironmentMoment> done) {
  Impl& impl = *impl_;
  ++impl.sequence_steps;
  EnvironmentMoment moment{SequenceState::kRunning, answer.frame, answer.frame->report.energy, {}};
  if (answer.stop != StopReason::kNone) {
    moment.state = SequenceState::kTerminated;
  } else if (impl.options.sequence_steps > 0 &&
             impl.sequence_steps >= impl.options.sequence_steps) {
    moment.state = SequenceState::kInterrupted;
  }
  impl.running = moment.state == SequenceState::kRunning;
  if (!joints) return done(std::move(moment));
  impl.scene->Read({.parts = {}, .joints = true}, impl.control,
                   [moment, done = std::move(done)](absl::StatusOr<ReadAnswer> read) mutable {
                     if (!read.ok()) return done(read.status());
                     moment.joints = std::move(read->joints);
                     done(std::move(moment));
                   });
}

void EnvironmentSession::Reset(Completion<EnvironmentWorldPtr> done) {
  if (absl::Status status = Begin(); !status.ok()) return done(status);
  Completion<EnvironmentWorldPtr> ending = [self = shared_from_this(), done = std::move(done)](
                                               const absl::StatusOr<EnvironmentWorldPtr>& world) {
    self->End();
    done(world);
  };
  if (impl_->fresh) return ending(impl_->world);
  impl_->scene->Reset({}, impl_->control,
                      [self = shared_from_this(), ending](const absl::StatusOr<SceneInfo>& info) {
                        if (!info.ok()) return ending(info.status());
                        self->impl_->running = false;
                        self->impl_->fresh = true;
                        self->Describe(ending);
                      });
}

void EnvironmentSession::Leave() {
  CallControlPtr control;
  {
    MutexLock lock(impl_->mutex);
    if (impl_->lost.ok()) impl_->lost = LeaseLostError("the agent has left");
    control = impl_->control;
  }
  if (control == nullptr) return;
  impl_->scene->GiveBackLease(control->lease());  // first: what is under way is told of that
  control->Cancel();
}

void EnvironmentSession::Lose(const absl::Status& why) {
  MutexLock lock(impl_->mutex);
  if (impl_->lost.ok()) impl_->lost = why;
}

void EnvironmentSession::WatchSilence(Clock::TimePoint at) {
  impl_->clock.LookAt(at, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->LeaveWhenSilent();
  });
}

void EnvironmentSession::LeaveWhenSilent() {
  Impl& impl = *impl_;
  const Clock::Duration max_wait = Clock::DurationOf(impl.options.max_wait_s);
  const Clock::TimePoint now = impl.clock.Now();
  Clock::TimePoint next = now + max_wait;
  {
    MutexLock lock(impl.mutex);
    if (!impl.lost.ok()) return;
    if (!impl.busy) next = impl.last_use + max_wait;
    if (next <= now) {
      impl.lost = LeaseLostError("no request came for max_wait_s = " +
                                 std::to_string(impl.options.max_wait_s));
    }
  }
  if (next > now) return WatchSilence(next);
  Leave();
}

}  // namespace talus
