#include "tests/bench/many_scenes.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "solver/base/state_hash.h"
#include "tests/bench/bench_world.h"
#include "tests/bench/memory_use.h"
#include "tests/bench/step_tally.h"

namespace talus::bench {
namespace {

struct Pass {
  std::vector<StepTally> tallies;  // one a scene
  double wall_ms_per_step = 0.0;   // over all scene-steps
  double cpu_us_per_step = 0.0;
};

void StepScenes(std::vector<World>& worlds, int steps, std::atomic<size_t>& next,
                std::vector<StepTally>& tallies) {
  WorkerArena alone(1);
  for (size_t scene = next++; scene < worlds.size(); scene = next++) {
    for (int step = 0; step < steps; ++step) tallies[scene].TimeStep(worlds[scene], alone);
  }
}

Pass RunScenes(const std::vector<std::string>& snapshots, const SolverSettings& settings,
               int threads, int steps) {
  std::vector<World> worlds;
  for (const std::string& snapshot : snapshots) worlds.push_back(RestoreWith(snapshot, settings));
  Pass pass;
  pass.tallies.resize(worlds.size());
  std::atomic<size_t> next{0};
  const auto begin = std::chrono::steady_clock::now();
  const double cpu_begin = ReadCpuSeconds();
  std::vector<std::jthread> others;
  for (int thread = 1; thread < threads; ++thread) {
    others.emplace_back([&] { StepScenes(worlds, steps, next, pass.tallies); });
  }
  StepScenes(worlds, steps, next, pass.tallies);
  others.clear();
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
  const double scene_steps = static_cast<double>(worlds.size()) * steps;
  pass.wall_ms_per_step = wall.count() / scene_steps;
  pass.cpu_us_per_step = (ReadCpuSeconds() - cpu_begin) * 1e6 / scene_steps;
  return pass;
}

// All scenes as one: bodies, contacts and hashes of each at its end.
void WriteScenes(const std::vector<StepTally>& tallies, BenchRow& row) {
  StepTally all;
  std::string hashes;
  int64_t bodies = 0;
  int64_t contacts = 0;
  for (const StepTally& tally : tallies) {
    all.Merge(tally);
    bodies += tally.last().body_count;
    contacts += tally.last().contact_count;
    hashes += FormatHash(tally.last().state_hash);
  }
  all.Write(row);
  row.bodies = bodies;
  row.contacts = contacts;
  row.state_hash = HashBytes(hashes);
}

}  // namespace

std::vector<BenchRow> MeasureManyScenes(const std::vector<std::string>& snapshots,
                                        const ManyScenesOptions& options, const BenchRow& row) {
  const SolverSettings settings = {options.law, SolverKind::kLawDefault, 1e-3, 1000, true};
  BenchRow start = row;
  MeasureMemory(snapshots.front(), settings.law, start);
  std::string start_hashes;
  for (const std::string& snapshot : snapshots) {
    start_hashes += FormatHash(RestoreWith(snapshot, settings).state_hash());
  }
  start.start_hash = HashBytes(start_hashes);
  start.repeats = options.repeats;
  start.tolerance = settings.tolerance;
  std::vector<BenchRow> rows(2, start);
  std::vector<double> wall_ms[2];
  std::vector<double> cpu_us[2];
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    for (const int threads : {1, 2}) {
      const Pass pass = RunScenes(snapshots, settings, threads, options.steps);
      WriteScenes(pass.tallies, rows[threads - 1]);
      if (rows[threads - 1].state_hash != rows[0].state_hash) {
        Fail(row.id + ": the scenes end differently on " + std::to_string(threads) + " threads");
      }
      wall_ms[threads - 1].push_back(pass.wall_ms_per_step);
      cpu_us[threads - 1].push_back(pass.cpu_us_per_step);
    }
  }
  for (int k = 0; k < 2; ++k) {
    rows[k].threads = k + 1;
    rows[k].ms_per_step = Median(wall_ms[k]);
    rows[k].cpu_us_per_step = Median(cpu_us[k]);
    rows[k].speedup = rows[0].ms_per_step / rows[k].ms_per_step;
  }
  return rows;
}

}  // namespace talus::bench
