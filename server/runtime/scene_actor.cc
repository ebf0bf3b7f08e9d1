#include "server/runtime/scene_actor.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "server/runtime/scene_actor_parts.h"
#include "server/runtime/scene_turn.h"
#include "server/runtime/waiter.h"
#include "server/session/error.h"
#include "solver/base/status.h"

namespace talus {
namespace {

using Lane = Mailbox::Lane;

SceneSnapshot SnapshotOf(const World& world) {
  return {world.step_index(), world.state_hash(), world.SaveSnapshot()};
}

// Rays among bodies that all overlap may take seconds: who no longer waits for them is told so.
absl::StatusOr<std::vector<RayHit>> CastRaysFor(const CallControlPtr& control, const Clock& clock,
                                                const World& world, const RayQuery& query) {
  std::optional<WaitEnd> end;
  auto hits = world.CastRays(query, [&] {
    end = FindWaitEnd(control, clock.Now());
    return end.has_value();
  });
  if (end.has_value()) return WaitEndError(*end, 0, world.step_index());
  return hits;
}

}  // namespace

std::shared_ptr<SceneActor> SceneActor::Make(std::string id, World world,
                                             const SceneRuntime& runtime, const SceneTerms& terms) {
  return std::shared_ptr<SceneActor>(
      new SceneActor(std::move(id), std::move(world), runtime, terms));
}

SceneActor::SceneActor(std::string id, World world, const SceneRuntime& runtime,
                       const SceneTerms& terms)
    : impl_(std::make_unique<Impl>(id, std::move(world), runtime, terms)) {}

SceneActor::~SceneActor() = default;

void SceneActor::MakeReady(bool here) {
  Executor& executor = impl_->runtime.executor;
  if (here ? executor.RunHere(shared_from_this()) : executor.MakeReady(shared_from_this())) return;
  // The executor has stopped: the server is ending, and what just came in would wait for ever.
  for (auto& command : impl_->inbox.TakeAll()) command->Fail(DrainingError());
  for (const auto& ended : impl_->inbox.TakeEnded()) ended();
}

void SceneActor::Read(ReadCall call, const CallControlPtr& control, Completion<ReadAnswer> done) {
  // The command only runs inside this actor's quantum, so `impl` outlives it.
  Impl* const impl = impl_.get();
  SubmitSingle<ReadAnswer>(Lane::kReads, control, std::move(done),
                           [call, control, impl](HostedWorld& state) -> absl::StatusOr<ReadAnswer> {
                             ReadAnswer answer;
                             answer.frame = state.FindOrMakeFrame(call.parts);
                             answer.info = impl->MakeInfo();
                             if (call.energy) answer.energy = state.world().ComputeEnergy();
                             if (call.problem) answer.problem = state.world().kept_problem();
                             if (call.joints) {
                               answer.joints = state.world().Joints();
                               answer.joint_defs.reserve(answer.joints.size());
                               for (size_t i = 0; i < answer.joints.size(); ++i)
                                 answer.joint_defs.push_back(state.world().joint_def(i));
                             }
                             if (call.rays != nullptr) {
                               TALUS_ASSIGN_OR_RETURN(answer.ray_hits,
                                                      CastRaysFor(control, impl->runtime.clock,
                                                                  state.world(), *call.rays));
                             }
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
  SubmitSingle<SceneInfo>(
      Lane::kReads, control, std::move(done),
      [recorder, impl = impl_.get()](HostedWorld& state) -> absl::StatusOr<SceneInfo> {
        const int64_t limit = state.limits().recordings_per_scene;
        const int64_t count = state.CountRecorders();
        if (count >= limit) {
          return LimitError("recordings_per_scene", limit, count + 1);
        }
        state.AddRecorder(recorder);
        return impl->MakeInfo();
      });
}

absl::StatusOr<SubscriptionPtr> SceneActor::Watch(const WatchOptions& options,
                                                  std::function<void()> notify) {
  auto subscription = impl_->hub.Subscribe(options, std::move(notify), [weak = weak_from_this()] {
    if (const std::shared_ptr<SceneActor> self = weak.lock()) self->MakeReady();
  });
  impl_->inbox.NoteUse();
  if (subscription.ok()) MakeReady();
  return subscription;
}

absl::StatusOr<EventSubscriptionPtr> SceneActor::WatchEvents(const EventWatchOptions& options,
                                                             std::function<void()> notify) {
  auto subscription = impl_->events.Subscribe(options, std::move(notify));
  impl_->inbox.NoteUse();
  if (subscription.ok()) MakeReady();
  return subscription;
}

void SceneActor::PostEvent(SceneEvent event) {
  if (!impl_->events.watched()) return;
  if (event.step_index < 0) event.step_index = impl_->inbox.info().step_index;
  impl_->events.Post(std::move(event));
}

void SceneActor::CountMissedTicks(int64_t count) {
  if (impl_->runtime.statistics != nullptr) impl_->runtime.statistics->RecordMissedTicks(count);
}

SceneInfo SceneActor::info() const { return impl_->inbox.info(); }

SceneLoad SceneActor::load() const {
  const SceneInfo now = info();
  const int64_t waiting = impl_->inbox.CountWaiting();
  return {.scenes = 1,
          .faulted = now.fault.empty() ? 0 : 1,
          .evicted = now.evicted ? 1 : 0,
          .bodies = now.body_count,
          .joints = now.joint_count,
          .watchers = impl_->hub.CountWatchers(),
          .waiting = waiting,
          .most_waiting = waiting};
}

const std::string& SceneActor::id() const { return impl_->id; }
bool SceneActor::scratch() const { return impl_->scratch.load(); }
void SceneActor::Keep() { impl_->scratch.store(false); }
double SceneActor::idle_ttl_s() const { return impl_->idle_ttl_s; }

void SceneActor::Delete(std::function<void()> ended) {
  impl_->inbox.End(SceneInbox::Life::kDeleted, std::move(ended));
  MakeReady();
}

void SceneActor::Drain(std::function<void()> ended) {
  impl_->inbox.End(SceneInbox::Life::kDraining, std::move(ended));
  MakeReady();
}

void SceneActor::GiveUpSteps() { impl_->inbox.GiveUpSteps(); }
bool SceneActor::at_rest() const { return impl_->inbox.at_rest(); }

void SceneActor::TakeLastSnapshot(Completion<SceneSnapshot> done) {
  // What a drained scene is left to do runs inside its quantum, where the state may be read.
  Drain([impl = impl_.get(), done = std::move(done)] {
    if (impl->inbox.life() == SceneInbox::Life::kDeleted) {
      done(SceneDeletedError());
    } else if (impl->state.present()) {
      done(SnapshotOf(impl->state.world()));
    } else {
      impl->residence.place()->Read([done, info = impl->inbox.info()](auto state) {
        if (!state.ok()) return done(state.status());
        done(SceneSnapshot{info.step_index, info.state_hash, std::move(state->world)});
      });
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
  // The answer of a guest's step may go out only when he has returned, so he asks when it has.
  const bool asked = impl_->preparation_asked.exchange(false);
  bool more = false;
  if (BringBack()) {
    more = turn.Run();
    if (!more && (asked || (turn.stepped() && !guest))) turn.PrepareStep();
  } else {
    turn.RunEvicted();
  }
  CarryOutEviction(more || turn.due_at().has_value());
  // A scene at rest wakes up to send its last state to watchers whose pace held it back.
  if (!more && turn.due_at().has_value() && impl_->inbox.PlanWakeUp(*turn.due_at())) {
    impl_->runtime.clock.LookAt(*turn.due_at(), [weak = weak_from_this(), at = *turn.due_at()] {
      const std::shared_ptr<SceneActor> self = weak.lock();
      if (self != nullptr && self->impl_->inbox.NoteWakeUp(at)) self->MakeReady();
    });
  }
  return more;
}

}  // namespace talus
