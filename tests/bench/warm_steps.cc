#include "tests/bench/warm_steps.h"

#include "tests/bench/bench_world.h"
#include "tests/bench/memory_use.h"
#include "tests/bench/step_tally.h"

namespace talus::bench {
namespace {

// The hashes after each step, in order. The first run writes them, the others must agree.
class HashList {
 public:
  explicit HashList(std::string id) : id_(std::move(id)) {}
  void Check(size_t step, int threads, uint64_t hash) {
    if (step == hashes_.size()) hashes_.push_back(hash);
    if (hashes_[step] == hash) return;
    Fail(id_ + ": the hash after step " + std::to_string(step + 1) + " on " +
         std::to_string(threads) + " threads is " + FormatHash(hash) + ", was " +
         FormatHash(hashes_[step]) + " before");
  }

 private:
  std::string id_;
  std::vector<uint64_t> hashes_;
};

void TimeWarmSteps(World world, int threads, int steps, StepTally& tally, HashList& hashes) {
  WorkerArena workers(threads);
  for (int step = 0; step < steps; ++step) {
    hashes.Check(static_cast<size_t>(step), threads, tally.TimeStep(world, workers).state_hash);
  }
}

}  // namespace

std::vector<BenchRow> MeasureWarmSteps(std::string_view snapshot, const WarmStepsOptions& options,
                                       const BenchRow& row) {
  const SolverSettings settings = {options.law, SolverKind::kLawDefault, options.tolerance,
                                   options.max_sweeps, true};
  BenchRow start = row;
  MeasureMemory(snapshot, options.law, start);
  start.start_hash = RestoreWith(snapshot, settings).state_hash();
  start.repeats = options.repeats;
  start.tolerance = options.tolerance;
  HashList hashes(row.id);
  StepTally one;
  StepTally two;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    TimeWarmSteps(RestoreWith(snapshot, settings), 1, options.steps, one, hashes);
    TimeWarmSteps(RestoreWith(snapshot, settings), 2, options.steps, two, hashes);
  }
  for (const int threads : {3, 7, 16}) {
    StepTally untold;
    TimeWarmSteps(RestoreWith(snapshot, settings), threads, options.hash_steps, untold, hashes);
  }
  std::vector<BenchRow> rows(2, start);
  one.Write(rows[0]);
  two.Write(rows[1]);
  rows[1].threads = 2;
  rows[0].speedup = 1.0;
  rows[1].speedup = rows[0].ms_per_step / rows[1].ms_per_step;
  return rows;
}

}  // namespace talus::bench
