// One request and its answer, again and again: what the benchmark times, whatever is behind it.
//
// Everything that is measured against something else (a call of the echo against a call of the
// service, one transport against another) is a RoundTrip, so that all are timed by the same loop.
// Not thread-safe: one thread makes the trips.
#pragma once

#include "absl/status/status.h"

namespace talus::bench {

class RoundTrip {
 public:
  virtual ~RoundTrip() = default;

  // Sends one request and returns once its answer is here; an error ends the measurement.
  virtual absl::Status Make() = 0;
  // After the last trip: whether what came back was right. A wrong answer fails the benchmark.
  virtual absl::Status Check() = 0;
};

}  // namespace talus::bench
