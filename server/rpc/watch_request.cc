#include "server/rpc/watch_request.h"

#include <grpcpp/impl/codegen/proto_utils.h>

#include <chrono>
#include <string>

#include "server/session/error.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus::rpc {
namespace {

static_assert(static_cast<int>(wire::Profile::kQuantized) == v1::ENCODING_PROFILE_QUANTIZED);
static_assert(static_cast<int>(wire::Profile::kF64) == v1::ENCODING_PROFILE_F64);

constexpr int64_t kUsualQueue = 16;
constexpr int64_t kUsualKeyInterval = 60;

Pace DecodePace(const v1::WatchStateRequest& message) {
  switch (message.pace_case()) {
    case v1::WatchStateRequest::kRateHz:
      return RatePace{message.rate_hz()};
    case v1::WatchStateRequest::kEveryNSteps:
      return StepPace{message.every_n_steps()};
    case v1::WatchStateRequest::PACE_NOT_SET:
      break;
  }
  return StepPace{1};
}

absl::Status DecodePolicy(const v1::WatchStateRequest& message, WatchOptions& options) {
  switch (message.policy()) {
    case v1::SLOW_WATCHER_POLICY_UNSPECIFIED:
    case v1::SLOW_WATCHER_POLICY_LATEST:
      options.policy = SlowPolicy::kLatest;
      break;
    case v1::SLOW_WATCHER_POLICY_BUFFER:
      options.policy = SlowPolicy::kBuffer;
      break;
    case v1::SLOW_WATCHER_POLICY_BLOCK:
      options.policy = SlowPolicy::kBlock;
      break;
    case v1::SLOW_WATCHER_POLICY_DISCONNECT:
      options.policy = SlowPolicy::kDisconnect;
      break;
    default:
      return InvalidFieldError("policy", std::to_string(message.policy()),
                               "must be a SlowWatcherPolicy");
  }
  options.queue_frames = options.policy == SlowPolicy::kLatest ? 1 : kUsualQueue;
  if (message.has_queue_frames()) options.queue_frames = message.queue_frames();
  return absl::OkStatus();
}

absl::Status DecodeWait(const v1::WatchStateRequest& message, WatchOptions& options) {
  if (!message.has_max_wait_s()) return absl::OkStatus();
  if (options.policy != SlowPolicy::kBlock) {
    return InvalidFieldError("max_wait_s", FormatValue(message.max_wait_s()),
                             "must be unset unless policy is BLOCK");
  }
  constexpr double kLongest_s = std::chrono::duration<double>(kLongestWait).count();
  // Written so that NaN fails.
  if (!(message.max_wait_s() > 0.0 && message.max_wait_s() <= kLongest_s)) {
    return InvalidFieldError("max_wait_s", FormatValue(message.max_wait_s()), "must be in (0, 60]");
  }
  // Rounded up: so short a wait is one tick of the clock, not none.
  options.max_wait =
      std::chrono::ceil<Clock::Duration>(std::chrono::duration<double>(message.max_wait_s()));
  return absl::OkStatus();
}

absl::Status DecodeProfile(const v1::WatchStateRequest& message, WatchRequest& request) {
  const int profile = message.profile();
  if (profile < 0 || profile > v1::EncodingProfile_MAX) {
    return InvalidFieldError("profile", std::to_string(profile), "must be an EncodingProfile");
  }
  if (profile != v1::ENCODING_PROFILE_UNSPECIFIED) {
    request.view.profile = static_cast<wire::Profile>(profile);
  }
  const v1::Quantization& quantization = message.quantization();
  if (request.view.profile != wire::Profile::kQuantized) {
    if (!message.has_quantization()) return absl::OkStatus();
    return InvalidFieldError("quantization", "set", "must be unset unless profile is QUANTIZED");
  }
  const double step = quantization.has_position_step_m() ? quantization.position_step_m() : 1e-4;
  if (!(step >= 1e-6 && step <= 1.0)) {
    return InvalidFieldError("quantization.position_step_m", FormatValue(step),
                             "must be in [1e-06, 1]");
  }
  request.view.position_step_m = step;
  request.options.key_interval =
      quantization.has_key_interval() ? quantization.key_interval() : kUsualKeyInterval;
  if (request.options.key_interval >= 1 && request.options.key_interval <= kLongestKeyInterval) {
    return absl::OkStatus();
  }
  return InvalidFieldError("quantization.key_interval",
                           std::to_string(request.options.key_interval), "must be in [1, 10000]");
}

}  // namespace

bool HoldsScene(const grpc::ByteBuffer& bytes) {
  grpc::ByteBuffer buffer = bytes;  // shares the slices; parsing consumes the buffer
  v1::WatchStateRequest message;
  return grpc::SerializationTraits<v1::WatchStateRequest>::Deserialize(&buffer, &message).ok() &&
         message.policy() == v1::SLOW_WATCHER_POLICY_BLOCK;
}

absl::StatusOr<WatchRequest> DecodeWatchRequest(const v1::WatchStateRequest& message) {
  WatchRequest request;
  request.options.pace = DecodePace(message);
  request.frame_limit = message.frame_limit();
  if (request.frame_limit < 0) {
    return InvalidFieldError("frame_limit", std::to_string(request.frame_limit), "must be >= 0");
  }
  TALUS_RETURN_IF_ERROR(DecodePolicy(message, request.options));
  TALUS_RETURN_IF_ERROR(DecodeWait(message, request.options));
  request.options.bodies = wire::DecodeBodySelection(message.bodies());
  if (message.has_selection()) {
    request.view = wire::DecodeView(message.selection());
  } else {
    request.view.parts = {.positions = true, .orientations = true};
  }
  TALUS_RETURN_IF_ERROR(DecodeProfile(message, request));
  request.options.parts = request.view.parts;
  TALUS_RETURN_IF_ERROR(ValidateWatch(request.options));
  return request;
}

absl::StatusOr<EventWatchOptions> DecodeEventWatch(const v1::WatchEventsRequest& request) {
  EventWatchOptions options;
  for (int index = 0; index < request.kinds_size(); ++index) {
    const int kind = request.kinds(index);
    if (kind < 1 || kind > kEventKindCount) {
      return InvalidFieldError("kinds[" + std::to_string(index) + "]", std::to_string(kind),
                               "must be an EventKind");
    }
    options.kinds.set(static_cast<size_t>(kind));
  }
  options.bodies = wire::DecodeBodySelection(request.bodies());
  if (request.has_queue_events()) options.queue_events = request.queue_events();
  return options;
}

}  // namespace talus::rpc
