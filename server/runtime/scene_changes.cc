// What changes a scene: steps, additions, removals, updates, what drives it. The rest of the actor
// is in scene_actor.cc. Commands only run inside the actor's quantum, so its `impl` outlives them.
#include <optional>
#include <utility>

#include "server/runtime/scene_actor_parts.h"
#include "server/runtime/step_command.h"
#include "solver/base/status.h"

namespace talus {
namespace {

using Lane = Mailbox::Lane;

absl::Status CheckSteppable(HostedWorld& state) {
  const World& world = state.world();
  if (world.fault().empty()) return absl::OkStatus();
  return SceneFaultedError(world.fault(), world.step_index());
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

void SceneActor::Step(StepCall call, const CallControlPtr& control, Completion<StepAnswer> done) {
  absl::Status valid = ValidateStep(call, impl_->runtime.limits);
  if (!valid.ok()) {
    done(valid);
    return;
  }
  Waiter<StepAnswer> waiter{control, std::move(done), impl_->inbox.FindTerm(LeaseOf(control))};
  const bool brief = impl_->inbox.AreStepsShort(call.step_count);
  const bool here = call.may_run_here && brief;
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
  if (brief && impl_->runtime.awake_cores != nullptr) impl_->runtime.awake_cores->NoteStep();
}

void SceneActor::PrepareStep() {
  if (!impl_->inbox.AreStepsShort(1)) return;
  impl_->preparation_asked.store(true);
  MakeReady(true);
}

void SceneActor::AddBodies(AddBodiesCall call, const CallControlPtr& control,
                           Completion<AddBodiesAnswer> done) {
  if (absl::Status room = impl_->runtime.AdmitMemory(); !room.ok()) return done(room);
  Impl* const impl = impl_.get();
  SubmitSingle<AddBodiesAnswer>(
      Lane::kChanges, control, std::move(done),
      [call = std::move(call), impl](HostedWorld& state) -> absl::StatusOr<AddBodiesAnswer> {
        World& world = state.world();
        absl::Status status = CheckSteppable(state);
        if (status.ok()) {
          status = CheckBodyLimit(state.limits(), CountBodies(world),
                                  static_cast<int64_t>(call.bodies.size()), {});
        }
        if (!status.ok()) return status;
        auto added = world.AddModel(call.bodies, call.materials, call.joints);
        if (!added.ok()) return added.status();
        state.NoteChange([&] { return BodiesAdded{call.bodies, call.materials, call.joints}; });
        return AddBodiesAnswer{std::move(added->body_ids), std::move(added->joint_ids),
                               state.FindOrMakeLayout(), impl->MakeInfo()};
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

void SceneActor::UpdateBodies(std::vector<BodyUpdate> updates, const CallControlPtr& control,
                              Completion<SceneInfo> done) {
  Impl* const impl = impl_.get();
  SubmitSingle<SceneInfo>(
      Lane::kChanges, control, std::move(done),
      [updates = std::move(updates), impl](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
        absl::Status status = CheckSteppable(state);
        if (status.ok()) status = state.world().UpdateBodies(updates);
        if (!status.ok()) return status;
        state.NoteChange([&] { return BodiesUpdated{updates}; });
        return impl->MakeInfo();
      });
}

void SceneActor::AddEmitters(AddEmittersCall call, const CallControlPtr& control,
                             Completion<SceneInfo> done) {
  if (absl::Status room = impl_->runtime.AdmitMemory(); !room.ok()) return done(room);
  Impl* const impl = impl_.get();
  SubmitSingle<SceneInfo>(
      Lane::kChanges, control, std::move(done),
      [call = std::move(call), impl](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
        World& world = state.world();
        absl::Status status = CheckSteppable(state);
        if (status.ok()) {
          status = CheckBodyLimit(state.limits(), CountBodies(world), 0, call.emitters);
        }
        if (status.ok()) status = world.AddEmitters(call.emitters, call.materials);
        if (!status.ok()) return status;
        state.NoteChange([&] { return EmittersAdded{call.emitters, call.materials}; });
        return impl->MakeInfo();
      });
}

void SceneActor::RemoveEmitters(std::vector<std::string> names, const CallControlPtr& control,
                                Completion<SceneInfo> done) {
  Impl* const impl = impl_.get();
  SubmitSingle<SceneInfo>(
      Lane::kChanges, control, std::move(done),
      [names = std::move(names), impl](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
        absl::Status status = CheckSteppable(state);
        if (status.ok()) status = state.world().RemoveEmitters(names);
        if (!status.ok()) return status;
        state.NoteChange([&] { return EmittersRemoved{names}; });
        return impl->MakeInfo();
      });
}

void SceneActor::AddJoints(std::vector<JointDef> joints, const CallControlPtr& control,
                           Completion<AddJointsAnswer> done) {
  if (absl::Status room = impl_->runtime.AdmitMemory(); !room.ok()) return done(room);
  Impl* const impl = impl_.get();
  SubmitSingle<AddJointsAnswer>(
      Lane::kChanges, control, std::move(done),
      [joints = std::move(joints), impl](HostedWorld& state) -> absl::StatusOr<AddJointsAnswer> {
        absl::Status status = CheckSteppable(state);
        if (!status.ok()) return status;
        auto ids = state.world().AddJoints(joints);
        if (!ids.ok()) return ids.status();
        state.NoteChange([&] { return JointsAdded{joints}; });
        return AddJointsAnswer{*std::move(ids), impl->MakeInfo()};
      });
}

void SceneActor::RemoveJoints(RemoveJointsCall call, const CallControlPtr& control,
                              Completion<SceneInfo> done) {
  Impl* const impl = impl_.get();
  SubmitSingle<SceneInfo>(
      Lane::kChanges, control, std::move(done),
      [call = std::move(call), impl](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
        absl::Status status = CheckSteppable(state);
        if (status.ok()) status = state.world().RemoveJoints(call.joint_ids, call.joint_names);
        if (!status.ok()) return status;
        state.NoteChange([&] { return JointsRemoved{call.joint_ids, call.joint_names}; });
        return impl->MakeInfo();
      });
}

void SceneActor::Restore(World world, const CallControlPtr& control, Completion<SceneInfo> done) {
  // std::function wants copyable contents; a World can only be moved.
  auto restored = std::make_shared<World>(std::move(world));
  Impl* const impl = impl_.get();
  SubmitSingle<SceneInfo>(Lane::kChanges, control, std::move(done),
                          [restored, impl](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
                            absl::Status status =
                                CheckBodyLimit(state.limits(), CountBodies(*restored), 0, {});
                            if (!status.ok()) return status;
                            state.Restore(std::move(*restored));
                            state.free_run().SetTimeStep(state.world().settings().time_step_s,
                                                         impl->runtime.clock.Now());
                            return impl->MakeInfo();
                          });
}

absl::Status SceneActor::AdmitRestore(const CallControlPtr& control) const {
  absl::Status room = impl_->runtime.AdmitMemory();
  return room.ok() ? impl_->inbox.AdmitChange(LeaseOf(control)) : room;
}

void SceneActor::Actuate(Actuation call, const CallControlPtr& control,
                         Completion<SceneInfo> done) {
  Impl* const impl = impl_.get();
  SubmitSingle<SceneInfo>(
      Lane::kChanges, control, std::move(done),
      [call = std::move(call), impl](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
        absl::Status status = CheckSteppable(state);
        if (status.ok()) status = state.Actuate(call);
        if (!status.ok()) return status;
        state.KeepActuation();
        return impl->MakeInfo();
      });
}

void SceneActor::Run(RunCall call, const CallControlPtr& control, Completion<SceneInfo> done) {
  if (absl::Status valid = ValidateRun(call); !valid.ok()) {
    done(valid);
    return;
  }
  Impl* const impl = impl_.get();
  SubmitSingle<SceneInfo>(Lane::kChanges, control, std::move(done),
                          [call, impl](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
                            absl::Status status = CheckSteppable(state);
                            if (!status.ok()) return status;
                            state.free_run().Start(call, state.world().settings().time_step_s,
                                                   impl->runtime.clock.Now());
                            return impl->MakeInfo();
                          });
}

void SceneActor::Pause(const CallControlPtr& control, Completion<SceneInfo> done) {
  Impl* const impl = impl_.get();
  SubmitSingle<SceneInfo>(Lane::kChanges, control, std::move(done),
                          [impl](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
                            state.free_run().Stop();
                            return impl->MakeInfo();
                          });
}

void SceneActor::Reset(ResetCall call, const CallControlPtr& control, Completion<SceneInfo> done) {
  Impl* const impl = impl_.get();
  SubmitSingle<SceneInfo>(Lane::kChanges, control, std::move(done),
                          [call, impl](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
                            absl::Status status = state.Reset(call);
                            if (!status.ok()) return status;
                            state.free_run().Stop();
                            return impl->MakeInfo();
                          });
}

absl::StatusOr<std::string> SceneActor::TakeLease(LeaseCall call) {
  return impl_->inbox.TakeLease(std::move(call));
}

void SceneActor::GiveBackLease(std::string_view token) { impl_->inbox.GiveBackLease(token); }

void SceneActor::FindActuators(std::vector<ActuatorDef> actuators, const CallControlPtr& control,
                               Completion<ActuatorsAnswer> done) {
  Impl* const impl = impl_.get();
  SubmitSingle<ActuatorsAnswer>(
      Lane::kReads, control, std::move(done),
      [actuators = std::move(actuators),
       impl](HostedWorld& state) -> absl::StatusOr<ActuatorsAnswer> {
        absl::StatusOr<ActuatorTargets> targets = state.world().FindActuators(actuators);
        if (!targets.ok()) return targets.status();
        return ActuatorsAnswer{*std::move(targets), impl->MakeInfo(), state.FindOrMakeLayout()};
      });
}

}  // namespace talus
