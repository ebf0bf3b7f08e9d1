// Whether steps in lock-step come sooner where cores are kept awake between them: found by trying.
//
// It depends on the machine. Where a halted core is slow to wake, a thread that keeps it busy pays;
// where interrupting a busy core takes longer than waking a halted one, it costs more than it
// saves. So while one of the two is in use the other is tried now and then, for some hundred
// steps between two measurements of the first, and is used from then on where steps came clearly
// sooner with it. Each time it was not, the next trial comes four times later.
#pragma once

#include <chrono>
#include <cstdint>

namespace talus {

struct AwakeTrialPlan {
  int64_t settled = 64;       // steps after a change until they are measured
  int64_t measured = 192;     // steps whose intervals are compared
  int64_t longest = 131'072;  // steps until the next trial
  double gain = 0.05;         // share of the interval by which the other must be shorter
};

// Not thread-safe.
class AwakeTrial {
 public:
  explicit AwakeTrial(const AwakeTrialPlan& plan = {});

  // A step came so long after the one before.
  void Note(std::chrono::nanoseconds interval);
  // The caller has paused: his next steps settle first.
  void Pause();

  // Whether cores are to be kept awake until the next step. At first they are.
  bool awake() const { return stage_ == Stage::kOther ? !choice_ : choice_; }

 private:
  enum class Stage { kUse, kOther, kAgain };

  void Enter(Stage stage, int64_t steps);
  void EndStage();
  double MeanNs() const { return sum_ns_ / static_cast<double>(plan_.measured); }

  const AwakeTrialPlan plan_;
  bool choice_ = true;
  Stage stage_ = Stage::kUse;
  int64_t use_;             // steps of the next use
  int64_t settling_;        // steps that are not measured yet
  int64_t left_ = 0;        // measured steps until the stage ends
  double sum_ns_ = 0.0;     // of those of the stage that are measured
  double before_ns_ = 0.0;  // mean of the use before the trial
  double other_ns_ = 0.0;   // mean of the other
};

}  // namespace talus
