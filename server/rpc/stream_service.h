// talus.v1.StreamService: lets callers watch a scene as it moves, and what happens to it.
//
// Both RPCs are served raw, as bytes, so that watchers can share the encoded frames.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include "server/rpc/service_context.h"
#include "talus/v1/stream_service.grpc.pb.h"

namespace talus::rpc {

class StreamService
    : public v1::StreamService::WithRawCallbackMethod_WatchState<
          v1::StreamService::WithRawCallbackMethod_WatchEvents<v1::StreamService::Service>> {
 public:
  explicit StreamService(const ServiceContext& context) : context_(context) {}

  grpc::ServerWriteReactor<grpc::ByteBuffer>* WatchState(
      grpc::CallbackServerContext* call_context, const grpc::ByteBuffer* request_bytes) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* WatchEvents(
      grpc::CallbackServerContext* call_context, const grpc::ByteBuffer* request_bytes) override;

 private:
  const ServiceContext& context_;
};

}  // namespace talus::rpc
