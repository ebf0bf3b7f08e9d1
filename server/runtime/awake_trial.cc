#include "server/runtime/awake_trial.h"

#include <algorithm>

namespace talus {

AwakeTrial::AwakeTrial(const AwakeTrialPlan& plan)
    : plan_(plan), use_(plan.settled + plan.measured) {
  Enter(Stage::kUse, use_);
}

void AwakeTrial::Enter(Stage stage, int64_t steps) {
  stage_ = stage;
  settling_ = steps - plan_.measured;
  left_ = plan_.measured;
  sum_ns_ = 0.0;
}

void AwakeTrial::Pause() { settling_ = std::max(settling_, plan_.settled); }

void AwakeTrial::Note(std::chrono::nanoseconds interval) {
  if (settling_ > 0) {
    --settling_;
    return;
  }
  sum_ns_ += static_cast<double>(interval.count());
  if (--left_ == 0) EndStage();
}

void AwakeTrial::EndStage() {
  const int64_t trial = plan_.settled + plan_.measured;
  switch (stage_) {
    case Stage::kUse:
      before_ns_ = MeanNs();
      return Enter(Stage::kOther, trial);
    case Stage::kOther:
      other_ns_ = MeanNs();
      return Enter(Stage::kAgain, trial);
    case Stage::kAgain:
      // Both must be longer: else the machine or the caller has changed meanwhile.
      const bool better = other_ns_ < (1.0 - plan_.gain) * std::min(before_ns_, MeanNs());
      if (better) choice_ = !choice_;
      use_ = better ? trial : std::min(4 * use_, plan_.longest);
      return Enter(Stage::kUse, use_);
  }
}

}  // namespace talus
