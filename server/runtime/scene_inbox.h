// The side of a scene that any thread may touch: what waits for it, whether it is still open, the
// answers it remembers, and what it last told about itself.
//
// One short lock, never held while stepping, encoding or answering.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "server/runtime/mailbox.h"
#include "server/runtime/scene_calls.h"
#include "server/runtime/scene_info.h"
#include "server/runtime/scene_lease.h"
#include "server/session/answer_memory.h"
#include "solver/base/mutex.h"

namespace talus {

class HostedWorld;

class SceneInbox {
 public:
  enum class Life { kOpen, kDraining, kDeleted };
  using Repeatable = AnswerMemory<StepAnswer>;

  SceneInbox(int64_t mailbox_depth, const SceneInfo& info);

  // Callers. A command that cannot go in is failed at once; true: the scene has something to do. A
  // change needs the `lease` of the scene, where there is one: its token.
  bool Submit(Mailbox::Lane lane, std::unique_ptr<Command> command, std::string_view lease);
  // A read of the server's own, which is no use of the scene.
  bool SubmitOwnRead(std::unique_ptr<Command> command);
  // A Step with a request id: joins or repeats an earlier one, or goes in.
  bool SubmitRepeatable(StepCall call, Waiter<StepAnswer> waiter);
  // As SceneLease; also the errors of a scene that has ended.
  absl::StatusOr<std::string> TakeLease(LeaseCall call);
  void GiveBackLease(std::string_view token);
  // As SceneLease.
  LeaseTermPtr FindTerm(std::string_view token) const;
  // From now on nothing goes in. The first end decides; `ended` is kept for the actor either way.
  // A deletion, also one in a drain, gives up the step under way.
  void End(Life life, std::function<void()> ended);
  // Of a scene that has ended: it does not wait for the step under way.
  void GiveUpSteps();
  // It has ended, and whoever waited for that was told or is just being told.
  bool at_rest() const;
  SceneInfo info() const;
  // Of the lease; empty: nobody holds it.
  std::string holder() const;
  // What a change with this lease that came now would be refused with.
  absl::Status AdmitChange(std::string_view lease) const;
  // A number that stays the same while nobody uses the scene. Nothing: somebody waits for it or
  // holds its lease, or it runs on its own.
  std::optional<int64_t> FindIdleMark() const;
  void NoteUse();
  // Whether so many steps are expected to take less time than it takes to wake a thread for them,
  // by the shorter of the last two.
  bool AreStepsShort(int64_t step_count) const;

  // The actor.
  Life life() const;
  bool gives_up_steps() const;
  bool empty() const;
  int64_t CountWaiting() const;
  std::unique_ptr<Command> TakeChange();
  std::vector<std::unique_ptr<Command>> TakeReads();
  std::vector<std::unique_ptr<Command>> TakeAll();
  std::vector<std::function<void()>> TakeEnded();
  // Ends the waits that are over and gives their answers.
  void SweepWaiting(Clock::TimePoint now);
  // Ends the lease, if there is one, and tells its holder why.
  void EndLease(const absl::Status& status);
  void PublishInfo(HostedWorld& state);
  // Told by info() from now on.
  void NoteEvicted(bool evicted);
  // How long a change took, for the retry hint of a full mailbox.
  void NoteChangeTime(Clock::Duration time);
  // Whether a wake-up at `when` must be asked for: false when one before that is under way.
  bool PlanWakeUp(Clock::TimePoint when);
  // The wake-up that was asked for at `when`; false: an earlier one has taken its place.
  bool NoteWakeUp(Clock::TimePoint when);

 private:
  absl::Status CheckOpen() const TALUS_REQUIRES(mutex_);
  absl::Status CheckChange(std::string_view lease) const TALUS_REQUIRES(mutex_);
  int64_t RetryAfterMs() const TALUS_REQUIRES(mutex_);
  void NoteStepTime(int64_t step_index, double time_s) TALUS_REQUIRES(mutex_);
  void Forget(const Repeatable::AnswerPtr& answer);

  mutable Mutex mutex_;
  Mailbox mailbox_ TALUS_GUARDED_BY(mutex_);
  Life life_ TALUS_GUARDED_BY(mutex_) = Life::kOpen;
  bool gives_up_steps_ TALUS_GUARDED_BY(mutex_) = false;
  std::vector<std::function<void()>> ended_ TALUS_GUARDED_BY(mutex_);
  Repeatable remembered_ TALUS_GUARDED_BY(mutex_);
  SceneLease lease_ TALUS_GUARDED_BY(mutex_);
  SceneInfo info_ TALUS_GUARDED_BY(mutex_);
  double change_ms_ TALUS_GUARDED_BY(mutex_) = 1.0;
  int64_t timed_step_index_ TALUS_GUARDED_BY(mutex_) = -1;
  // How long the last step took, and the shorter of the last two; 0: none was made.
  double last_step_s_ TALUS_GUARDED_BY(mutex_) = 0.0;
  double step_s_ TALUS_GUARDED_BY(mutex_) = 0.0;
  std::optional<Clock::TimePoint> wake_up_ TALUS_GUARDED_BY(mutex_);
  int64_t uses_ TALUS_GUARDED_BY(mutex_) = 0;
};

}  // namespace talus
