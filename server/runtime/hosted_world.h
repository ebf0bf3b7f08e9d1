// A World with what the server needs beside it: the layout, frames made on demand, the count of its
// moments, whether it steps on its own, and the recorders that are told what happens to it. Of a
// scene that is evicted only what is small is left here.
//
// Belongs to one actor and is only touched inside its quantum; knows no lock and no caller.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/runtime/evicted_scene.h"
#include "server/runtime/free_run.h"
#include "server/runtime/scene_calls.h"
#include "server/runtime/scene_info.h"
#include "server/runtime/step_rate.h"
#include "server/runtime/step_statistics.h"
#include "server/session/limits.h"
#include "server/stream/frame.h"
#include "server/stream/hub.h"
#include "server/stream/scene_recorder.h"
#include "solver/world/world.h"

namespace talus {

// The layout of a world's rows under `version`.
std::shared_ptr<const Layout> MakeLayout(const World& world, int64_t version);

// What GetScene tells of a world.
SceneInfo MakeSceneInfo(const std::string& id, const World& world, int64_t layout_version);

// RESOURCE_EXHAUSTED (bodies_per_scene) when a scene of `present` bodies, particles owed by
// emitters included, has no room for the new ones.
absl::Status CheckBodyLimit(const Limits& limits, int64_t present, int64_t added_bodies,
                            std::span<const EmitterDef> added_emitters);

// Bodies in the world and owed by its emitters.
int64_t CountBodies(const World& world);

class HostedWorld {
 public:
  // `statistics`, where given, must outlive the world.
  HostedWorld(std::string id, World world, const Limits& limits,
              StepStatistics* statistics = nullptr);

  // Only while it is present.
  World& world() { return *world_; }
  const Limits& limits() const { return limits_; }
  const Moment& moment() const { return moment_; }
  FreeRun& free_run() { return free_run_; }
  StepRate& step_rate() { return step_rate_; }
  int64_t step_index() const { return present() ? world_->step_index() : moment_.step_index; }
  // How often the state was replaced.
  int64_t restore_count() const { return restore_count_; }
  int64_t layout_version() const { return layout_offset_ + world_->layout_version(); }

  // One step, counted. Errors as of World::Step, and RESOURCE_EXHAUSTED (contacts_per_scene): the
  // step would have more contacts and is not made.
  absl::StatusOr<StepReport> Step(WorkerArena& workers, StepOptions options = {});
  // The state has changed, by a step or by hand; `make_input` gives the SceneInput that tells how.
  void NoteStep(bool residual_history);
  template <typename MakeInput>
  void NoteChange(int64_t step_index, const MakeInput& make_input) {
    CountMoment();
    moment_.by_hand = moment_.count;
    if (!recorders_.empty()) TellInput(step_index, make_input());
  }
  template <typename MakeInput>
  void NoteChange(const MakeInput& make_input) {
    NoteChange(step_index(), make_input);
  }
  void Restore(World world);
  // Sets what drives the scene from the next step on. When that is not made all is as before, and
  // nobody is told.
  absl::Status Actuate(const Actuation& call);
  // What was set stays, whether a step follows or not.
  void KeepActuation();
  void TakeBackActuation();
  // Back to how it came here, or parts of it (world/scene_reset.h).
  absl::Status Reset(const ResetCall& call);

  // Whether the state is in memory. False between Evict and Return, when nothing may be asked but
  // step_index and moment.
  bool present() const { return world_.has_value(); }
  EvictedState CopyState() const;
  void Evict();
  // DATA_LOSS (BAD_SNAPSHOT): it is not the state that was let go.
  absl::Status Return(EvictedState state);

  // Is told of everything from the present state on.
  void AddRecorder(std::shared_ptr<SceneRecorder> recorder);
  int64_t CountRecorders();
  void EndRecorders(const absl::Status& why);

  std::shared_ptr<const Layout> FindOrMakeLayout();
  // The present moment with at least `parts`; the same object as last time while somebody still
  // holds that one.
  FramePtr FindOrMakeFrame(const FrameParts& parts);
  // All but who holds the lease, which is not known here.
  SceneInfo MakeInfo() const;

 private:
  // A step that was made, or that ended in a fault.
  void CountStep(const absl::StatusOr<StepReport>& report);
  void CountMoment();
  void TellInput(int64_t step_index, SceneInput input);
  void Tell(const InputRecord& record);
  void OfferFrame(SceneRecorder& recorder, bool by_hand);

  const std::string id_;
  const Limits limits_;
  StepStatistics* const statistics_;
  std::optional<World> world_;
  std::string origin_;  // as it came here, as a snapshot
  // Of a state that is not present.
  LastStep last_step_;  // without the contacts
  uint64_t left_hash_ = 0;
  std::vector<std::shared_ptr<SceneRecorder>> recorders_;
  bool actuation_pending_ = false;        // until it is known whether it stays
  std::optional<InputRecord> actuation_;  // while that is pending, for the recorders
  Moment moment_;
  FreeRun free_run_;
  StepRate step_rate_;
  // Restoring may bring back an earlier layout version for other rows; readers are told a version
  // that still grows.
  int64_t layout_offset_ = 0;
  int64_t restore_count_ = 0;
  std::shared_ptr<const Layout> layout_;
  std::weak_ptr<const FrameData> frame_;
  int64_t frame_moment_ = -1;
};

}  // namespace talus
