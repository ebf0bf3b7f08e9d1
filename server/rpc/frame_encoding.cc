#include "server/rpc/frame_encoding.h"

#include <grpcpp/support/slice.h>

#include <array>
#include <memory>
#include <string>

#include "talus/v1/stream_service.pb.h"

namespace talus::rpc {
namespace {

// A message whose every field is in `response` is the concatenation of its fields: protobuf
// encodings concatenate.
std::string EncodeFrameField(const FrameData& frame, const wire::FrameView& view) {
  v1::WatchStateResponse response;
  wire::EncodeFrame(frame, view, *response.mutable_frame());
  return response.SerializeAsString();
}

std::string EncodeDropField(int64_t dropped_since_last) {
  v1::WatchStateResponse response;
  response.set_dropped_since_last(dropped_since_last);
  return response.SerializeAsString();
}

// A slice that keeps the shared bytes alive until gRPC has sent them.
grpc::Slice ShareBytes(const FrameEncodings::Bytes& bytes) {
  auto* owner = new FrameEncodings::Bytes(bytes);
  return grpc::Slice(
      const_cast<char*>(bytes->data()), bytes->size(),
      [](void* held) { delete static_cast<FrameEncodings::Bytes*>(held); }, owner);
}

}  // namespace

grpc::ByteBuffer EncodeWatchResponse(const FrameData& frame, const wire::FrameView& view,
                                     int64_t dropped_since_last) {
  const FrameEncodings::Bytes bytes =
      frame.encodings.FindOrEncode(view.Key(), [&] { return EncodeFrameField(frame, view); });
  const std::array<grpc::Slice, 2> slices = {ShareBytes(bytes),
                                             grpc::Slice(EncodeDropField(dropped_since_last))};
  return grpc::ByteBuffer(slices.data(), dropped_since_last == 0 ? 1 : 2);
}

}  // namespace talus::rpc
