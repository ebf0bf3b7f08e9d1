#include "server/runtime/scene_actor.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "server/runtime/mailbox.h"
#include "server/runtime/scene_inbox.h"
#include "server/runtime/scene_turn.h"
#include "server/runtime/single_command.h"
#include "server/runtime/step_command.h"
#include "server/session/error.h"
#include "solver/base/status.h"

namespace talus {
namespace {

using Lane = Mailbox::Lane;

absl::Status CheckSteppable(HostedWorld& state) {
  const World& world = state.world();
  if (world.fault().empty()) return absl::OkStatus();
  return SceneFaultedError(world.fault(), world.step_index());
}

std::string_view LeaseOf(const CallControlPtr& control) {
  return control == nullptr ? std::string_view() : std::string_view(control->lease());
}

SceneSnapshot SnapshotOf(const World& world) {
  return {world.step_index(), world.state_hash(), world.SaveSnapshot()};
}

absl::Status ValidateStep(const StepCall& call, const Limits& limits) {
  if (call.step_count < 1) {
    return InvalidFieldError("step_count", std::to_string(call.step_count), "must be >= 1");
  }
  if (call.step_count > limits.steps_per_call) {
    return LimitError("steps_per_call", limits.steps_per_call, call.step_count);
  }
  if (call.until.has_value()) TALUS_RETURN_IF_ERROR(ValidateStopCondition(*call.until));
  return ValidateRequestId(call.request_id);
}

}  // namespace

std::shared_ptr<SceneActor> SceneActor::Make(std::string id, World world,
                                             const SceneRuntime& runtime) {
  return std::shared_ptr<SceneActor>(new SceneActor(std::move(id), std::move(world), runtime));
}

struct SceneActor::Impl {
  Impl(const std::string& scene_id, World world, const SceneRuntime& scene_runtime)
      : id(scene_id),
        runtime(scene_runtime),
        inbox(runtime.limits.mailbox_depth, MakeSceneInfo(id, world, world.layout_version())),
        hub(runtime.limits.watchers_per_scene),
        events(runtime.limits.watchers_per_scene),
        state(id, std::move(world), runtime.limits, runtime.statistics) {}

  // A scene that is let go without having been ended still answers everybody.
  ~Impl() {
    const absl::Status status = SceneDeletedError();
    if (current != nullptr) current->Fail(status);
    for (auto& command : inbox.TakeAll()) command->Fail(status);
    hub.End(status);
    events.End(status);
    state.EndRecorders(status);
  }

