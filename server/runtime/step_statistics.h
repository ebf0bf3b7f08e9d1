// What all steps of the server came to, in counts that only grow: how long each stage took, how
// well contacts were solved, how fast simulated time passed.
//
// Written by the threads that step, read by whoever draws a page of metrics; knows neither. A
// record costs some thirty plain additions: every thread has a shard of its own that nobody else
// writes, so no step waits for another's cache line. Reading adds the shards up and may catch a
// step half recorded, which the next reading repairs.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "solver/world/step_report.h"

namespace talus {

// Buckets whose bounds are powers of two: bucket i holds values up to 2^(first + i * stride), the
// last one all that is greater. The stride is a power of two itself, so that finding a bucket needs
// no division.
struct BucketLadder {
  int first_exponent = 0;
  int stride_log2 = 0;
  int count = 0;

  // The place of a value; what is not greater than zero, and NaN, go to the first.
  int Find(double value) const;
  double UpperBound(int bucket) const;  // of the last: infinity
};

// A histogram as it was read.
struct HistogramReading {
  std::vector<int64_t> counts;  // one a bucket
  double sum = 0.0;
  int64_t total() const;
};

class StepStatistics {
 public:
  enum Stage : int {
    kFindPairs,
    kFindContacts,
    kAdvanceVelocities,
    kAssembleProblem,
    kSolveContacts,
    kApplyImpulses,
    kAdvancePoses,
    kStageCount,
  };
  enum Outcome : int { kSolved, kUnconverged, kWithoutContacts, kOutcomeCount };

  static constexpr int kMadeAheadCount = 3;  // as MadeAhead numbers them
  static constexpr int kMostBuckets = 26;
  static constexpr BucketLadder kSeconds{-20, 0, 25};   // 1 us to 8 s
  static constexpr BucketLadder kResidual{-48, 2, 14};  // 4e-15 to 1
  static constexpr BucketLadder kSpeed{-8, 0, 24};      // 1/256 to 16384 times real time

  struct Reading {
    std::array<HistogramReading, kStageCount> stages;  // seconds
    HistogramReading step;                             // seconds, all stages
    HistogramReading residual;                         // of steps that solved contacts
    HistogramReading speed;                            // simulated time over the step's own
    std::array<int64_t, kOutcomeCount> steps{};
    std::array<int64_t, kMadeAheadCount> made_ahead{};  // the same steps
    double simulated_s = 0.0;
    int64_t contacts = 0;
    int64_t sweeps = 0;
    int64_t bodies = 0;  // summed over steps: body steps
    int64_t faults = 0;
    int64_t missed_ticks = 0;
  };

  StepStatistics();
  ~StepStatistics();

  // A step of `time_step_s` that `report` tells of was made.
  void Record(const StepReport& report, double time_step_s);
  // A scene became FAULTED.
  void RecordFault();
  // A controller in real time missed so many ticks, at which the scene stepped without it or not.
  void RecordMissedTicks(int64_t count);
  Reading Read() const;

 private:
  struct Shard;
  static constexpr int kShardCount = 64;
  Shard& OwnShard(bool& exclusive);

  const std::unique_ptr<std::array<Shard, kShardCount>> shards_;
};

}  // namespace talus
