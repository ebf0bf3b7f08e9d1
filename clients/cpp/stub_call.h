// One call through a generated stub, with the options and the errors of this client. For the
// client's own sources: what a program calls is in client.h.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <stop_token>

#include "clients/cpp/call_options.h"
#include "clients/cpp/result.h"

namespace talus::client {

// Trailing metadata that carries the serialized ErrorDetail.
inline constexpr char kErrorDetailKey[] = "talus-error-bin";

// Metadata that carries the token of a lease.
inline constexpr char kLeaseKey[] = "talus-lease";

inline Error DecodeError(const grpc::Status& status, const grpc::ClientContext& context) {
  Error error;
  error.code = static_cast<Code>(status.error_code());
  error.message = status.error_message();
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto found = trailers.find(kErrorDetailKey);
  if (found != trailers.end()) {
    // A detail that does not parse leaves the code and the message, which are enough to act on.
    if (!error.detail.ParseFromArray(found->second.data(),
                                     static_cast<int>(found->second.size()))) {
      error.detail.Clear();
    }
  }
  return error;
}

inline void ApplyOptions(const CallOptions& options, grpc::ClientContext* context) {
  if (options.timeout.count() > 0) {
    context->set_deadline(std::chrono::system_clock::now() + options.timeout);
  }
  if (!options.lease.empty()) context->AddMetadata(kLeaseKey, options.lease);
}

template <typename Stub, typename Request, typename Response>
Result<Response> Call(Stub& stub,
                      grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                      const Request& request, const CallOptions& options) {
  grpc::ClientContext context;
  ApplyOptions(options, &context);
  const std::stop_callback on_stop(options.stop, [&context] { context.TryCancel(); });
  Response response;
  const grpc::Status status = (stub.*method)(&context, request, &response);
  if (!status.ok()) return DecodeError(status, context);
  return response;
}

}  // namespace talus::client
