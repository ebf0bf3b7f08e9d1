#include "server/rpc/listening_socket.h"

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
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
  const auto* name =
      local ? reinterpret_cast<const sockaddr*>(&path) : reinterpret_cast<const sockaddr*>(&port);
  const socklen_t size = local ? sizeof path : sizeof port;
  if (::connect(descriptor, name, size) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

ListenAddress At(const std::string& text) { return *ParseListenAddress(text); }

std::string FreshPath() {
  const std::string path = ::testing::TempDir() + "listening_" + std::to_string(getpid());
  std::filesystem::remove(path);
  return path;
}

TEST(ListeningSocket, APortIsChosenOnceForAllThatANameStandsFor) {
  const auto sockets = ListeningSocket::Open(At("localhost:0"));
  ASSERT_TRUE(sockets.ok()) << sockets.status();
  std::set<int> ports;
  for (const ListeningSocket& socket : *sockets) ports.insert(socket.address().port);
  EXPECT_EQ(ports.size(), 1u);
  EXPECT_GT(*ports.begin(), 0);
  EXPECT_EQ(sockets->front().address().host, "localhost");
}

TEST(ListeningSocket, EveryInterfaceTakesIPv4) {
  for (const char* host : {"0.0.0.0:0", "[::]:0"}) {
    const auto sockets = ListeningSocket::Open(At(host));
    ASSERT_TRUE(sockets.ok()) << sockets.status();
    const int client = Connect(sockets->front().address());
    EXPECT_GE(client, 0) << host;
    ::close(client);
  }
}

TEST(ListeningSocket, AConnectionOfTcpSendsAtOnceAndEndsWithASilentPeer) {
  const auto sockets = ListeningSocket::Open(At("127.0.0.1:0"));
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

TEST(ListeningSocket, TheFileOfAUnixSocketGoesWithIt) {
  const std::string path = FreshPath();
  {
    const auto sockets = ListeningSocket::Open(At("unix:" + path));
    ASSERT_TRUE(sockets.ok()) << sockets.status();
    const int client = Connect(sockets->front().address());
    const int served = sockets->front().Accept();
    EXPECT_GE(served, 0);
    ::close(client);
    ::close(served);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ListeningSocket, WhatCannotBeHadIsNamedWithTheReason) {
  const auto taken = ListeningSocket::Open(At("127.0.0.1:0"));
  ASSERT_TRUE(taken.ok());
  const ListenAddress& address = taken->front().address();
  const absl::Status again = ListeningSocket::Open(address).status();
  EXPECT_EQ(again.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(again.message()),
              HasSubstr("cannot listen on " + address.ToString() + ": Address already in use"));
  const absl::Status unknown = ListeningSocket::Open(At("nowhere.invalid:0")).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("nowhere.invalid:0"));
  const absl::Status folder = ListeningSocket::Open(At("unix:/nowhere/at/all")).status();
  EXPECT_THAT(std::string(folder.message()), HasSubstr("/nowhere/at/all: No such file"));
}

TEST(ListeningSocket, ALiveServerKeepsItsUnixSocket) {
  const std::string path = FreshPath();
  const ListenAddress address = At("unix:" + path);
  const auto first = ListeningSocket::Open(address);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(ListeningSocket::Open(address).status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_TRUE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace talus::rpc
