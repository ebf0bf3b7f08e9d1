// One turn of a scene actor on an executor thread: the quantum in which it works through its inbox.
//
// Short-lived. Takes its share of the cores when the first step needs them and gives it back when
// the turn ends.
#pragma once

#include <memory>
#include <optional>

#include "server/runtime/core_budget.h"
#include "server/runtime/executor.h"
#include "server/runtime/hosted_world.h"
#include "server/runtime/quantum.h"
#include "server/runtime/scene_inbox.h"
#include "server/runtime/scene_runtime.h"
#include "server/stream/hub.h"

namespace talus {

// What a turn works on; all of it belongs to one actor.
struct SceneParts {
  const SceneRuntime& runtime;
  SceneInbox& inbox;
  Hub& hub;
  HostedWorld& state;
  std::unique_ptr<Command>& current;  // the change under way, kept from turn to turn
};

class SceneTurn : public Quantum {
 public:
  SceneTurn(const SceneParts& parts, ArenaCache& arenas, Clock::Duration quantum);

  // True: the scene has more to do.
  bool Run();
  // When a watcher, or a step of a scene that runs on its own, that was not due yet will be.
  std::optional<Clock::TimePoint> due_at() const { return due_at_; }

  Clock::TimePoint now() const override { return now_; }
  WorkerArena& Workers() override;
  bool PassBoundary() override;

 private:
  void AdvanceCurrent();
  // One step of a scene that runs on its own.
  bool IsRunDue() const;
  void StepFreely();
  void EndAll(SceneInbox::Life life);
  bool CheckTime();
  void ServeReads();
  void Publish();

  SceneParts parts_;
  ArenaCache& arenas_;
  Clock::TimePoint now_;
  const Clock::TimePoint end_;
  std::optional<CoreBudget::Lease> lease_;
  std::optional<Clock::TimePoint> due_at_;
};

}  // namespace talus
