// grpc.reflection: tells tools like grpcurl which services there are and what their messages look
// like, to callers who may read.
//
// Stands in the place of gRPC's own plugin because that one answers everybody and cannot be asked
// to look at a token. The protocol has the same bytes under v1alpha and v1, so one class serves
// both; its two small messages are coded by hand, as the schema is not among the packages.
#pragma once

#include <grpcpp/impl/service_type.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <string>
#include <string_view>
#include <vector>

#include "server/rpc/call_gate.h"

namespace talus::rpc {

// The bytes of a ServerReflectionResponse to the bytes of a ServerReflectionRequest. `services` are
// the names listed. A request that does not parse or asks for something unknown gets an
// error_response.
std::string AnswerReflection(std::string_view request, const std::vector<std::string>& services);

class ReflectionService final : public grpc::Service {
 public:
  // `package` is grpc.reflection.v1alpha or grpc.reflection.v1. What is passed by reference must
  // outlive the service.
  ReflectionService(const std::string& package, const std::vector<std::string>& services,
                    const CallGate& gate);

 private:
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* Serve(
      grpc::CallbackServerContext& context) const;

  const std::vector<std::string>& services_;
  const CallGate& gate_;
};

}  // namespace talus::rpc
