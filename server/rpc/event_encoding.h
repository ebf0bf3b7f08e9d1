// Events of a scene as WatchEvents asks for them and sends them.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include "absl/status/statusor.h"
#include "server/stream/event_subscription.h"
#include "talus/v1/stream_service.pb.h"

namespace talus::rpc {

// INVALID_ARGUMENT names a kind that is none. Bounds are checked by who subscribes.
absl::StatusOr<EventWatchOptions> DecodeEventWatch(const v1::WatchEventsRequest& request);

// The bytes of the WatchEventsResponse.
grpc::ByteBuffer EncodeEventsResponse(const EventBatch& batch);

}  // namespace talus::rpc
