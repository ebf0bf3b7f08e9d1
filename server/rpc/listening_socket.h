// A bound socket that programs connect to. They wait in the kernel's queue until they are accepted.
#pragma once

#include <sys/socket.h>

#include <vector>

#include "absl/status/statusor.h"
#include "server/rpc/listen_address.h"

namespace talus::rpc {

class ListeningSocket {
 public:
  // Those of one address, at least one. A name may stand for several addresses: they get the same
  // port, and those that cannot be had are left out. Every interface means IPv6 and IPv4, where the
  // machine has both. A unix socket that nobody answers on is replaced. The error names the address
  // and says why: UNAVAILABLE, or what ClaimSocketPath says.
  static absl::StatusOr<std::vector<ListeningSocket>> Open(const ListenAddress& address);

  ListeningSocket(ListeningSocket&& other) noexcept;
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;
  // Who still waits is disconnected, and the file of a unix socket goes.
  ~ListeningSocket();

  int descriptor() const { return descriptor_; }
  // As it was asked for, with the real port.
  const ListenAddress& address() const { return address_; }

  // The next connection that waits: a descriptor that does not block, which is the caller's. -1
  // with errno where there is none.
  int Accept() const;

 private:
  ListeningSocket(int descriptor, const ListenAddress& address)
      : descriptor_(descriptor), address_(address) {}
  static absl::StatusOr<ListeningSocket> Bind(const ListenAddress& address, const sockaddr* name,
                                              socklen_t size);

  int descriptor_;
  ListenAddress address_;
  bool bound_ = false;
};

}  // namespace talus::rpc
