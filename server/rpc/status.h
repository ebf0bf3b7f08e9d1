// The one place where a failure of the server becomes a grpc::Status.
//
// Code and message pass through; the machine-readable part (reason, field, value, limit, steps
// done, retry hint) travels as a serialized talus.v1.ErrorDetail in the trailing metadata
// `talus-error-bin`, together with the id under which the failure was logged in `talus-request-id`.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "talus/v1/error.pb.h"

namespace talus::rpc {

inline constexpr char kErrorDetailKey[] = "talus-error-bin";
inline constexpr char kRequestIdKey[] = "talus-request-id";
// A caller that sets this metadata chooses the id itself.
inline constexpr char kChosenRequestIdKey[] = "x-request-id";

// Adds the trailing metadata to `context` and logs the failure; to be called at most once a call,
// before Finish. OK stays OK and is only counted.
grpc::Status EncodeStatus(const absl::Status& status, std::string_view method,
                          grpc::CallbackServerContext& context);

// The same inside an answer; `status` is not OK. Not logged: the call goes on.
void EncodeErrorStatus(const absl::Status& status, v1::ErrorStatus& message);

// The request id the caller chose; empty when there is none that can be used.
std::string ChosenRequestId(const grpc::CallbackServerContext& context);

}  // namespace talus::rpc
