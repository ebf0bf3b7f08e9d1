#include "tests/bench/cold_start.h"

#include "tests/bench/bench_world.h"
#include "tests/bench/step_tally.h"

namespace talus::bench {

void MeasureColdStart(std::string_view snapshot, const ColdStartOptions& options, BenchRow& row) {
  constexpr size_t kOwnGoal = 2;  // 1e-4
  WorkerArena workers(1);
  bool reached = true;
  row.repeats = options.repeats;
  row.threads = 1;
  for (size_t goal = 0; goal < options.goal_count; ++goal) {
    if (!reached) {
      row.goals[goal] = {-1.0, -1.0, -1.0};
      continue;
    }
    StepTally tally;
    for (int repeat = 0; repeat < options.repeats; ++repeat) {
      World world = RestoreCold(
          snapshot, {options.law, options.solver, kGoals[goal], options.max_sweeps, true});
      row.start_hash = world.state_hash();
      tally.TimeStep(world, workers);
      if (!tally.all_reached()) break;
    }
    reached = tally.all_reached();
    row.best_residual = tally.last().residual;
    if (reached) {
      row.goals[goal] = {Median(tally.solve_ms()), Median(tally.step_ms()),
                         static_cast<double>(tally.last().sweep_count)};
    } else {
      row.goals[goal] = {-1.0, -1.0, -1.0};
    }
    if (goal <= kOwnGoal) {
      tally.Write(row);
      row.tolerance = kGoals[goal];
    }
  }
}

}  // namespace talus::bench
