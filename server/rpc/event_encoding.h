// Events of a scene as WatchEvents sends them: as many in one message as wait when it is their
// turn.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include "server/stream/event_subscription.h"
#include "talus/v1/stream_service.pb.h"

namespace talus::rpc {

// The bytes of the WatchEventsResponse.
grpc::ByteBuffer EncodeEventsResponse(const EventBatch& batch);

}  // namespace talus::rpc
