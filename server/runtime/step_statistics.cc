#include "server/runtime/step_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace talus {
namespace {

// Adds to a number that only this thread writes, or, in the shard that late threads share, any.
template <typename T>
void Add(std::atomic<T>& to, T amount, bool exclusive) {
  if (exclusive) {
    to.store(to.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  } else {
    to.fetch_add(amount, std::memory_order_relaxed);
  }
}

struct Histogram {
  std::array<std::atomic<int64_t>, StepStatistics::kMostBuckets> counts{};
  std::atomic<double> sum{0.0};

  void Record(const BucketLadder& ladder, double value, bool exclusive) {
    Add(counts[static_cast<size_t>(ladder.Find(value))], int64_t{1}, exclusive);
    Add(sum, value, exclusive);
  }
  void AddTo(const BucketLadder& ladder, HistogramReading& reading) const {
    reading.counts.resize(static_cast<size_t>(ladder.count));
    for (size_t i = 0; i < reading.counts.size(); ++i) {
      reading.counts[i] += counts[i].load(std::memory_order_relaxed);
    }
    reading.sum += sum.load(std::memory_order_relaxed);
  }
};

// This thread's number among all that ever recorded a step.
int ThreadNumber() {
  static std::atomic<int> next{0};
  thread_local const int number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

StepStatistics::Outcome OutcomeOf(const StepReport& report) {
  if (report.contact_count == 0) return StepStatistics::kWithoutContacts;
  return report.outcome == SolveOutcome::kConverged ? StepStatistics::kSolved
                                                    : StepStatistics::kUnconverged;
}

}  // namespace

int BucketLadder::Find(double value) const {
  if (!(value > 0.0)) return 0;
  // One bit less, so that a bound lies in the bucket it ends.
  const uint64_t bits = std::bit_cast<uint64_t>(value) - 1;
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  const int above = exponent - first_exponent + 1;  // powers of two the value lies above
  return std::clamp((above + (1 << stride_log2) - 1) >> stride_log2, 0, count - 1);
}

double BucketLadder::UpperBound(int bucket) const {
  if (bucket >= count - 1) return std::numeric_limits<double>::infinity();
  return std::ldexp(1.0, first_exponent + (bucket << stride_log2));
}

int64_t HistogramReading::total() const {
  return std::accumulate(counts.begin(), counts.end(), int64_t{0});
}

struct alignas(64) StepStatistics::Shard {
  std::array<Histogram, kStageCount> stages;
  Histogram step;
  Histogram residual;
  Histogram speed;
  std::array<std::atomic<int64_t>, kOutcomeCount> steps{};
  std::array<std::atomic<int64_t>, kMadeAheadCount> made_ahead{};
  std::atomic<double> simulated_s{0.0};
  std::atomic<int64_t> contacts{0};
  std::atomic<int64_t> sweeps{0};
  std::atomic<int64_t> bodies{0};
  std::atomic<int64_t> faults{0};
  std::atomic<int64_t> missed_ticks{0};
};

StepStatistics::StepStatistics() : shards_(std::make_unique<std::array<Shard, kShardCount>>()) {}
StepStatistics::~StepStatistics() = default;

StepStatistics::Shard& StepStatistics::OwnShard(bool& exclusive) {
  const int number = ThreadNumber();
  exclusive = number < kShardCount - 1;
  return (*shards_)[static_cast<size_t>(std::min(number, kShardCount - 1))];
}

void StepStatistics::Record(const StepReport& report, double time_step_s) {
  bool own = false;
  Shard& shard = OwnShard(own);
  const StageTimes& times = report.stage_times;
  const std::array<double, kStageCount> seconds = {
      times.find_pairs_s,       times.find_contacts_s,  times.advance_velocities_s,
      times.assemble_problem_s, times.solve_contacts_s, times.apply_impulses_s,
      times.advance_poses_s};
  double step_s = 0.0;
  for (size_t i = 0; i < seconds.size(); ++i) {
    shard.stages[i].Record(kSeconds, seconds[i], own);
    step_s += seconds[i];
  }
  shard.step.Record(kSeconds, step_s, own);
  if (step_s > 0.0) shard.speed.Record(kSpeed, time_step_s / step_s, own);
  if (report.contact_count > 0) shard.residual.Record(kResidual, report.residual, own);
  Add(shard.steps[OutcomeOf(report)], int64_t{1}, own);
  Add(shard.made_ahead[static_cast<size_t>(report.made_ahead)], int64_t{1}, own);
  Add(shard.simulated_s, time_step_s, own);
  Add(shard.contacts, report.contact_count, own);
  Add(shard.sweeps, int64_t{report.sweep_count}, own);
  Add(shard.bodies, report.body_count, own);
}

void StepStatistics::RecordFault() {
  bool own = false;
  Shard& shard = OwnShard(own);
  Add(shard.faults, int64_t{1}, own);
}

void StepStatistics::RecordMissedTicks(int64_t count) {
  bool own = false;
  Shard& shard = OwnShard(own);
  Add(shard.missed_ticks, count, own);
}

StepStatistics::Reading StepStatistics::Read() const {
  Reading reading;
  const auto add = [](const std::atomic<int64_t>& from, int64_t& to) {
    to += from.load(std::memory_order_relaxed);
  };
  for (const Shard& shard : *shards_) {
    for (size_t i = 0; i < reading.stages.size(); ++i) {
      shard.stages[i].AddTo(kSeconds, reading.stages[i]);
    }
    shard.step.AddTo(kSeconds, reading.step);
    shard.residual.AddTo(kResidual, reading.residual);
    shard.speed.AddTo(kSpeed, reading.speed);
    for (size_t i = 0; i < reading.steps.size(); ++i) add(shard.steps[i], reading.steps[i]);
    for (size_t i = 0; i < reading.made_ahead.size(); ++i) {
      add(shard.made_ahead[i], reading.made_ahead[i]);
    }
    reading.simulated_s += shard.simulated_s.load(std::memory_order_relaxed);
    add(shard.contacts, reading.contacts);
    add(shard.sweeps, reading.sweeps);
    add(shard.bodies, reading.bodies);
    add(shard.faults, reading.faults);
    add(shard.missed_ticks, reading.missed_ticks);
  }
  return reading;
}

}  // namespace talus
