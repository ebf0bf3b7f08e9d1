#include "tests/bench/service/watcher.h"

#include <bit>

namespace talus::bench {
namespace {

v1::WatchStateRequest MakeWatchRequest(const std::string& scene, Numbers numbers) {
  v1::WatchStateRequest request;
  request.set_scene("scenes/" + scene);
  request.set_rate_hz(kFrameRateHz);
  if (numbers == Numbers::kExact) return request;
  request.set_profile(numbers == Numbers::kFloats ? v1::ENCODING_PROFILE_F32
                                                  : v1::ENCODING_PROFILE_QUANTIZED);
  request.mutable_selection()->set_positions(true);
  request.mutable_selection()->set_orientations(true);
  return request;
}

int64_t CountBits(const std::string& bytes) {
  int64_t count = 0;
  for (const char byte : bytes) count += std::popcount(static_cast<unsigned char>(byte));
  return count;
}

template <typename Columns>
bool HasColumns(const Columns& columns, int body_count) {
  return columns.positions_world_m_size() == 3 * body_count &&
         columns.orientations_wxyz_size() == 4 * body_count;
}

// Whether the poses of so many bodies are in the frame, or which of them changed.
bool HasPoses(const v1::Frame& frame, Numbers numbers, int body_count) {
  const size_t count = static_cast<size_t>(body_count);
  if (numbers == Numbers::kExact) return HasColumns(frame.bodies(), body_count);
  if (numbers == Numbers::kFloats) return HasColumns(frame.float_bodies(), body_count);
  const v1::QuantizedBodies& bodies = frame.quantized_bodies();
  if (bodies.key_frame()) {
    return bodies.key_positions().size() == 12 * count && bodies.orientations().size() == 6 * count;
  }
  const size_t told = 6 * static_cast<size_t>(CountBits(bodies.changed_rows()));
  return bodies.changed_rows().size() == (count + 7) / 8 &&
         bodies.position_deltas().size() == told && bodies.orientations().size() == told;
}

}  // namespace

Watcher::Watcher(const std::shared_ptr<grpc::Channel>& channel, const std::string& scene,
                 const Watching& how)
    : stub_(v1::StreamService::NewStub(channel)),
      how_(how),
      stream_(stub_->WatchState(&context_, MakeWatchRequest(scene, how.numbers))) {
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
  // The first frame brings the layout.
  if (frames_ < 0) body_count_ = frame.layout().body_ids_size();
  if (frame.step_index() <= step_index_) status_ = absl::InternalError("a frame went back");
  if (body_count_ == 0 || !HasPoses(frame, how_.numbers, body_count_)) {
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
