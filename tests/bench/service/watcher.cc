#include "tests/bench/service/watcher.h"

namespace talus::bench {
namespace {

constexpr double kRateHz = 60.0;

v1::WatchStateRequest MakeRequest(const std::string& scene) {
  v1::WatchStateRequest request;
  request.set_scene("scenes/" + scene);
  request.set_rate_hz(kRateHz);
  return request;
}

}  // namespace

Watcher::Watcher(const std::shared_ptr<grpc::Channel>& channel, const std::string& scene, bool live)
    : stub_(v1::StreamService::NewStub(channel)),
      live_(live),
      stream_(stub_->WatchState(&context_, MakeRequest(scene))) {
  if (!stream_->Read(&response_)) {
    status_ = absl::UnavailableError("no first frame");
    return;
  }
  Take(response_.frame());
  if (live_) thread_ = std::thread([this] { ReadAll(); });
}

Watcher::~Watcher() { (void)End(); }

void Watcher::ReadAll() {
  while (stream_->Read(&response_)) Take(response_.frame());
}

void Watcher::Take(const v1::Frame& frame) {
  const int size = frame.bodies().positions_world_m_size();
  if (frames_ < 0) column_size_ = size;
  if (frame.step_index() <= step_index_) status_ = absl::InternalError("a frame went back");
  if (size == 0 || size != column_size_ ||
      4 * size != 3 * frame.bodies().orientations_wxyz_size()) {
    status_ = absl::InternalError("columns of the wrong length");
  }
  step_index_ = frame.step_index();
  ++frames_;
}

absl::Status Watcher::End() {
  if (ended_) return status_;
  ended_ = true;
  context_.TryCancel();
  if (thread_.joinable()) thread_.join();
  while (stream_->Read(&response_)) {
  }
  const grpc::Status end = stream_->Finish();
  if (status_.ok() && end.error_code() != grpc::StatusCode::CANCELLED) {
    status_ = absl::UnavailableError("a stream ended by itself: " + end.error_message());
  }
  return status_;
}

}  // namespace talus::bench
