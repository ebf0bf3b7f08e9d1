// The file of a unix socket: whether a server lives behind it, and removing it when none does.
#pragma once

#include <sys/un.h>

#include <string>

#include "absl/status/status.h"

namespace talus::rpc {

// What bind() and connect() call `path`, of at most 107 bytes.
sockaddr_un UnixSocketName(const std::string& path);

// Makes way for a new server at `path`: a socket nobody answers on is removed. ALREADY_EXISTS when
// a live server answers there, FAILED_PRECONDITION when the file is no socket.
absl::Status ClaimSocketPath(const std::string& path);

// Removes the socket, if it is one. For the server that listened there, when it ends.
void ReleaseSocketPath(const std::string& path);

}  // namespace talus::rpc
