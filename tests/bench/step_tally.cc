#include "tests/bench/step_tally.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "tests/bench/bench_world.h"

namespace talus::bench {
namespace {

constexpr double StageTimes::*kStages[] = {
    &StageTimes::find_pairs_s,         &StageTimes::find_contacts_s,
    &StageTimes::advance_velocities_s, &StageTimes::assemble_problem_s,
    &StageTimes::solve_contacts_s,     &StageTimes::apply_impulses_s,
    &StageTimes::advance_poses_s};

}  // namespace

const StepReport& StepTally::TimeStep(World& world, WorkerArena& workers) {
  const double cpu_begin = ReadCpuSeconds();
  const auto begin = std::chrono::steady_clock::now();
  last_ = StepWorld(world, workers);
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
  cpu_us_.push_back((ReadCpuSeconds() - cpu_begin) * 1e6);
  step_ms_.push_back(spent.count());
  solve_ms_.push_back(last_.stage_times.solve_contacts_s * 1e3);
  for (double StageTimes::*stage : kStages) stages_.*stage += last_.stage_times.*stage;
  contact_sweeps_ += static_cast<double>(last_.contact_count) * last_.sweep_count;
  sweeps_ += last_.sweep_count;
  residual_ = std::max(residual_, last_.residual);
  all_reached_ = all_reached_ && last_.outcome == SolveOutcome::kConverged;
  return last_;
}

void StepTally::Merge(const StepTally& other) {
  step_ms_.insert(step_ms_.end(), other.step_ms_.begin(), other.step_ms_.end());
  solve_ms_.insert(solve_ms_.end(), other.solve_ms_.begin(), other.solve_ms_.end());
  cpu_us_.insert(cpu_us_.end(), other.cpu_us_.begin(), other.cpu_us_.end());
  for (double StageTimes::*stage : kStages) stages_.*stage += other.stages_.*stage;
  contact_sweeps_ += other.contact_sweeps_;
  sweeps_ += other.sweeps_;
  residual_ = std::max(residual_, other.residual_);
  all_reached_ = all_reached_ && other.all_reached_;
  last_ = other.last_;
}

void StepTally::Write(BenchRow& row) const {
  const double steps = static_cast<double>(step_ms_.size());
  const double total_s = std::accumulate(step_ms_.begin(), step_ms_.end(), 0.0) * 1e-3;
  row.bodies = last_.body_count;
  row.contacts = last_.contact_count;
  row.colors = last_.color_count;
  row.reached = all_reached_;
  row.sweeps = sweeps_ / steps;
  row.residual = residual_;
  row.ms_per_step = Median(step_ms_);
  row.cpu_us_per_step = Median(cpu_us_);
  row.ns_per_contact_sweep =
      contact_sweeps_ > 0.0 ? stages_.solve_contacts_s * 1e9 / contact_sweeps_ : 0.0;
  for (double StageTimes::*stage : kStages) {
    row.stage_shares_pct.*stage = 100.0 * stages_.*stage / total_s;
  }
  row.peak_mib = PeakMib();
  row.state_hash = last_.state_hash;
}

}  // namespace talus::bench
