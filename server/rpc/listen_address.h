// Where the server listens: `host:port`, `[v6]:port` or `unix:/absolute/path`.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace talus::rpc {

struct ListenAddress {
  enum class Kind { kTcp, kUnix };
  Kind kind = Kind::kTcp;
  std::string host;  // TCP; without brackets
  int port = 0;      // TCP; 0 lets the system choose
  std::string path;  // unix socket, absolute

  // Only processes on this machine can reach it.
  bool IsLocal() const;
  // Any address of the machine, as 0.0.0.0 and [::] are.
  bool IsEveryInterface() const;
  // As clients and the `listening on` line take it.
  std::string ToString() const;
  // Where a program of this machine reaches who listens here.
  ListenAddress FromThisMachine() const;

  bool operator==(const ListenAddress&) const = default;
};

absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text);

}  // namespace talus::rpc
