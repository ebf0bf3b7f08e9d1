#include "tests/bench/peers/state_measurement.h"

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "tests/bench/peers/record_quality.h"

namespace talus::peers {
namespace {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double PeakMib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// Sums over the measured steps.
class StepTally {
 public:
  void Note(const StepCost& cost, double wall_s, double cpu_s, const StepRecord& record,
            const RecordQuality& quality) {
    wall_ms_.push_back(wall_s * 1e3);
    cpu_ms_.push_back(cpu_s * 1e3);
    residuals_.push_back(quality.residual);
    solve_s_ += cost.solve_s;
    sweeps_ += cost.iterations;
    contact_sweeps_ += cost.iterations * static_cast<double>(record.contacts.size());
    weight_carried_ += quality.weight_carried;
    worst_.worst_contact_residual =
        std::max(worst_.worst_contact_residual, quality.worst_contact_residual);
    worst_.worst_penetration_m = std::max(worst_.worst_penetration_m, quality.worst_penetration_m);
    worst_.velocity_mismatch = std::max(worst_.velocity_mismatch, quality.velocity_mismatch);
  }
  void Write(PeerRow& row) const {
    const auto steps = static_cast<double>(wall_ms_.size());
    row.steps = static_cast<int>(wall_ms_.size());
    row.sweeps = sweeps_ / steps;
    row.residual = *std::max_element(residuals_.begin(), residuals_.end());
    row.median_residual = Median(residuals_);
    row.ms_per_step = Median(wall_ms_);
    row.cpu_ms_per_step = Median(cpu_ms_);
    row.ns_per_contact_sweep = contact_sweeps_ > 0.0 ? solve_s_ * 1e9 / contact_sweeps_ : 0.0;
    row.worst_contact_residual = worst_.worst_contact_residual;
    row.worst_penetration_m = worst_.worst_penetration_m;
    row.weight_carried = weight_carried_ / steps;
    row.velocity_mismatch = worst_.velocity_mismatch;
    row.peak_mib = PeakMib();
  }

 private:
  std::vector<double> wall_ms_;
  std::vector<double> cpu_ms_;
  std::vector<double> residuals_;
  double solve_s_ = 0.0;
  double sweeps_ = 0.0;
  double contact_sweeps_ = 0.0;
  double weight_carried_ = 0.0;
  RecordQuality worst_;
};

void ReadRecord(const PeerEngine& engine, const PeerState& after, StepRecord& record) {
  record.contacts.clear();
  record.linear_after.clear();
  record.angular_after.clear();
  engine.ReadContacts(record.contacts);
  for (const PeerBody& body : after.bodies) {
    record.linear_after.push_back(body.linear_velocity_m_s);
    record.angular_after.push_back(body.angular_velocity_rad_s);
  }
}

}  // namespace

double SpeculativeGap(const PeerState& state) {
  return 2.0 * state.time_step_s * state.time_step_s * state.gravity_m_s2.norm();
}

double ProcessCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

absl::StatusOr<PeerRow> MeasureState(const PeerState& state, const MeasureOptions& options,
                                     StepRecord& last) {
  absl::StatusOr<std::unique_ptr<PeerEngine>> made = MakeEngine(state, options.engine);
  if (!made.ok()) return made.status();
  PeerEngine& engine = **made;
  PeerState now = state;
  for (int step = 0; step < options.warmup; ++step) engine.Step();
  engine.ReadBodies(now);
  WorkerArena workers(1);
  StepTally tally;
  for (int step = 0; step < options.steps; ++step) {
    last.before = now;
    const double cpu_begin = ProcessCpuSeconds();
    const auto begin = std::chrono::steady_clock::now();
    const StepCost cost = engine.Step();
    const auto end = std::chrono::steady_clock::now();
    const double cpu_s = ProcessCpuSeconds() - cpu_begin;
    engine.ReadBodies(now);
    ReadRecord(engine, now, last);
    const double wall_s = std::chrono::duration<double>(end - begin).count();
    tally.Note(cost, wall_s - cost.foreign_s, cpu_s - cost.foreign_s, last,
               ComputeRecordQuality(workers, last));
  }
  PeerRow row;
  row.id = state.id;
  row.engine = kEngineName;
  row.engine_settings = engine.settings();
  row.residual_note = engine.residual_note();
  row.threads = options.engine.threads;
  row.bodies = static_cast<int64_t>(state.bodies.size());
  row.contacts = static_cast<int64_t>(last.contacts.size());
  tally.Write(row);
  return row;
}

}  // namespace talus::peers
