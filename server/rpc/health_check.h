// Asks a running server whether it serves, by grpc.health.v1: the client side of `talus_server
// --health-check`.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace talus::rpc {

// How to ask a server that speaks TLS.
struct HealthTls {
  // Whether the server's certificate is looked at: signed by an authority of `ca_pem` (empty: of
  // the system), and made out to the address. Otherwise whoever answers is believed.
  bool check_server = true;
  std::string ca_pem;
  std::string certificate_pem;  // shown to a server that asks for one; empty: none
  std::string key_pem;
};

// OK only when the server at `address` says SERVING within `patience`; else what it said or why it
// could not be asked. Without `tls` it asks in plain text.
absl::Status CheckHealth(const std::string& address, std::chrono::milliseconds patience,
                         const std::optional<HealthTls>& tls = std::nullopt);

}  // namespace talus::rpc
