// A Step under way: N steps, the running totals, and everybody who waits for the answer.
//
// Repeats of the request join the waiters through the shared answer. The steps go on while anybody
// waits; when the last one has left, the command stops at the step it reached and that is the
// answer for later repeats.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "server/runtime/command.h"
#include "server/runtime/scene_calls.h"
#include "server/session/shared_answer.h"

namespace talus {

class StepCommand : public Command {
 public:
  using AnswerPtr = std::shared_ptr<SharedAnswer<StepAnswer>>;

  // `forget` runs before a failure is answered that changed nothing, so that a repeat starts
  // afresh.
  StepCommand(StepCall call, AnswerPtr answer, std::function<void()> forget);

  bool Sweep(Clock::TimePoint now, int64_t step_index, DueAnswers& answers) override;
  bool Advance(HostedWorld& state, Quantum& quantum) override;
  void Fail(const absl::Status& status) override;

 private:
  absl::Status Start(HostedWorld& state, Clock::TimePoint now);
  absl::Status CheckStart(HostedWorld& state) const;
  // Whether the condition of the call holds.
  bool IsOver(HostedWorld& state);
  absl::Status StepOnce(HostedWorld& state, Quantum& quantum);
  // In the middle of a step: whether somebody waits for it still, and the scene has not ended.
  bool IsWanted(int64_t step_index, Quantum& quantum);
  void Settle(const absl::StatusOr<StepAnswer>& answer);

  const StepCall call_;
  const AnswerPtr answer_;
  const std::function<void()> forget_;
  bool started_ = false;
  bool given_up_ = false;           // in the middle of a step: nobody waited any more
  std::optional<StopWatch> watch_;  // of a call with a condition, once started
  StepAnswer totals_;
};

}  // namespace talus
