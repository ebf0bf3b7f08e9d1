// How long round trips took, in microseconds, and what is said of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "tests/bench/service/round_trip.h"

namespace talus::bench {

inline double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// When a measurement has seen enough.
struct Effort {
  double seconds = 10.0;  // of both sides together
  int64_t count = 0;      // not 0: so many trips of each side instead, however long they take
};

class TripTimes {
 public:
  void Add(double us) { us_.push_back(static_cast<float>(us)); }
  void AddBusy(double seconds) { busy_s_ += seconds; }

  int64_t count() const { return static_cast<int64_t>(us_.size()); }
  // The value that `share` of the trips did not exceed, `share` in [0, 1]; 0 for none.
  double FindQuantile(double share) const;
  double median_us() const { return FindQuantile(0.5); }
  double p99_us() const { return FindQuantile(0.99); }
  // Trips made one after the other in a second, what is between them included; 0 for none.
  double rate_per_s() const;

 private:
  std::vector<float> us_;
  double busy_s_ = 0.0;
};

// Makes trips of both in turn, a block of one and then a block of the other, so that what else the
// machine does meets both alike. The first trips of each are not counted.
absl::Status MeasureInTurn(RoundTrip& floor, RoundTrip& trip, const Effort& effort,
                           TripTimes& floor_times, TripTimes& trip_times);

}  // namespace talus::bench
