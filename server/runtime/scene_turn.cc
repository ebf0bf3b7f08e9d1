#include "server/runtime/scene_turn.h"

#include "server/session/error.h"

namespace talus {

SceneTurn::SceneTurn(const SceneParts& parts, ArenaCache& arenas)
    : parts_(parts),
      arenas_(arenas),
      now_(parts.runtime.clock.Now()),
      end_(now_ + parts.runtime.quantum) {}

bool SceneTurn::Run() {
  using Life = SceneInbox::Life;
  parts_.inbox.SweepWaiting(now_);
  PassBoundary();
  // At least one command advances in every turn, however slow the clock makes the quantum look.
  while (parts_.inbox.life() == Life::kOpen) {
    if (parts_.current == nullptr) parts_.current = parts_.inbox.TakeChange();
    if (parts_.current == nullptr) break;
    AdvanceCurrent();
    if (!CheckTime()) break;
  }
  const Life life = parts_.inbox.life();
  if (life != Life::kOpen) {
    EndAll(life);
    return false;
  }
  return parts_.current != nullptr || !parts_.inbox.empty();
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
    lease_.emplace(parts_.runtime.budget.Take(parts_.runtime.executor.busy_count()));
  }
  return arenas_.FindOrMake(lease_->cores());
}

bool SceneTurn::PassBoundary() {
  parts_.inbox.PublishInfo(parts_.state.world(), parts_.state.layout_version());
  const bool go_on = CheckTime();
  if (parts_.inbox.life() != SceneInbox::Life::kOpen) return false;
  ServeReads();
  Publish();
  return go_on;
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
  due_at_.reset();
  if (!parts_.hub.watched()) return;
  const Moment& moment = parts_.state.moment();
  const Demand demand = parts_.hub.Survey(moment, now_);
  due_at_ = demand.due_at;
  if (!demand.due) return;
  parts_.hub.Publish(parts_.state.FindOrMakeFrame(demand.parts), moment, now_);
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
  parts_.state.EndRecorders(status);
  for (const auto& ended : parts_.inbox.TakeEnded()) {
    if (ended) ended();
  }
}

}  // namespace talus
