// One of those before whom a scene is stepped: reads frames over a connection of its own until it
// is ended.
#pragma once

#include <cstdint>

#include "absl/status/status.h"

namespace talus::bench {

// How often a reader gets a frame.
constexpr double kFrameRateHz = 60.0;

class FrameReader {
 public:
  virtual ~FrameReader() = default;

  // Ends the stream; what was wrong with it, if anything. Later calls say the same.
  virtual absl::Status End() = 0;
  // Whether it reads all it is sent.
  virtual bool live() const = 0;
  // After End: how many frames came beside the first.
  virtual int64_t frames() const = 0;
};

}  // namespace talus::bench
