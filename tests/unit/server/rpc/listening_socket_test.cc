#include "server/rpc/listening_socket.h"

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace talus::rpc {
namespace {

using ::testing::HasSubstr;

int OptionOf(int descriptor, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(descriptor, level, name, &value, &size), 0);
  return value;
}

int KernelSetting(const char* name) {
  int value = 0;
  std::ifstream("/proc/sys/net/core/" + std::string(name)) >> value;
  EXPECT_GT(value, 0) << name;
  return value;
}

// Connected to the address, or -1.
int Connect(const ListenAddress& address) {
  const bool local = address.kind == ListenAddress::Kind::kUnix;
  const int descriptor = ::socket(local ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
  sockaddr_un path{};
  path.sun_family = AF_UNIX;
  address.path.copy(path.sun_path, sizeof path.sun_path - 1);
  sockaddr_in port{};
  port.sin_family = AF_INET;
  port.sin_port = htons(static_cast<in_port_t>(address.port));
  port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* name = local ? reinterpret_cast<const sockaddr*>(&path)
                           : reinterpret_cast<const sockaddr*>(&port);
  const socklen_t size = local ? sizeof path : sizeof port;
  if (::connect(descriptor, name, size) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

std::string FreshPath() {
  const std::string path = ::testing::TempDir() + "listening_" + std::to_string(getpid());
  std::filesystem::remove(path);
  return path;
}

TEST(ListeningSocket, APortIsChosenOnceForAllThatANameStandsFor) {
  const auto sockets = ListeningSocket::Open({.host = "localhost"});
  ASSERT_TRUE(sockets.ok()) << sockets.status();
  std::set<int> ports;
  for (const ListeningSocket& socket : *sockets) ports.insert(socket.address().port);
  EXPECT_EQ(ports.size(), 1u);
  EXPECT_GT(*ports.begin(), 0);
  EXPECT_EQ(sockets->front().address().host, "localhost");
}

TEST(ListeningSocket, EveryInterfaceTakesIPv4) {
  for (const char* host : {"0.0.0.0", "::"}) {
    const auto sockets = ListeningSocket::Open({.host = host});
    ASSERT_TRUE(sockets.ok()) << sockets.status();
    const int client = Connect(sockets->front().address());
    EXPECT_GE(client, 0) << host;
    ::close(client);
  }
}

TEST(ListeningSocket, AConnectionOfTcpSendsAtOnceAndEndsWithASilentPeer) {
  const auto sockets = ListeningSocket::Open({.host = "127.0.0.1"});
  ASSERT_TRUE(sockets.ok()) << sockets.status();
  EXPECT_EQ(sockets->front().Accept(), -1);  // nobody waits, and it does not either
  const int client = Connect(sockets->front().address());
  const int served = sockets->front().Accept();
  ASSERT_GE(served, 0);
  EXPECT_EQ(OptionOf(served, IPPROTO_TCP, TCP_NODELAY), 1);
  EXPECT_EQ(OptionOf(served, IPPROTO_TCP, TCP_USER_TIMEOUT), 20'000);
  ::close(client);
  ::close(served);
}

TEST(ListeningSocket, AConnectionOfAUnixSocketTakesALargeFrameAtOnce) {
  const std::string path = FreshPath();
  {
    const auto sockets =
        ListeningSocket::Open({.kind = ListenAddress::Kind::kUnix, .path = path});
    ASSERT_TRUE(sockets.ok()) << sockets.status();
    const int client = Connect(sockets->front().address());
    const int served = sockets->front().Accept();
    ASSERT_GE(served, 0);
    // The kernel counts twice what it is asked for.
    EXPECT_EQ(OptionOf(served, SOL_SOCKET, SO_SNDBUF),
              2 * std::min(2 << 20, KernelSetting("wmem_max")));
    EXPECT_GT(OptionOf(served, SOL_SOCKET, SO_SNDBUF), KernelSetting("wmem_default"));
    ::close(client);
    ::close(served);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ListeningSocket, WhatCannotBeHadIsNamedWithTheReason) {
  const auto taken = ListeningSocket::Open({.host = "127.0.0.1"});
  ASSERT_TRUE(taken.ok());
  const ListenAddress& address = taken->front().address();
  const absl::Status again = ListeningSocket::Open(address).status();
  EXPECT_EQ(again.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(again.message()),
              HasSubstr("cannot listen on " + address.ToString() + ": Address already in use"));
  const absl::Status unknown = ListeningSocket::Open({.host = "nowhere.invalid"}).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("nowhere.invalid:0"));
  const absl::Status folder =
      ListeningSocket::Open({.kind = ListenAddress::Kind::kUnix, .path = "/nowhere/at/all"})
          .status();
  EXPECT_THAT(std::string(folder.message()), HasSubstr("/nowhere/at/all: No such file"));
}

TEST(ListeningSocket, ALiveServerKeepsItsUnixSocket) {
  const std::string path = FreshPath();
  const ListenAddress address{.kind = ListenAddress::Kind::kUnix, .path = path};
  const auto first = ListeningSocket::Open(address);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(ListeningSocket::Open(address).status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_TRUE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace talus::rpc
