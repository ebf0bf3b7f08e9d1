// How many frames went out to watchers and how many were dropped because a watcher was slow, since
// the process began. One relaxed addition a frame.
#pragma once

#include <atomic>
#include <cstdint>

namespace talus::telemetry {

struct StreamCounts {
  std::atomic<int64_t> frames_sent{0};
  std::atomic<int64_t> frames_dropped{0};
};

// Of the process, like the log.
StreamCounts& TheStreamCounts();

inline void CountFrame(int64_t dropped_before) {
  StreamCounts& counts = TheStreamCounts();
  counts.frames_sent.fetch_add(1, std::memory_order_relaxed);
  if (dropped_before > 0)
    counts.frames_dropped.fetch_add(dropped_before, std::memory_order_relaxed);
}

}  // namespace talus::telemetry
