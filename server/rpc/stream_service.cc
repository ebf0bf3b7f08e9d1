#include "server/rpc/stream_service.h"

#include <grpcpp/impl/codegen/proto_utils.h>

#include "server/rpc/watch_reactor.h"
#include "server/session/error.h"

namespace talus::rpc {
namespace {

constexpr double kHighestRateHz = 10'000.0;
constexpr int64_t kLongestStride = 1'000'000;

absl::StatusOr<v1::WatchStateRequest> ParseRequest(const grpc::ByteBuffer& bytes) {
  grpc::ByteBuffer buffer = bytes;  // shares the slices; parsing consumes the buffer
  v1::WatchStateRequest request;
  if (!grpc::SerializationTraits<v1::WatchStateRequest>::Deserialize(&buffer, &request).ok()) {
    return absl::InvalidArgumentError("the request is no WatchStateRequest");
  }
  return request;
}

absl::StatusOr<Pace> DecodePace(const v1::WatchStateRequest& request) {
  switch (request.pace_case()) {
    case v1::WatchStateRequest::kRateHz:
      // Written so that NaN fails.
      if (!(request.rate_hz() > 0.0 && request.rate_hz() <= kHighestRateHz)) {
        return InvalidFieldError("rate_hz", std::to_string(request.rate_hz()),
                                 "must be in (0, 10000]");
      }
      return Pace(RatePace{request.rate_hz()});
    case v1::WatchStateRequest::kEveryNSteps:
      if (request.every_n_steps() < 1 || request.every_n_steps() > kLongestStride) {
        return InvalidFieldError("every_n_steps", std::to_string(request.every_n_steps()),
                                 "must be in [1, 1000000]");
      }
      return Pace(StepPace{request.every_n_steps()});
    case v1::WatchStateRequest::PACE_NOT_SET:
      break;
  }
  return Pace(StepPace{1});
}

wire::FrameView DecodeWatchView(const v1::WatchStateRequest& request) {
  if (request.has_selection()) return wire::DecodeView(request.selection());
  return {.parts = {.positions = true, .orientations = true}};
}

absl::Status ValidateFrameLimit(int64_t frame_limit) {
  if (frame_limit >= 0) return absl::OkStatus();
  return InvalidFieldError("frame_limit", std::to_string(frame_limit), "must be >= 0");
}

}  // namespace

grpc::ServerWriteReactor<grpc::ByteBuffer>* StreamService::WatchState(
    grpc::CallbackServerContext* call_context, const grpc::ByteBuffer* request_bytes) {
  const auto refuse = [&](const absl::Status& status) {
    WatchReactor* reactor = WatchReactor::Make(*call_context, context_.sender, {}, 0);
    reactor->Refuse(status);
    return reactor;
  };
  absl::StatusOr<v1::WatchStateRequest> request = ParseRequest(*request_bytes);
  if (!request.ok()) return refuse(request.status());
  absl::StatusOr<Pace> pace = DecodePace(*request);
  if (!pace.ok()) return refuse(pace.status());
  if (absl::Status status = ValidateFrameLimit(request->frame_limit()); !status.ok()) {
    return refuse(status);
  }
  auto scene = FindScene(context_, request->scene());
  if (!scene.ok()) return refuse(scene.status());
  WatchReactor* reactor = WatchReactor::Make(*call_context, context_.sender,
                                             DecodeWatchView(*request), request->frame_limit());
  reactor->Start(**scene, *pace);
  return reactor;
}

}  // namespace talus::rpc
