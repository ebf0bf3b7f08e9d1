// The lease under which a call comes: the token that Control gave, in the metadata `talus-lease`.
#pragma once

#include <grpcpp/server_context.h>

#include <string>

namespace talus::rpc {

inline constexpr char kLeaseKey[] = "talus-lease";

// Empty: none was sent, or what was sent is longer than any token.
inline std::string FindLease(const grpc::CallbackServerContext& context) {
  constexpr size_t kLongest = 64;
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(kLeaseKey);
  if (found == metadata.end() || found->second.size() > kLongest) return {};
  return {found->second.data(), found->second.size()};
}

}  // namespace talus::rpc
