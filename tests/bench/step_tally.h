// Steps a world against the clock and adds up what the steps took, so that every kind of row fills
// in the same figures the same way.
#pragma once

#include <vector>

#include "solver/world/world.h"
#include "tests/bench/bench_row.h"

namespace talus::bench {

class StepTally {
 public:
  // One step of the world, timed.
  const StepReport& TimeStep(World& world, WorkerArena& workers);

  const std::vector<double>& step_ms() const { return step_ms_; }
  const std::vector<double>& solve_ms() const { return solve_ms_; }
  const StepReport& last() const { return last_; }
  bool all_reached() const { return all_reached_; }

  // As if its steps had been made here too.
  void Merge(const StepTally& other);

  // Counts, times, shares, residual and hash; the goals, speed-up and bytes are others'.
  void Write(BenchRow& row) const;

 private:
  std::vector<double> step_ms_;
  std::vector<double> solve_ms_;
  std::vector<double> cpu_us_;
  StageTimes stages_;
  double contact_sweeps_ = 0.0;
  double sweeps_ = 0.0;
  double residual_ = 0.0;
  bool all_reached_ = true;
  StepReport last_;
};

}  // namespace talus::bench
