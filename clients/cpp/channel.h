// The connection under a Client: gRPC's channel with the credentials, sizes and habits that Talus
// wants. For programs that call gRPC beside the client.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "clients/cpp/client.h"

namespace talus::client {

// Connects with the first call, which carries the token as all others do.
std::shared_ptr<grpc::Channel> OpenChannel(const std::string& address,
                                           const ClientOptions& options);

}  // namespace talus::client
