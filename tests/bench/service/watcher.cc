#include "tests/bench/service/watcher.h"

namespace talus::bench {
namespace {

v1::WatchStateRequest MakeRequest(const std::string& scene, bool exact) {
  v1::WatchStateRequest request;
  request.set_scene("scenes/" + scene);
  request.set_rate_hz(kFrameRateHz);
  if (exact) return request;
  request.set_profile(v1::ENCODING_PROFILE_QUANTIZED);
  request.mutable_selection()->set_positions(true);
  request.mutable_selection()->set_orientations(true);
  return request;
}

// Bodies whose poses are in the frame; -1 where columns do not agree.
int CountBodies(const v1::Frame& frame, bool exact) {
  if (exact) {
    const int count = frame.bodies().positions_world_m_size() / 3;
    return frame.bodies().orientations_wxyz_size() == 4 * count ? count : -1;
  }
  const v1::QuantizedBodies& bodies = frame.quantized_bodies();
  const size_t count = bodies.orientations().size() / 6;
  const bool agree = bodies.key_frame() ? bodies.key_positions().size() == 12 * count
                                        : bodies.position_deltas().size() == 6 * count;
  return agree ? static_cast<int>(count) : -1;
}

}  // namespace

Watcher::Watcher(const std::shared_ptr<grpc::Channel>& channel, const std::string& scene,
                 const Watching& how)
    : stub_(v1::StreamService::NewStub(channel)),
      how_(how),
      stream_(stub_->WatchState(&context_, MakeRequest(scene, how.exact))) {
  if (!stream_->Read(&response_)) {
    status_ = absl::UnavailableError("no first frame");
    return;
  }
  Take(response_.frame());
  if (how_.live) thread_ = std::thread([this] { ReadAll(); });
}

Watcher::~Watcher() { (void)End(); }

void Watcher::ReadAll() {
  while (stream_->Read(&response_)) Take(response_.frame());
}

void Watcher::Take(const v1::Frame& frame) {
  const int count = CountBodies(frame, how_.exact);
  if (frames_ < 0) body_count_ = count;
  if (frame.step_index() <= step_index_) status_ = absl::InternalError("a frame went back");
  if (count <= 0 || count != body_count_) {
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
