// What WatchStateRequest and WatchEventsRequest ask for, as the middle ring and the encoder take
// it.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include "absl/status/statusor.h"
#include "server/stream/event_subscription.h"
#include "server/stream/watch_options.h"
#include "server/wire/frame_codec.h"
#include "talus/v1/stream_service.pb.h"

namespace talus::rpc {

struct WatchRequest {
  WatchOptions options;
  wire::FrameView view;
  int64_t frame_limit = 0;  // 0: none
};

// The request would let its watcher hold the scene up (BLOCK). False for bytes that are no request:
// the service refuses those.
bool HoldsScene(const grpc::ByteBuffer& bytes);

// INVALID_ARGUMENT names the field.
absl::StatusOr<WatchRequest> DecodeWatchRequest(const v1::WatchStateRequest& message);
// INVALID_ARGUMENT names a kind that is none. Bounds are checked by who subscribes.
absl::StatusOr<EventWatchOptions> DecodeEventWatch(const v1::WatchEventsRequest& request);

}  // namespace talus::rpc
