// The listening gRPC server with every service of talus.v1, health and reflection.
//
// Owns the services and their threads of gRPC; borrows the scene host, which must outlive it. What
// it promises its callers: messages up to the limit both ways, and pings every ten seconds also
// while no call runs. With TLS it speaks nothing else, except on unix sockets, which the
// permissions of their folder guard.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/rpc/listen_address.h"
#include "server/security/rate_limiter.h"
#include "server/security/tls_files.h"
#include "server/security/token_table.h"
#include "server/session/scene_host.h"

namespace talus::rpc {

// Who may call. By default everybody who can reach the server, in plain text.
struct AccessOptions {
  std::optional<TlsMaterial> tls;
  TokenTable tokens;                         // empty: none is asked for
  std::optional<RateLimiter::Options> rate;  // of each client
};

class GrpcServer {
 public:
  // Listens on every address; port 0 takes any free one. The error names the address that could
  // not be had.
  static absl::StatusOr<std::unique_ptr<GrpcServer>> Start(SceneHost& host,
                                                           const std::vector<ListenAddress>& listen,
                                                           const std::string& version,
                                                           AccessOptions access = {});
  // Shuts down without patience.
  ~GrpcServer();

  // The addresses as given, with the real ports.
  const std::vector<std::string>& addresses() const;
  // Tells health watchers and load balancers to go elsewhere; calls are still taken.
  void AnnounceDrain();
  // Takes no connections any more; those that are there stay. Idempotent.
  void StopListening();
  // Takes no connections and calls any more, waits for those that run and cancels what is left
  // after `patience`. Idempotent. Blocks.
  void Shutdown(std::chrono::milliseconds patience);

 private:
  struct Impl;
  explicit GrpcServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talus::rpc
