// A reader to whom the bare echo sends as many bytes as the service sends a watcher, as often: what
// sixteen readers cost the steps on this machine whoever sends them their frames.
//
// The stream ends with this object.
#pragma once

#include <grpcpp/channel.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "tests/bench/service/frame_reader.h"
#include "tests/bench/service/round_trip.h"

namespace talus::bench {

class EchoReader final : public FrameReader {
 public:
  // `frame_bytes` from 1 to 1048576. Returns once the first frame is here, or the stream has
  // failed.
  EchoReader(const std::shared_ptr<grpc::Channel>& channel, uint32_t frame_bytes);
  ~EchoReader() override;

  absl::Status End() override;
  bool live() const override { return true; }
  int64_t frames() const override { return frames_; }

 private:
  void ReadAll();

  const std::unique_ptr<RoundTrip> trip_;
  std::atomic<bool> ending_{false};
  // Of the thread until it has ended.
  int64_t frames_ = 0;
  absl::Status status_;
  std::thread thread_;
};

}  // namespace talus::bench
