#include "tests/bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace talus::bench {
namespace {

[[noreturn]] void Fail(const absl::Status& status) {
  std::fprintf(stderr, "bench: %s\n", std::string(status.message()).c_str());
  std::exit(2);
}

const char* LawName(ContactLaw law) { return law == ContactLaw::kNcp ? "ncp" : "ccp"; }

const char* SolverName(const SolverSettings& settings) {
  switch (settings.solver) {
    case SolverKind::kAlartCurnier:
      return "alart_curnier";
    case SolverKind::kAcceleratedPsor:
      return "accelerated_psor";
    case SolverKind::kPsor:
      return "psor";
    case SolverKind::kApgd:
      return "apgd";
    case SolverKind::kLawDefault:
      break;
  }
  return settings.law == ContactLaw::kNcp ? "alart_curnier" : "accelerated_psor";
}

BenchRow StartRow(const std::string& id, const World& world, int threads) {
  BenchRow row;
  row.id = id;
  row.law = LawName(world.settings().solver.law);
  row.solver = SolverName(world.settings().solver);
  row.threads = threads;
  return row;
}

// Sums over the measured steps.
class StepTally {
 public:
  void Note(const StepReport& report, double seconds) {
    times_.push_back(seconds * 1e3);
    solve_s_ += report.stage_times.solve_contacts_s;
    contact_sweeps_ += static_cast<double>(report.contact_count) * report.sweep_count;
    sweeps_ += report.sweep_count;
    last_ = report;
    residual_ = std::max(residual_, report.residual);
  }
  void Write(BenchRow& row) const {
    row.bodies = last_.body_count;
    row.contacts = last_.contact_count;
    row.sweeps = sweeps_ / static_cast<double>(times_.size());
    row.residual = residual_;
    row.ms_per_step = Median(times_);
    row.ns_per_contact_sweep = contact_sweeps_ > 0.0 ? solve_s_ * 1e9 / contact_sweeps_ : 0.0;
    row.peak_mib = PeakMib();
    row.state_hash = last_.state_hash;
  }

 private:
  std::vector<double> times_;
  double solve_s_ = 0.0;
  double contact_sweeps_ = 0.0;
  double sweeps_ = 0.0;
  double residual_ = 0.0;
  StepReport last_;
};

void TimeStep(World& world, WorkerArena& workers, StepTally& tally) {
  const auto begin = std::chrono::steady_clock::now();
  const StepReport report = StepWorld(world, workers);
  const auto end = std::chrono::steady_clock::now();
  tally.Note(report, std::chrono::duration<double>(end - begin).count());
}

}  // namespace

World MakeWorld(const SceneDef& scene) {
  absl::StatusOr<World> world = World::Create(scene);
  if (!world.ok()) Fail(world.status());
  return *std::move(world);
}

StepReport StepWorld(World& world, WorkerArena& workers, const StepOptions& options) {
  absl::StatusOr<StepReport> report = world.Step(workers, options);
  if (!report.ok()) Fail(report.status());
  return *std::move(report);
}

BenchRow MeasureColdStep(const std::string& id, const SceneDef& scene, int threads, int repeats) {
  WorkerArena workers(threads);
  const World start = MakeWorld(scene);
  BenchRow row = StartRow(id, start, threads);
  StepTally tally;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    World world = start.Fork();
    TimeStep(world, workers, tally);
  }
  tally.Write(row);
  World world = start.Fork();
  StepOptions options;
  options.residual_history = true;
  const StepReport report = StepWorld(world, workers, options);
  const double goals[3] = {1e-2, 1e-3, 1e-4};
  for (size_t goal = 0; goal < 3; ++goal) {
    const auto& history = report.residual_history;
    const auto reached = std::find_if(history.begin(), history.end(),
                                      [&](double residual) { return residual <= goals[goal]; });
    row.sweeps_to[goal] =
        reached == history.end() ? -1 : static_cast<int>(reached - history.begin()) + 1;
  }
  return row;
}

BenchRow MeasureSteps(const std::string& id, World& world, int threads, int steps) {
  WorkerArena workers(threads);
  BenchRow row = StartRow(id, world, threads);
  StepTally tally;
  for (int step = 0; step < steps; ++step) TimeStep(world, workers, tally);
  tally.Write(row);
  return row;
}

}  // namespace talus::bench
