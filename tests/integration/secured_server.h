// A server that asks for tokens, certificates or both, in this process, and channels to it.
#pragma once

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "server/rpc/grpc_server.h"
#include "server/session/scene_host.h"
#include "talus/v1/error.pb.h"
#include "tests/support/certificates.h"

namespace talus::testing {

// Tokens of the table below, by scope.
inline constexpr char kReadToken[] = "token-that-may-read";
inline constexpr char kControlToken[] = "token-that-may-control";
inline constexpr char kAdminToken[] = "token-that-may-do-all";

TokenTable MakeTokens();

class SecuredServer {
 public:
  explicit SecuredServer(rpc::AccessOptions access, const Limits& limits = {});

  const std::string& address() const { return server_->addresses()[0]; }
  SceneHost& host() { return *host_; }
  // A channel of its own to `address()`; null credentials: plain text.
  std::shared_ptr<grpc::Channel> Open(
      std::shared_ptr<grpc::ChannelCredentials> credentials = nullptr) const;

 private:
  std::unique_ptr<SceneHost> host_;
  std::unique_ptr<rpc::GrpcServer> server_;
};

struct CallEnd {
  grpc::Status status;
  v1::ErrorDetail detail;
  std::string messages;  // bytes of all answers, one after the other
};

// Makes a call of whatever kind with one request, with the token unless it is empty.
CallEnd CallAny(const std::shared_ptr<grpc::Channel>& channel, const std::string& path,
                const std::string& token, const std::string& request = "",
                std::chrono::milliseconds patience = std::chrono::minutes(1));

}  // namespace talus::testing
