// Asks a running server whether it serves, by grpc.health.v1: the client side of `talus_server
// --health-check`.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/status.h"

namespace talus::rpc {

// OK only when the server at `address` says SERVING within `patience`; else what it said or why it
// could not be asked.
absl::Status CheckHealth(const std::string& address, std::chrono::milliseconds patience);

}  // namespace talus::rpc