  const std::string id;
  const SceneRuntime runtime;
  SceneInbox inbox;
  Hub hub;
  EventHub events;
  // Touched inside the actor's quanta only.
  HostedWorld state;
  EventDetector detector{events};
  std::unique_ptr<Command> current;
};

SceneActor::SceneActor(std::string id, World world, const SceneRuntime& runtime)
    : impl_(std::make_unique<Impl>(id, std::move(world), runtime)) {}

SceneActor::~SceneActor() = default;

void SceneActor::MakeReady(bool here) {
  Executor& executor = impl_->runtime.executor;
  if (here ? executor.RunHere(shared_from_this()) : executor.MakeReady(shared_from_this())) return;
  // The executor has stopped: the server is ending, and what just came in would wait for ever.
  for (auto& command : impl_->inbox.TakeAll()) command->Fail(DrainingError());
  for (const auto& ended : impl_->inbox.TakeEnded()) ended();
}

template <typename T>
void SceneActor::SubmitSingle(Mailbox::Lane lane, const CallControlPtr& control, Completion<T> done,
                              std::function<absl::StatusOr<T>(HostedWorld&)> work) {
  Waiter<T> waiter{control, std::move(done)};
  auto command = std::make_unique<SingleCommand<T>>(std::move(waiter), std::move(work));
  if (impl_->inbox.Submit(lane, std::move(command), LeaseOf(control))) MakeReady();
}

void SceneActor::Step(StepCall call, const CallControlPtr& control, Completion<StepAnswer> done) {
  absl::Status valid = ValidateStep(call, impl_->runtime.limits);
  if (!valid.ok()) {
    done(valid);
    return;
  }
  Waiter<StepAnswer> waiter{control, std::move(done)};
  const bool here = call.may_run_here && impl_->inbox.AreStepsShort(call.step_count);
  bool has_work = false;
  if (!call.request_id.empty()) {
    has_work = impl_->inbox.SubmitRepeatable(std::move(call), std::move(waiter));
  } else {
    auto answer = std::make_shared<SharedAnswer<StepAnswer>>();
    answer->Join(std::move(waiter));
    has_work = impl_->inbox.Submit(
        Lane::kChanges, std::make_unique<StepCommand>(std::move(call), std::move(answer), [] {}),
        LeaseOf(control));
  }
  if (has_work) MakeReady(here);
}

void SceneActor::AddBodies(AddBodiesCall call, const CallControlPtr& control,
                           Completion<AddBodiesAnswer> done) {
  SubmitSingle<AddBodiesAnswer>(
      Lane::kChanges, control, std::move(done),
      [call = std::move(call)](HostedWorld& state) -> absl::StatusOr<AddBodiesAnswer> {
        World& world = state.world();
        absl::Status status = CheckSteppable(state);
        if (status.ok()) {
          status = CheckBodyLimit(state.limits(), CountBodies(world),
                                  static_cast<int64_t>(call.bodies.size()), {});
        }
        if (!status.ok()) return status;
        auto ids = world.AddBodies(call.bodies, call.materials);
        if (!ids.ok()) return ids.status();
        state.NoteChange([&] { return BodiesAdded{call.bodies, call.materials}; });
        return AddBodiesAnswer{*std::move(ids), state.FindOrMakeLayout()};
      });
}

void SceneActor::RemoveBodies(RemoveBodiesCall call, const CallControlPtr& control,
                              Completion<std::shared_ptr<const Layout>> done) {
  SubmitSingle<std::shared_ptr<const Layout>>(
      Lane::kChanges, control, std::move(done),
      [call =
           std::move(call)](HostedWorld& state) -> absl::StatusOr<std::shared_ptr<const Layout>> {
        absl::Status status = CheckSteppable(state);
        if (status.ok()) status = state.world().RemoveBodies(call.body_ids, call.body_names);
        if (!status.ok()) return status;
        state.NoteChange([&] { return BodiesRemoved{call.body_ids, call.body_names}; });
        return state.FindOrMakeLayout();
      });
}

void SceneActor::AddEmitters(AddEmittersCall call, const CallControlPtr& control,
                             Completion<SceneInfo> done) {
  SubmitSingle<SceneInfo>(
      Lane::kChanges, control, std::move(done),
      [call = std::move(call)](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
        World& world = state.world();
        absl::Status status = CheckSteppable(state);
        if (status.ok()) {
          status = CheckBodyLimit(state.limits(), CountBodies(world), 0, call.emitters);
        }
        if (status.ok()) status = world.AddEmitters(call.emitters, call.materials);
        if (!status.ok()) return status;
        state.NoteChange([&] { return EmittersAdded{call.emitters, call.materials}; });
        return state.MakeInfo();
      });
}

void SceneActor::RemoveEmitters(std::vector<std::string> names, const CallControlPtr& control,
                                Completion<SceneInfo> done) {
  SubmitSingle<SceneInfo>(
      Lane::kChanges, control, std::move(done),
      [names = std::move(names)](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
        absl::Status status = CheckSteppable(state);
        if (status.ok()) status = state.world().RemoveEmitters(names);
        if (!status.ok()) return status;
        state.NoteChange([&] { return EmittersRemoved{names}; });
        return state.MakeInfo();
      });
}

void SceneActor::AddJoints(std::vector<JointDef> joints, const CallControlPtr& control,
                           Completion<AddJointsAnswer> done) {
  SubmitSingle<AddJointsAnswer>(
      Lane::kChanges, control, std::move(done),
      [joints = std::move(joints)](HostedWorld& state) -> absl::StatusOr<AddJointsAnswer> {
        absl::Status status = CheckSteppable(state);
        if (!status.ok()) return status;
        auto ids = state.world().AddJoints(joints);
        if (!ids.ok()) return ids.status();
        state.NoteChange([&] { return JointsAdded{joints}; });
        return AddJointsAnswer{*std::move(ids), state.MakeInfo()};
      });
}

void SceneActor::RemoveJoints(RemoveJointsCall call, const CallControlPtr& control,
                              Completion<SceneInfo> done) {
  SubmitSingle<SceneInfo>(
      Lane::kChanges, control, std::move(done),
      [call = std::move(call)](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
        absl::Status status = CheckSteppable(state);
        if (status.ok()) status = state.world().RemoveJoints(call.joint_ids, call.joint_names);
        if (!status.ok()) return status;
        state.NoteChange([&] { return JointsRemoved{call.joint_ids, call.joint_names}; });
        return state.MakeInfo();
      });
}

void SceneActor::Restore(World world, const CallControlPtr& control, Completion<SceneInfo> done) {
  // std::function wants copyable contents; a World can only be moved.
  auto restored = std::make_shared<World>(std::move(world));
  SubmitSingle<SceneInfo>(Lane::kChanges, control, std::move(done),
                          [restored](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
                            absl::Status status =
                                CheckBodyLimit(state.limits(), CountBodies(*restored), 0, {});
                            if (!status.ok()) return status;
                            state.Restore(std::move(*restored));
                            return state.MakeInfo();
                          });
}

void SceneActor::Actuate(Actuation call, const CallControlPtr& control,
                         Completion<SceneInfo> done) {
  SubmitSingle<SceneInfo>(
      Lane::kChanges, control, std::move(done),
      [call = std::move(call)](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
        absl::Status status = CheckSteppable(state);
        if (status.ok()) status = state.Actuate(call);
        if (!status.ok()) return status;
        return state.MakeInfo();
      });
}

void SceneActor::Run(RunCall call, const CallControlPtr& control, Completion<SceneInfo> done) {
  if (absl::Status valid = ValidateRun(call); !valid.ok()) {
    done(valid);
    return;
  }
  // The command only runs inside this actor's quantum, so `impl` outlives it.
  Impl* const impl = impl_.get();
  SubmitSingle<SceneInfo>(Lane::kChanges, control, std::move(done),
                          [call, impl](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
                            absl::Status status = CheckSteppable(state);
                            if (!status.ok()) return status;
                            state.free_run().Start(call, state.world().settings().time_step_s,
                                                   impl->runtime.clock.Now());
                            return state.MakeInfo();
                          });
}

void SceneActor::Pause(const CallControlPtr& control, Completion<SceneInfo> done) {
  SubmitSingle<SceneInfo>(Lane::kChanges, control, std::move(done),
                          [](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
                            state.free_run().Stop();
                            return state.MakeInfo();
                          });
}

void SceneActor::Reset(ResetCall call, const CallControlPtr& control, Completion<SceneInfo> done) {
  SubmitSingle<SceneInfo>(Lane::kChanges, control, std::move(done),
                          [call](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
                            absl::Status status = state.Reset(call);
                            if (!status.ok()) return status;
                            state.free_run().Stop();
                            return state.MakeInfo();
                          });
}

absl::StatusOr<std::string> SceneActor::TakeLease(LeaseCall call) {
  return impl_->inbox.TakeLease(std::move(call));
}

void SceneActor::GiveBackLease(std::string_view token) { impl_->inbox.GiveBackLease(token); }

void SceneActor::FindActuators(std::vector<ActuatorDef> actuators, const CallControlPtr& control,
                               Completion<ActuatorsAnswer> done) {
  SubmitSingle<ActuatorsAnswer>(
      Lane::kReads, control, std::move(done),
      [actuators = std::move(actuators)](HostedWorld& state) -> absl::StatusOr<ActuatorsAnswer> {
        absl::StatusOr<ActuatorTargets> targets = state.world().FindActuators(actuators);
        if (!targets.ok()) return targets.status();
        return ActuatorsAnswer{*std::move(targets), state.MakeInfo(), state.FindOrMakeLayout()};
      });
}

void SceneActor::Read(ReadCall call, const CallControlPtr& control, Completion<ReadAnswer> done) {
  // The command only runs inside this actor's quantum, so `impl` outlives it.
  Impl* const impl = impl_.get();
  SubmitSingle<ReadAnswer>(Lane::kReads, control, std::move(done),
                           [call, impl](HostedWorld& state) -> absl::StatusOr<ReadAnswer> {
                             ReadAnswer answer;
                             answer.frame = state.FindOrMakeFrame(call.parts);
                             answer.info = state.MakeInfo();
                             if (call.energy) answer.energy = state.world().ComputeEnergy();
                             if (call.problem) answer.problem = state.world().kept_problem();
                             if (call.joints) answer.joints = state.world().Joints();
                             answer.mailbox_depth = impl->inbox.CountWaiting();
                             answer.watcher_count = impl->hub.CountWatchers();
                             return answer;
                           });
}

void SceneActor::TakeSnapshot(const CallControlPtr& control, Completion<SceneSnapshot> done) {
  SubmitSingle<SceneSnapshot>(Lane::kReads, control, std::move(done),
                              [](HostedWorld& state) -> absl::StatusOr<SceneSnapshot> {
                                return SnapshotOf(state.world());
                              });
}

void SceneActor::Fork(int count, const CallControlPtr& control,
                      Completion<std::vector<World>> done) {
  SubmitSingle<std::vector<World>>(
      Lane::kReads, control, std::move(done),
      [count](HostedWorld& state) -> absl::StatusOr<std::vector<World>> {
        std::vector<World> forks;
        for (int index = 0; index < count; ++index) forks.push_back(state.world().Fork());
        return forks;
      });
}

void SceneActor::Record(std::shared_ptr<SceneRecorder> recorder, const CallControlPtr& control,
                        Completion<SceneInfo> done) {
  SubmitSingle<SceneInfo>(Lane::kReads, control, std::move(done),
                          [recorder](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
                            const int64_t limit = state.limits().recordings_per_scene;
                            const int64_t count = state.CountRecorders();
                            if (count >= limit) {
                              return LimitError("recordings_per_scene", limit, count + 1);
                            }
                            state.AddRecorder(recorder);
                            return state.MakeInfo();
                          });
}

absl::StatusOr<SubscriptionPtr> SceneActor::Watch(const WatchOptions& options,
                                                  std::function<void()> notify) {
  auto subscription = impl_->hub.Subscribe(options, std::move(notify), [weak = weak_from_this()] {
    if (const std::shared_ptr<SceneActor> self = weak.lock()) self->MakeReady();
  });
  if (subscription.ok()) MakeReady();
  return subscription;
}

absl::StatusOr<EventSubscriptionPtr> SceneActor::WatchEvents(const EventWatchOptions& options,
                                                             std::function<void()> notify) {
  auto subscription = impl_->events.Subscribe(options, std::move(notify));
  if (subscription.ok()) MakeReady();
  return subscription;
}

void SceneActor::PostEvent(SceneEvent event) {
  if (!impl_->events.watched()) return;
  if (event.step_index < 0) event.step_index = impl_->inbox.info().step_index;
  impl_->events.Post(std::move(event));
}

SceneInfo SceneActor::info() const { return impl_->inbox.info(); }

SceneLoad SceneActor::load() const {
  const SceneInfo now = info();
  const int64_t waiting = impl_->inbox.CountWaiting();
  return {.scenes = 1,
          .faulted = now.fault.empty() ? 0 : 1,
          .bodies = now.body_count,
          .joints = now.joint_count,
          .watchers = impl_->hub.CountWatchers(),
          .waiting = waiting,
          .most_waiting = waiting};
}

const std::string& SceneActor::id() const { return impl_->id; }

void SceneActor::Delete(std::function<void()> ended) {
  impl_->inbox.End(SceneInbox::Life::kDeleted, std::move(ended));
  MakeReady();
}

void SceneActor::Drain(std::function<void()> ended) {
  impl_->inbox.End(SceneInbox::Life::kDraining, std::move(ended));
  MakeReady();
}

void SceneActor::TakeLastSnapshot(Completion<SceneSnapshot> done) {
  // What a drained scene is left to do runs inside its quantum, where the state may be read.
  Drain([impl = impl_.get(), done = std::move(done)] {
    if (impl->inbox.life() == SceneInbox::Life::kDeleted) {
      done(SceneDeletedError());
    } else {
      done(SnapshotOf(impl->state.world()));
    }
  });
}

bool SceneActor::RunQuantum(ArenaCache& arenas, bool guest) {
  // Long enough for what was expected to be short; what comes in meanwhile is for the executor.
  constexpr Clock::Duration kGuestQuantum = std::chrono::microseconds(100);
  const Clock::Duration quantum = guest ? kGuestQuantum : impl_->runtime.quantum;
  SceneTurn turn({impl_->runtime, impl_->inbox, impl_->hub, impl_->events, impl_->detector,
                  impl_->state, impl_->current},
                 arenas, quantum);
  const bool more = turn.Run();
  // A scene at rest wakes up to send its last state to watchers whose pace held it back.
  if (!more && turn.due_at().has_value() && impl_->inbox.PlanWakeUp(*turn.due_at())) {
    impl_->runtime.clock.CallAt(*turn.due_at(), [weak = weak_from_this()] {
      const std::shared_ptr<SceneActor> self = weak.lock();
      if (self == nullptr) return;
      self->impl_->inbox.NoteWakeUp();
      self->MakeReady();
    });
  }
  return more;
}

}  // namespace talus
