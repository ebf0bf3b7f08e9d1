// The listening gRPC server with every service of talus.v1, health and reflection.
//
// Owns the services and their threads of gRPC; borrows the scene host, which must outlive it. What
// it promises its callers: messages up to the limit both ways, and pings every ten seconds also
// while no call runs.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/session/scene_host.h"

namespace talus::rpc {

class GrpcServer {
 public:
  // Listens on every address (`host:port` or `unix:/path`); port 0 takes any free one. UNAVAILABLE
  // names the address that could not be had.
  static absl::StatusOr<std::unique_ptr<GrpcServer>> Start(SceneHost& host,
                                                           const std::vector<std::string>& listen,
                                                           const std::string& version);
  // Shuts down without patience.
  ~GrpcServer();

  // The addresses as given, with the real ports.
  const std::vector<std::string>& addresses() const;
  // Tells health watchers and load balancers to go elsewhere; calls are still taken.
  void AnnounceDrain();
  // Takes no calls any more, waits for those that run and cancels what is left after `patience`.
  // Idempotent. Blocks.
  void Shutdown(std::chrono::milliseconds patience);

 private:
  struct Impl;
  explicit GrpcServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talus::rpc
