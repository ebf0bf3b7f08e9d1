// One scene with everything that may be asked of it, safe to call from any thread: the actor owns
// the World and is the only one who touches it, one quantum at a time on some executor thread.
//
// Changes (step, add, remove, update, restore) are done in the order they came. Reads (state,
// snapshot, fork, new watchers) are served between two steps, also while a long Step runs. Between
// two steps a call heeds its cancellation and deadline, and the scene its deletion and the server's
// drain. Nothing here blocks; every completion runs exactly once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/call_control.h"
#include "server/runtime/completion.h"
#include "server/runtime/evicted_scene.h"
#include "server/runtime/executor.h"
#include "server/runtime/mailbox.h"
#include "server/runtime/scene_calls.h"
#include "server/runtime/scene_info.h"
#include "server/runtime/scene_lease.h"
#include "server/runtime/scene_load.h"
#include "server/runtime/scene_runtime.h"
#include "server/session/page.h"
#include "server/stream/event_subscription.h"
#include "server/stream/scene_recorder.h"
#include "server/stream/subscription.h"
#include "solver/world/world.h"

namespace talus {

class SceneActor : public ExecutorTask, public std::enable_shared_from_this<SceneActor> {
 public:
  static std::shared_ptr<SceneActor> Make(std::string id, World world, const SceneRuntime& runtime,
                                          const SceneTerms& terms = {});
  ~SceneActor() override;

  // Errors of all calls: CANCELLED, DEADLINE_EXCEEDED, ABORTED (SCENE_DELETED), UNAVAILABLE
  // (DRAINING) and RESOURCE_EXHAUSTED (MAILBOX_FULL). Those that change the scene also
  // FAILED_PRECONDITION (LEASE_HELD), ABORTED (LEASE_LOST) and, Restore and Pause excepted,
  // FAILED_PRECONDITION (SCENE_FAULTED). A failed call changes nothing, except that a Step keeps
  // the steps it has done.

  // INVALID_ARGUMENT (INVALID_FIELD, REQUEST_ID_REUSED), NOT_FOUND (actuators, until),
  // FAILED_PRECONDITION (STEP_INDEX_MISMATCH, SCENE_RUNNING), RESOURCE_EXHAUSTED (steps_per_call,
  // steps_per_second, contacts_per_scene). An error tells the steps done.
  void Step(StepCall call, const CallControlPtr& control, Completion<StepAnswer> done);
  // The answer of a step that may_run_here is out: the beginning of the next one may be made, on
  // this thread (World::PrepareStep). Does nothing where steps are not short.
  void PrepareStep();
  // INVALID_ARGUMENT, ALREADY_EXISTS, RESOURCE_EXHAUSTED (bodies_per_scene, memory_bytes).
  void AddBodies(AddBodiesCall call, const CallControlPtr& control,
                 Completion<AddBodiesAnswer> done);
  // NOT_FOUND.
  void RemoveBodies(RemoveBodiesCall call, const CallControlPtr& control,
                    Completion<std::shared_ptr<const Layout>> done);
  // INVALID_ARGUMENT, NOT_FOUND (World::UpdateBodies).
  void UpdateBodies(std::vector<BodyUpdate> updates, const CallControlPtr& control,
                    Completion<SceneInfo> done);
  // As AddBodies; the particles an emitter owes count as bodies.
  void AddEmitters(AddEmittersCall call, const CallControlPtr& control, Completion<SceneInfo> done);
  // NOT_FOUND.
  void RemoveEmitters(std::vector<std::string> names, const CallControlPtr& control,
                      Completion<SceneInfo> done);
  // As AddBodies, but of the server's limits only memory_bytes.
  void AddJoints(std::vector<JointDef> joints, const CallControlPtr& control,
                 Completion<AddJointsAnswer> done);
  // NOT_FOUND.
  void RemoveJoints(RemoveJointsCall call, const CallControlPtr& control,
                    Completion<SceneInfo> done);
  // Goes on from `world` instead. Leaves FAULTED behind.
  void Restore(World world, const CallControlPtr& control, Completion<SceneInfo> done);
  // What a Restore that came now would be refused with, before a world is made for it; also
  // RESOURCE_EXHAUSTED (memory_bytes).
  absl::Status AdmitRestore(const CallControlPtr& control) const;

  // Sets what acts from the next step on. Errors as World::FindActuators and World::Actuate.
  void Actuate(Actuation call, const CallControlPtr& control, Completion<SceneInfo> done);
  // The scene steps on its own until it is paused, its limit is reached or a step fails; other
  // changes take their turn between its steps, a Step is refused (FAILED_PRECONDITION,
  // SCENE_RUNNING). INVALID_ARGUMENT.
  void Run(RunCall call, const CallControlPtr& control, Completion<SceneInfo> done);
  // Answered between two steps. A scene that does not run is told the same.
  void Pause(const CallControlPtr& control, Completion<SceneInfo> done);

