// The service and the bare echo, each a process of its own, side by side on one transport.
//
// Both end with this object. A channel of its own for everybody who asks, so that clients are to
// each other what separate programs are.
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "clients/cpp/server_process.h"
#include "server/runtime/chosen_cores.h"

namespace talus::bench {

enum class Transport { kTcp, kUnix };
const char* TransportName(Transport transport);

// What the C++ client of the service opens.
std::shared_ptr<grpc::Channel> OpenChannel(const std::string& address);

// A program in the folder of this one.
std::string FindBeside(const std::string& name);

class ServerPair {
 public:
  // Both programs are taken from beside this one; `arguments` are for the service.
  static absl::StatusOr<ServerPair> Start(Transport transport,
                                          std::vector<std::string> arguments = {});
  // The calls of both come on one core: those of the service by its option, all of the echo's.
  static absl::StatusOr<ServerPair> StartOnOneCore(Transport transport);

  const std::string& talus_address() const { return talus_.address(); }
  const std::string& echo_address() const { return echo_.address(); }
  std::shared_ptr<grpc::Channel> OpenTalus() const;
  std::shared_ptr<grpc::Channel> OpenEcho() const;
  // Resident memory of the service.
  double ReadTalusMib() const;

 private:
  ServerPair(client::ServerProcess talus, client::ServerProcess echo)
      : talus_(std::move(talus)), echo_(std::move(echo)) {}
  static absl::StatusOr<ServerPair> Start(Transport transport, std::vector<std::string> arguments,
                                          const Cores& echo_cores);

  client::ServerProcess talus_;
  client::ServerProcess echo_;
};

}  // namespace talus::bench
