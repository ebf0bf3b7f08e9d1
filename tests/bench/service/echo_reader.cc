#include "tests/bench/service/echo_reader.h"

#include <chrono>

#include "tests/bench/service/echo_trips.h"

namespace talus::bench {

EchoReader::EchoReader(const std::shared_ptr<grpc::Channel>& channel, uint32_t frame_bytes)
    : trip_(MakeEchoStream(channel, frame_bytes)) {
  status_ = trip_->Make();
  if (status_.ok()) thread_ = std::thread([this] { ReadAll(); });
}

EchoReader::~EchoReader() { (void)End(); }

void EchoReader::ReadAll() {
  using Clock = std::chrono::steady_clock;
  const auto period = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(1.0 / kFrameRateHz));
  Clock::time_point due = Clock::now();
  while (!ending_.load(std::memory_order_relaxed)) {
    due += period;
    std::this_thread::sleep_until(due);
    status_ = trip_->Make();
    if (!status_.ok()) return;
    ++frames_;
  }
}

absl::Status EchoReader::End() {
  ending_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
  return status_;
}

}  // namespace talus::bench
