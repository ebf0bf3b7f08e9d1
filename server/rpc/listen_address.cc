#include "server/rpc/listen_address.h"

#include <arpa/inet.h>
#include <sys/un.h>

#include <charconv>

namespace talus::rpc {
namespace {

// sun_path holds the path and a final zero.
constexpr size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

absl::Status AddressError(std::string_view text, std::string_view allowed) {
  return absl::InvalidArgumentError("listen address `" + std::string(text) + "` " +
                                    std::string(allowed));
}

}  // namespace

bool ListenAddress::IsLocal() const {
  if (kind == Kind::kUnix || host == "localhost") return true;
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6{};
  return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

bool ListenAddress::IsEveryInterface() const {
  in_addr v4{};
  in6_addr v6{};
  return (inet_pton(AF_INET, host.c_str(), &v4) == 1 && v4.s_addr == INADDR_ANY) ||
         (inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_UNSPECIFIED(&v6));
}

ListenAddress ListenAddress::FromThisMachine() const {
  ListenAddress address = *this;
  // For [::] too: who listens there takes IPv4 as well, and a container often has no ::1.
  if (IsEveryInterface()) address.host = "127.0.0.1";
  return address;
}

std::string ListenAddress::ToString() const {
  if (kind == Kind::kUnix) return "unix:" + path;
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text) {
  ListenAddress address;
  if (text.substr(0, 5) == "unix:") {
    address.kind = ListenAddress::Kind::kUnix;
    address.path = text.substr(5);
    if (address.path.empty() || address.path[0] != '/') {
      return AddressError(text, "must name an absolute path, as in unix:/run/talus.sock");
    }
    if (address.path.size() > kLongestPath) {
      return AddressError(text,
                          "must name a path of at most " + std::to_string(kLongestPath) + " bytes");
    }
    return address;
  }
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) {
    return AddressError(text, "must be HOST:PORT, [V6]:PORT or unix:/absolute/path");
  }
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return AddressError(text, "must have its IPv6 host in brackets, as in [::1]:50051");
  }
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size() || address.port < 0 ||
      address.port > 65535) {
    return AddressError(text, "must end in a port from 0 to 65535");
  }
  if (host.empty()) return AddressError(text, "must name a host");
  address.host = host;
  return address;
}

}  // namespace talus::rpc
