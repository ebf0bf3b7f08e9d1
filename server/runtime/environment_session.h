// An agent in a scene, as the environment face sees it: it joins, acts and looks step by step, and
// its steps form sequences.
//
// The agent holds the lease on the scene from Join to Leave, or until it is silent for too long or
// somebody takes it over. A sequence begins with the first Step, which changes nothing; it goes on
// from the state the scene was joined or reset in. The step after one that ended a sequence puts
// the scene back to how it was made and begins the next. One call at a time; Leave may come from
// any thread at any moment. Nothing here blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "server/runtime/completion.h"
#include "server/runtime/environment_actions.h"
#include "server/runtime/scene_actor.h"
#include "server/runtime/scene_calls.h"

namespace talus {

struct EnvironmentOptions {
  std::string holder;
  std::optional<std::vector<std::string>> actions;  // by name; unset: those of ListActions
  ActionBounds bounds;
  int64_t steps_per_action = 1;      // of the solver
  int64_t sequence_steps = 0;        // of the agent, after which it is interrupted; 0: never
  std::optional<StopCondition> end;  // of the sequence's natural end
  double longest_wait_s = 86'400.0;
  // Without a request until the lease is lost, 0.001 to longest_wait_s.
  double max_wait_s = 60.0;
};

// What an agent can do and see; holds until it leaves or resets.
struct EnvironmentWorld {
  std::vector<EnvironmentAction> actions;
  std::shared_ptr<const Layout> layout;
  std::vector<JointRecord> joints;
};
using EnvironmentWorldPtr = std::shared_ptr<const EnvironmentWorld>;

enum class SequenceState { kRunning, kTerminated, kInterrupted };

struct EnvironmentMoment {
  SequenceState state = SequenceState::kRunning;
  FramePtr frame;  // positions, orientations, velocities, report
  Energy energy;
  std::vector<JointRecord> joints;  // when asked for
};

// One action to take: which of EnvironmentWorld::actions, and as many values as it has.
struct EnvironmentAct {
  size_t action = 0;
  std::vector<double> values;
};

class EnvironmentSession : public std::enable_shared_from_this<EnvironmentSession> {
 public:
  static std::shared_ptr<EnvironmentSession> Make(std::shared_ptr<SceneActor> scene, Clock& clock,
                                                  EnvironmentOptions options);
  ~EnvironmentSession();

  // Once, before anything else. INVALID_ARGUMENT, NOT_FOUND (an action), RESOURCE_EXHAUSTED,
  // FAILED_PRECONDITION (LEASE_HELD, SCENE_RUNNING), and how a scene ends; a session that could not
  // join is over.
  void Join(Completion<EnvironmentWorldPtr> done);
  // Whether the next Step acts; else it begins a sequence, and what it is given is not looked at.
  bool running() const;
  // `acts`, by action, are set and held until they are set again. Errors as of SceneActor::Step and
  // Reset; the sequence goes on.
  void Step(std::vector<EnvironmentAct> acts, bool joints, Completion<EnvironmentMoment> done);
  // Puts the scene back to how it was made; the next Step begins a sequence. Where no step was made
  // since joining or the last reset nothing is done, wherever the scene stands. What can be done
  // and seen is found anew.
  void Reset(Completion<EnvironmentWorldPtr> done);
  // Ends what is under way and gives the lease back. Idempotent.
  void Leave();

  const std::string& scene_id() const;

 private:
  struct Impl;
  explicit EnvironmentSession(std::unique_ptr<Impl> impl);
  // The scene must belong to this agent still.
  absl::Status Begin();
  void End();
  void Describe(Completion<EnvironmentWorldPtr> done);
  void FindTargets(std::shared_ptr<EnvironmentWorld> world, Completion<EnvironmentWorldPtr> done);
  void Observe(bool joints, Completion<EnvironmentMoment> done);
  void Restart(bool joints, Completion<EnvironmentMoment> done);
  void Advance(const std::vector<EnvironmentAct>& acts, bool joints,
               Completion<EnvironmentMoment> done);
  void Conclude(const StepAnswer& answer, bool joints, Completion<EnvironmentMoment> done);
  void Lose(const absl::Status& why);
  void WatchSilence(Clock::TimePoint at);
  void LeaveWhenSilent();

  std::unique_ptr<Impl> impl_;
};

}  // namespace talus
