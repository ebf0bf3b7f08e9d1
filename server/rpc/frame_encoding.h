// Frames as WatchState sends them, encoded once and shared.
//
// The first watcher that needs a frame in a view encodes it; every other watcher with the same view
// sends the same bytes, without a copy. What differs from watcher to watcher (the drop count)
// travels in a slice of its own behind them.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <cstdint>

#include "server/stream/frame.h"
#include "server/wire/frame_codec.h"

namespace talus::rpc {

// The bytes of the WatchStateResponse {frame in `view`, dropped_since_last}.
grpc::ByteBuffer EncodeWatchResponse(const FrameData& frame, const wire::FrameView& view,
                                     int64_t dropped_since_last);

}  // namespace talus::rpc
