// The server's life: open the data directory, listen, serve, drain, end.
//
// Puts the middle ring and the gRPC server together and takes them apart in the right order. Knows
// nothing of signals and of the command line; main does.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/app/options.h"
#include "server/session/scene_library.h"

namespace talus::app {

class Server {
 public:
  // Serves when this returns; `scenes` are those that callers make by name. The Status says in
  // words what could not be had.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const Options& options, SceneLibrary scenes);
  // Drains without patience.
  ~Server();

  // One for each of options.listen, with the real ports.
  const std::vector<std::string>& addresses() const;

  // Where the pages for monitoring are; empty when they were not asked for.
  const std::string& metrics_address() const;

  // Health turns NOT_SERVING, new work is refused, running calls end at their next step boundary,
  // streams end with a reason. False when a step took longer than `patience`: the destructor would
  // wait for that step. Idempotent. Blocks.
  bool Drain(std::chrono::milliseconds patience);

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talus::app
