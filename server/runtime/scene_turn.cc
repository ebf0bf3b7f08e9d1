#include "server/runtime/scene_turn.h"

#include <algorithm>
#include <chrono>

#include "server/session/error.h"

namespace talus {
namespace {

// A scene that waits for a watcher or for the disk looks so often whether its callers still wait.
constexpr std::chrono::milliseconds kLookUp{10};
// And so often in the middle of a step.
constexpr std::chrono::milliseconds kLookUpInStep{1};

}  // namespace

SceneTurn::SceneTurn(const SceneParts& parts, ArenaCache& arenas, Clock::Duration quantum)
    : parts_(parts),
      arenas_(arenas),
      now_(parts.runtime.clock.Now()),
      looked_up_(now_),
      end_(now_ + quantum) {}

bool SceneTurn::Run() {
  using Life = SceneInbox::Life;
  parts_.inbox.SweepWaiting(now_);
  PassBoundary();
  // At least one command advances in every turn, however slow the clock makes the quantum look.
  while (parts_.inbox.life() == Life::kOpen && !waiting_) {
    if (parts_.current == nullptr) {
      parts_.current = parts_.inbox.TakeChange();
    } else {
      parts_.inbox.NoteUse();  // that it takes long does not make the scene idle
    }
    if (parts_.current != nullptr) {
      AdvanceCurrent();
    } else if (IsRunDue()) {
      StepFreely();
    } else {
      break;
    }
    if (!CheckTime()) break;
  }
  const Life life = parts_.inbox.life();
  if (life != Life::kOpen) {
    EndAll(life);
    return false;
  }
  const bool busy = parts_.current != nullptr || !parts_.inbox.empty();
  if (waiting_) {
    SweepCurrent();
    // Whoever makes room makes the scene ready; it need not look before unless somebody waits for
    // it.
    if (busy) due_at_ = std::min(due_at_.value_or(now_ + kLookUp), now_ + kLookUp);
    return false;
  }
  const std::optional<Clock::TimePoint> run_due = FindRunDue();
  if (busy || (run_due.has_value() && *run_due <= now_)) return true;
  if (run_due.has_value()) due_at_ = std::min(due_at_.value_or(*run_due), *run_due);
  return false;
}

void SceneTurn::RunEvicted() {
  parts_.inbox.SweepWaiting(now_);
  const SceneInbox::Life life = parts_.inbox.life();
  if (life != SceneInbox::Life::kOpen) {
    EndAll(life);
  } else if (!parts_.inbox.empty()) {
    due_at_ = now_ + kLookUp;
  }
}

std::optional<Clock::TimePoint> SceneTurn::FindRunDue() const {
  const std::optional<Clock::TimePoint> due = parts_.state.free_run().due_at();
  if (!due.has_value()) return due;
  return std::max(*due, parts_.state.step_rate().FindDue(now_));
}

bool SceneTurn::IsRunDue() const {
  const std::optional<Clock::TimePoint> due = FindRunDue();
  return due.has_value() && *due <= now_;
}

void SceneTurn::StepFreely() {
  FreeRun& run = parts_.state.free_run();
  const absl::StatusOr<StepReport> report = parts_.state.Step(
      Workers(), {.capture = run.info().call.capture,
                  .stop = [this] { return LookUp().has_value() && GivesUpSteps(); }});
  if (report.ok()) {
    parts_.state.NoteStep(false);
    run.NoteStep(parts_.runtime.clock.Now());
  } else if (!absl::IsCancelled(report.status())) {
    // A fault stays with the scene for who asks; a law or a limit that takes no more contacts can
    // be tried again by a Step, which tells.
    run.Stop();
  }
  PassBoundary();
}

void SceneTurn::SweepCurrent() {
  if (parts_.current == nullptr) return;
  DueAnswers answers;
  const bool awaited = parts_.current->Sweep(now_, parts_.state.step_index(), answers);
  for (const auto& give : answers) give();
  if (!awaited) parts_.current.reset();
}

void SceneTurn::AdvanceCurrent() {
  DueAnswers answers;
  const bool awaited = parts_.current->Sweep(now_, parts_.state.step_index(), answers);
  for (const auto& give : answers) give();
  const Clock::TimePoint start = now_;
  if (awaited && !parts_.current->Advance(parts_.state, *this)) return;
  parts_.current.reset();
  parts_.inbox.NoteChangeTime(parts_.runtime.clock.Now() - start);
}

WorkerArena& SceneTurn::Workers() {
  if (!lease_.has_value()) {
    CoreBudget& budget = parts_.runtime.budget;
    lease_.emplace(parts_.inbox.AreStepsShort(1)
                       ? budget.TakeOne()
                       : budget.Take(parts_.runtime.executor.busy_count()));
  }
  return arenas_.FindOrMake(lease_->cores());
}

std::optional<Clock::TimePoint> SceneTurn::LookUp() {
  const Clock::TimePoint now = parts_.runtime.clock.Now();
  if (now < std::max(now_, looked_up_) + kLookUpInStep) return std::nullopt;
  parts_.inbox.SweepWaiting(now);
  return looked_up_ = now;
}

bool SceneTurn::GivesUpSteps() const { return parts_.inbox.gives_up_steps(); }

void SceneTurn::PrepareStep() {
  if (waiting_ || parts_.inbox.life() != SceneInbox::Life::kOpen) return;
  if (!parts_.inbox.AreStepsShort(1)) return;
  parts_.state.world().PrepareStep(Workers(), [this] {
    return LookUp().has_value() &&
           (parts_.inbox.life() != SceneInbox::Life::kOpen || !parts_.inbox.empty());
  });
}

bool SceneTurn::PassBoundary() {
  parts_.inbox.PublishInfo(parts_.state);
  const bool go_on = CheckTime();
  if (parts_.inbox.life() != SceneInbox::Life::kOpen) return false;
  ServeReads();
  Publish();
  return go_on && !waiting_;
}

bool SceneTurn::CheckTime() {
  now_ = parts_.runtime.clock.Now();
  return now_ < end_;
}

void SceneTurn::ServeReads() {
  for (auto& read : parts_.inbox.TakeReads()) {
    DueAnswers answers;
    const bool awaited = read->Sweep(now_, parts_.state.step_index(), answers);
    for (const auto& give : answers) give();
    if (awaited) read->Advance(parts_.state, *this);
  }
}

void SceneTurn::Publish() {
  parts_.detector.Observe(parts_.state);
  due_at_.reset();
  waiting_ = false;
  if (!parts_.hub.watched()) return;
  const Moment& moment = parts_.state.moment();
  const Demand demand = parts_.hub.Survey(moment, now_);
  due_at_ = demand.due_at;
  if (demand.wait_until.has_value()) {
    waiting_ = true;
    due_at_ = std::min(due_at_.value_or(*demand.wait_until), *demand.wait_until);
  }
  if (demand.due) parts_.hub.Publish(parts_.state.FindOrMakeFrame(demand.parts), moment, now_);
  for (std::string& policy : parts_.hub.TakeDropped()) {
    SceneEvent event;
    event.kind = EventKind::kWatcherDropped;
    event.step_index = parts_.state.step_index();
    event.text = std::move(policy);
    parts_.events.Post(std::move(event));
  }
}

void SceneTurn::EndAll(SceneInbox::Life life) {
  const absl::Status status =
      life == SceneInbox::Life::kDeleted ? SceneDeletedError() : DrainingError();
  if (parts_.current != nullptr) {
    parts_.current->Fail(status);
    parts_.current.reset();
  }
  for (auto& command : parts_.inbox.TakeAll()) command->Fail(status);
  parts_.hub.End(status);
  parts_.inbox.EndLease(status);
  SceneEvent last;
  last.kind =
      life == SceneInbox::Life::kDeleted ? EventKind::kSceneDeleted : EventKind::kSceneDraining;
  last.step_index = parts_.state.step_index();
  parts_.events.Post(std::move(last));
  parts_.events.End(status);
  parts_.state.EndRecorders(status);
  for (const auto& ended : parts_.inbox.TakeEnded()) {
    if (ended) ended();
  }
}

}  // namespace talus
