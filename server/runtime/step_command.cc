#include "server/runtime/step_command.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "server/runtime/hosted_world.h"
#include "server/runtime/quantum.h"
#include "server/session/error.h"
#include "solver/base/status.h"

namespace talus {

StepCommand::StepCommand(StepCall call, AnswerPtr answer, std::function<void()> forget)
    : call_(std::move(call)), answer_(std::move(answer)), forget_(std::move(forget)) {}

bool StepCommand::Sweep(Clock::TimePoint now, int64_t step_index, DueAnswers& answers) {
  auto end_error = [&](WaitEnd end) { return WaitEndError(end, totals_.steps_done, step_index); };
  const std::optional<WaitEnd> last_end = answer_->Sweep(now, end_error, answers);
  if (!last_end.has_value()) return true;
  std::optional<absl::StatusOr<StepAnswer>> for_repeats;
  if (totals_.steps_done > 0) for_repeats = end_error(*last_end);
  if (!answer_->GiveUp(std::move(for_repeats))) return true;  // a repeat came in between
  if (totals_.steps_done == 0) answers.push_back(forget_);
  return false;
}

bool StepCommand::Advance(HostedWorld& state, Quantum& quantum) {
  if (!started_) {
    absl::Status status = Start(state, quantum.now());
    if (!status.ok()) {
      Settle(status);
      return true;
    }
    started_ = true;
  }
  while (!IsOver(state) && totals_.steps_done < call_.step_count) {
    DueAnswers answers;
    const bool awaited = Sweep(quantum.now(), state.step_index(), answers);
    for (const auto& give : answers) give();
    if (!awaited) {
      state.TakeBackActuation();  // where no step followed it
      return true;
    }
    absl::Status status = StepOnce(state, quantum);
    const bool go_on = quantum.PassBoundary();
    if (absl::IsCancelled(status)) return given_up_;  // or whoever ends the scene answers
    if (!status.ok()) {
      Settle(status);
      return true;
    }
    if (!go_on && totals_.steps_done < call_.step_count) return false;
  }
  // What was driven stays and is told of, though no step was needed.
  if (totals_.steps_done == 0) {
    state.KeepActuation();
    quantum.PassBoundary();
  }
  totals_.frame = state.FindOrMakeFrame(call_.parts);
  Settle(std::move(totals_));
  return true;
}

void StepCommand::Fail(const absl::Status& status) {
  Settle(WithStepsDone(status, totals_.steps_done));
}

absl::Status StepCommand::Start(HostedWorld& state, Clock::TimePoint now) {
  TALUS_RETURN_IF_ERROR(CheckStart(state));
  if (!call_.bodies.all()) {
    TALUS_RETURN_IF_ERROR(ValidateSelection(call_.bodies));
    TALUS_ASSIGN_OR_RETURN(totals_.bodies,
                           SelectedBodies::Resolve(call_.bodies, *state.FindOrMakeLayout()));
  }
  TALUS_RETURN_IF_ERROR(state.step_rate().Admit(now));
  if (call_.until.has_value()) {
    absl::StatusOr<StopWatch> watch = StopWatch::Start(*call_.until, state.world());
    if (!watch.ok()) return watch.status();
    watch_.emplace(*std::move(watch));
  }
  return call_.actuation.has_value() ? state.Actuate(*call_.actuation) : absl::OkStatus();
}

bool StepCommand::IsOver(HostedWorld& state) {
  if (!watch_.has_value()) return false;
  totals_.stop = watch_->Look(state.world());
  return totals_.stop != StopReason::kNone;
}

absl::Status StepCommand::CheckStart(HostedWorld& state) const {
  const World& world = state.world();
  if (!world.fault().empty()) return SceneFaultedError(world.fault(), world.step_index());
  if (state.free_run().running()) return SceneRunningError();
  if (call_.expected_step_index.value_or(world.step_index()) == world.step_index()) {
    return absl::OkStatus();
  }
  ErrorInfo info;
  info.reason = ErrorReason::kStepIndexMismatch;
  info.field = "expected_step_index";
  info.value = std::to_string(*call_.expected_step_index);
  info.allowed = "must be " + std::to_string(world.step_index());
  info.step_index = world.step_index();
  return MakeError(
      absl::StatusCode::kFailedPrecondition,
      info.field + " = " + info.value + " " + info.allowed + ", the scene's step index", info);
}

absl::Status StepCommand::StepOnce(HostedWorld& state, Quantum& quantum) {
  StepOptions options;
  options.residual_history = call_.residual_history;
  options.capture = call_.capture;
  const int64_t step_index = state.step_index();
  const auto is_unwanted = [&] { return !IsWanted(step_index, quantum); };
  options.stop = std::cref(is_unwanted);  // by reference: nothing is allocated for it
  const absl::StatusOr<StepReport> report = state.Step(quantum.Workers(), options);
  if (!report.ok()) {
    const World& world = state.world();
    if (world.fault().empty()) return WithStepsDone(report.status(), totals_.steps_done);
    return WithStepsDone(SceneFaultedError(world.fault(), world.step_index()), totals_.steps_done);
  }
  state.NoteStep(call_.residual_history);
  ++totals_.steps_done;
  totals_.worst_residual = std::max(totals_.worst_residual, report->residual);
  totals_.worst_penetration_m = std::max(totals_.worst_penetration_m, report->worst_penetration_m);
  totals_.sweep_count += report->sweep_count;
  const bool solved = report->outcome == SolveOutcome::kConverged;
  if (!solved && report->outcome != SolveOutcome::kNone) ++totals_.unconverged_steps;
  return absl::OkStatus();
}

bool StepCommand::IsWanted(int64_t step_index, Quantum& quantum) {
  const std::optional<Clock::TimePoint> now = quantum.LookUp();
  if (!now.has_value()) return true;
  DueAnswers answers;
  given_up_ = !Sweep(*now, step_index, answers);
  for (const auto& give : answers) give();
  return !given_up_ && !quantum.GivesUpSteps();
}

void StepCommand::Settle(const absl::StatusOr<StepAnswer>& answer) {
  if (!answer.ok() && totals_.steps_done == 0) forget_();
  answer_->Settle(answer);
}

}  // namespace talus
