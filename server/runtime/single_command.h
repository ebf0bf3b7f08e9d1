// A command with one waiter that is done in one go: everything but Step.
#pragma once

#include <functional>
#include <utility>

#include "server/runtime/command.h"
#include "server/runtime/hosted_world.h"
#include "server/runtime/quantum.h"
#include "server/runtime/waiter.h"

namespace talus {

template <typename T>
class SingleCommand : public Command {
 public:
  using Work = std::function<absl::StatusOr<T>(HostedWorld&)>;

  SingleCommand(Waiter<T> waiter, Work work) : waiter_(std::move(waiter)), work_(std::move(work)) {}

  bool Sweep(Clock::TimePoint now, int64_t step_index, DueAnswers& answers) override {
    const std::optional<WaitEnd> end = FindWaitEnd(waiter_, now);
    if (!end.has_value()) return true;
    answers.push_back([done = std::move(waiter_.done), end = *end, step_index] {
      done(WaitEndError(end, 0, step_index));
    });
    return false;
  }

  bool Advance(HostedWorld& state, Quantum& quantum) override {
    const int64_t moment = state.moment().count;
    const bool running = state.free_run().running();
    const uint64_t state_hash = state.world().state_hash();
    absl::StatusOr<T> result = work_(state);
    // Watchers and readers see a change no later than the one who made it.
    if (state.moment().count != moment || state.free_run().running() != running ||
        state.world().state_hash() != state_hash) {
      quantum.PassBoundary();
    }
    waiter_.done(std::move(result));
    return true;
  }

  void Fail(const absl::Status& status) override { waiter_.done(status); }

 private:
  Waiter<T> waiter_;
  const Work work_;
};

}  // namespace talus
