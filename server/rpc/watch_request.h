// What WatchStateRequest asks for, as the middle ring and the encoder take it.
#pragma once

#include "absl/status/statusor.h"
#include "server/stream/watch_options.h"
#include "server/wire/frame_codec.h"
#include "talus/v1/stream_service.pb.h"

namespace talus::rpc {

struct WatchRequest {
  WatchOptions options;
  wire::FrameView view;
  int64_t frame_limit = 0;  // 0: none
};

// INVALID_ARGUMENT names the field.
absl::StatusOr<WatchRequest> DecodeWatchRequest(const v1::WatchStateRequest& message);

}  // namespace talus::rpc
