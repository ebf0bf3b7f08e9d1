// One who watches a scene at 60 Hz over a connection of its own: live, on a thread that reads every
// frame, or stalled, who reads the first and no more.
//
// The stream ends with this object.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "talus/v1/stream_service.grpc.pb.h"
#include "tests/bench/service/frame_reader.h"

namespace talus::bench {

// Poses and velocities as they are; poses as floats; poses quantised for a viewer.
enum class Numbers { kExact, kFloats, kQuantized };

struct Watching {
  bool live = true;
  Numbers numbers = Numbers::kExact;
};

class Watcher final : public FrameReader {
 public:
  // Returns once the first frame is here, or the stream has failed.
  Watcher(const std::shared_ptr<grpc::Channel>& channel, const std::string& scene,
          const Watching& how);
  ~Watcher() override;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // What may be wrong: no first frame, an end before its time, a step index that does not grow,
  // columns of the wrong length.
  absl::Status End() override;
  bool live() const override { return how_.live; }
  int64_t frames() const override { return frames_; }

 private:
  void ReadAll();
  void Take(const v1::Frame& frame);

  const std::unique_ptr<v1::StreamService::Stub> stub_;
  const Watching how_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchStateResponse>> stream_;
  v1::WatchStateResponse response_;
  // Of the thread until it has ended.
  int64_t frames_ = -1;
  int64_t step_index_ = -1;
  int body_count_ = 0;
  absl::Status status_;
  std::thread thread_;
  bool ended_ = false;
};

}  // namespace talus::bench