  // From now on changes need the token: CallControl::lease. FAILED_PRECONDITION (LEASE_HELD).
  absl::StatusOr<std::string> TakeLease(LeaseCall call);
  void GiveBackLease(std::string_view token);

  // What Actuation::targets holds. Errors as World::FindActuators.
  void FindActuators(std::vector<ActuatorDef> actuators, const CallControlPtr& control,
                     Completion<ActuatorsAnswer> done);
  // Back to how the scene was made, or parts of it. A scene that runs on its own is paused.
  void Reset(ResetCall call, const CallControlPtr& control, Completion<SceneInfo> done);
  void Read(ReadCall call, const CallControlPtr& control, Completion<ReadAnswer> done);
  void ListBodies(const NumberPage& page, const CallControlPtr& control, Completion<BodyPage> done);
  void ListJoints(const NumberPage& page, const CallControlPtr& control,
                  Completion<JointPage> done);
  void TakeSnapshot(const CallControlPtr& control, Completion<SceneSnapshot> done);
  // `count` exact copies.
  void Fork(int count, const CallControlPtr& control, Completion<std::vector<World>> done);
  // The recorder is told of everything from the next step boundary on, the end included.
  // RESOURCE_EXHAUSTED (recordings_per_scene).
  void Record(std::shared_ptr<SceneRecorder> recorder, const CallControlPtr& control,
              Completion<SceneInfo> done);
  // The first frame comes at the next step boundary, whatever the pace. RESOURCE_EXHAUSTED
  // (watchers_per_scene), INVALID_ARGUMENT. Under BLOCK the scene waits for this watcher between
  // two steps: changes wait as well, reads, deletion and drain do not.
  absl::StatusOr<SubscriptionPtr> Watch(const WatchOptions& options, std::function<void()> notify);

  // The first batch comes at the next step boundary and tells where watching begins.
  // RESOURCE_EXHAUSTED (watchers_per_scene, counted apart), INVALID_ARGUMENT.
  absl::StatusOr<EventSubscriptionPtr> WatchEvents(const EventWatchOptions& options,
                                                   std::function<void()> notify);
  // Tells the watchers of events what no state shows: a missed deadline, a lost lease. From any
  // thread; sequence and, unless it is set, step index are filled in.
  void PostEvent(SceneEvent event);
  // For the server's count of them.
  void CountMissedTicks(int64_t count);

  // The same number as before: nobody has used the scene since. Nothing: it is in use, as it is
  // while somebody watches its state.
  std::optional<int64_t> FindIdleMark() const;
  // A copy of what a scene holds that was not used since `idle_mark`; otherwise
  // FAILED_PRECONDITION, also while it is recorded.
  void CopyIdleState(int64_t idle_mark, Completion<IdleState> done);
  // Lets go of the memory: the state is in `place`, from where the first call that needs it brings
  // it back. False: the scene has been used since `idle_mark`, and stays.
  void Evict(int64_t idle_mark, std::shared_ptr<EvictedScene> place, Completion<bool> done);

  // Whether it is still a scratch scene, and the end of that.
  bool scratch() const;
  void Keep();
  // As SceneTerms.
  double idle_ttl_s() const;

  // As of the last step boundary. Never waits for a step.
  SceneInfo info() const;
  SceneLoad load() const;
  const std::string& id() const;

  // For the registry. All calls that wait, run or come later end with the error; streams end; then
  // `ended` runs.
  void Delete(std::function<void()> ended);
  void Drain(std::function<void()> ended);
  // Of a scene that drains: its step under way is given up, as if it had not been tried.
  void GiveUpSteps();
  // Whether all that an end brings about is done.
  bool at_rest() const;
  // The state a scene came to rest in. Drains it if nobody did yet. ABORTED (SCENE_DELETED).
  void TakeLastSnapshot(Completion<SceneSnapshot> done);

 private:
  struct Impl;
  SceneActor(std::string id, World world, const SceneRuntime& runtime, const SceneTerms& terms);
  bool RunQuantum(ArenaCache& arenas, bool guest) override;
  // `here`: on this thread, before it returns, where nothing else is done about the scene.
  void MakeReady(bool here = false);
  // Whether the state is in memory; begins to bring it back where something needs it.
  bool BringBack();
  void CarryOutEviction(bool busy);
  template <typename T>
  void SubmitSingle(Mailbox::Lane lane, const CallControlPtr& control, Completion<T> done,
                    std::function<absl::StatusOr<T>(HostedWorld&)> work);

  std::unique_ptr<Impl> impl_;
};

}  // namespace talus
