#include "server/rpc/listening_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "server/rpc/unix_socket.h"
#include "server/session/error.h"

namespace talus::rpc {
namespace {

// A peer that confirms nothing for so long is gone; gRPC waits as long for the answer to a ping.
constexpr unsigned kUserTimeoutMs = 20'000;

template <typename T>
void SetOption(int descriptor, int level, int name, T value) {
  ::setsockopt(descriptor, level, name, &value, sizeof value);  // a hint everywhere it is used
}

absl::Status ListenError(const ListenAddress& address, const std::string& why) {
  return MakeError(absl::StatusCode::kUnavailable,
                   "cannot listen on " + address.ToString() + ": " + why, {});
}

// Where a sockaddr of TCP has its port, in the order of the network.
in_port_t& PortOf(sockaddr& name) {
  return name.sa_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(name).sin6_port
                                    : reinterpret_cast<sockaddr_in&>(name).sin_port;
}

int FindPort(int descriptor) {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &size) != 0) return 0;
  return ntohs(PortOf(reinterpret_cast<sockaddr&>(name)));
}

}  // namespace

ListeningSocket::ListeningSocket(ListeningSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      address_(std::move(other.address_)),
      bound_(std::exchange(other.bound_, false)) {}

ListeningSocket::~ListeningSocket() {
  // The file first: once the socket is closed it may be another server's.
  if (bound_ && address_.kind == ListenAddress::Kind::kUnix) ReleaseSocketPath(address_.path);
  if (descriptor_ >= 0) ::close(descriptor_);
}

absl::StatusOr<ListeningSocket> ListeningSocket::Bind(const ListenAddress& address,
                                                      const sockaddr* name, socklen_t size) {
  ListeningSocket made(::socket(name->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0),
                       address);
  if (made.descriptor_ < 0) return ListenError(address, std::strerror(errno));
  if (name->sa_family != AF_UNIX) SetOption(made.descriptor_, SOL_SOCKET, SO_REUSEADDR, 1);
  if (name->sa_family == AF_INET6) SetOption(made.descriptor_, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (::bind(made.descriptor_, name, size) != 0) return ListenError(address, std::strerror(errno));
  made.bound_ = true;
  if (::listen(made.descriptor_, SOMAXCONN) != 0) {
    return ListenError(address, std::strerror(errno));
  }
  if (name->sa_family != AF_UNIX) made.address_.port = FindPort(made.descriptor_);
  return made;
}

namespace {

// The names, in the sense of bind(), of a TCP address.
using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

absl::StatusOr<AddressList> Resolve(const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0) return ListenError(address, ::gai_strerror(error));
  return AddressList(found, ::freeaddrinfo);
}

}  // namespace

absl::StatusOr<std::vector<ListeningSocket>> ListeningSocket::Open(const ListenAddress& address) {
  std::vector<ListeningSocket> opened;
  absl::Status first_error;
  const auto bind = [&](const ListenAddress& at, const sockaddr* name, socklen_t size) {
    absl::StatusOr<ListeningSocket> made = Bind(at, name, size);
    if (made.ok()) opened.push_back(*std::move(made));
    first_error.Update(made.status());
  };
  if (address.kind == ListenAddress::Kind::kUnix) {
    if (absl::Status status = ClaimSocketPath(address.path); !status.ok()) return status;
    const sockaddr_un name = UnixSocketName(address.path);
    bind(address, reinterpret_cast<const sockaddr*>(&name), sizeof name);
  }
  if (address.kind == ListenAddress::Kind::kTcp && address.IsEveryInterface()) {
    sockaddr_in6 name{};
    name.sin6_family = AF_INET6;
    name.sin6_port = htons(static_cast<in_port_t>(address.port));
    bind(address, reinterpret_cast<const sockaddr*>(&name), sizeof name);
  }
  if (address.kind == ListenAddress::Kind::kTcp && opened.empty()) {
    const absl::StatusOr<AddressList> names = Resolve(address);
    if (!names.ok()) return names.status();
    for (addrinfo* name = names->get(); name != nullptr; name = name->ai_next) {
      // Port 0 is chosen once.
      if (!opened.empty()) {
        PortOf(*name->ai_addr) = htons(static_cast<in_port_t>(opened[0].address().port));
      }
      bind(address, name->ai_addr, name->ai_addrlen);
    }
  }
  if (opened.empty()) return first_error;
  return opened;
}

int ListeningSocket::Accept() const {
  const int connection = ::accept4(descriptor_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (connection >= 0 && address_.kind == ListenAddress::Kind::kTcp) {
    SetOption(connection, IPPROTO_TCP, TCP_NODELAY, 1);
    SetOption(connection, IPPROTO_TCP, TCP_USER_TIMEOUT, kUserTimeoutMs);
  }
  return connection;
}

}  // namespace talus::rpc
