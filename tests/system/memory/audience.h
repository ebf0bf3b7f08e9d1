// A scene of 10 000 balls that steps in real time, and who watches it at 60 Hz: one who reads and
// others who read one frame and no more. Everybody has a connection of his own.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "talus/v1/stream_service.grpc.pb.h"

namespace talus::memory {

// Makes the scene and lets it run. Empty: done; else what went wrong.
std::string StartScene(const std::string& address);

std::shared_ptr<grpc::Channel> OpenChannel(const std::string& address);

class Audience {
 public:
  // `count` watchers, all but the first stalled. Returns once each has its first frame.
  Audience(const std::string& address, int count);
  ~Audience();
  Audience(const Audience&) = delete;
  Audience& operator=(const Audience&) = delete;

  bool complete() const { return complete_; }
  // That the one who reads got.
  int64_t frame_count() const { return frames_; }

 private:
  struct Watcher {
    std::unique_ptr<v1::StreamService::Stub> stub;
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::WatchStateResponse>> stream;
  };

  std::vector<std::unique_ptr<Watcher>> watchers_;
  bool complete_ = true;
  std::atomic<int64_t> frames_ = 0;
  std::thread reader_;
};

}  // namespace talus::memory
