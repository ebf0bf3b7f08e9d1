#include "server/rpc/unix_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace talus::rpc {
namespace {

class UnixSocketTest : public ::testing::Test {
 protected:
  UnixSocketTest() { std::filesystem::remove(path_); }
  ~UnixSocketTest() override { std::filesystem::remove(path_); }

  // Binds a socket at the path and listens on it.
  int Listen() {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof(address.sun_path) - 1);
    EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(fd, 1), 0);
    return fd;
  }

  const std::string path_ = ::testing::TempDir() + "talus_" + std::to_string(getpid()) + ".sock";
};

TEST_F(UnixSocketTest, AFreePathIsClaimed) { EXPECT_TRUE(ClaimSocketPath(path_).ok()); }

TEST_F(UnixSocketTest, ALiveServerKeepsItsPath) {
  const int fd = Listen();
  EXPECT_EQ(ClaimSocketPath(path_).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_TRUE(std::filesystem::exists(path_));
  close(fd);
}

TEST_F(UnixSocketTest, AStaleSocketMakesWay) {
  close(Listen());
  ASSERT_TRUE(std::filesystem::exists(path_));
  EXPECT_TRUE(ClaimSocketPath(path_).ok());
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(UnixSocketTest, WhatIsNoSocketIsLeftAlone) {
  std::ofstream(path_) << "precious";
  EXPECT_EQ(ClaimSocketPath(path_).code(), absl::StatusCode::kFailedPrecondition);
  ReleaseSocketPath(path_);
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(UnixSocketTest, ReleaseRemovesTheSocket) {
  const int fd = Listen();
  ReleaseSocketPath(path_);
  EXPECT_FALSE(std::filesystem::exists(path_));
  close(fd);
}

}  // namespace
}  // namespace talus::rpc
