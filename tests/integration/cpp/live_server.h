// The real talus_server, one for each test, and the scenes the tests of the C++ client play with.
// Stands between GoogleTest and clients/cpp. It knows nothing of how the server is made.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clients/cpp/scene.h"
#include "clients/cpp/server_process.h"

namespace talus::client::testing {

using std::chrono::milliseconds;

// One ball of 2 kg in free fall, 8 m/s^2, 1/8 s a step: every number it reaches is exact.
v1::SceneSpec FallingBall();
// A tray into which `particles` stones pour, 200 a second.
v1::SceneSpec PouringStones(int64_t particles, uint64_t seed = 1);
// A box packed with edge^3 stones that touch their neighbours, each kicked its own way: nearly
// three contacts a stone, from the first step on.
v1::SceneSpec PackedBox(int edge);
// So many steps that a test always interrupts them.
inline constexpr int64_t kEndless = 1'000'000;

// Whatever a test did to its server, the server ends in good order: SIGTERM after the test is
// answered with exit code 0, or the test fails. That is where a leak would show.
class LiveServerTest : public ::testing::Test {
 protected:
  // Starts the server with a data directory and these options beside.
  void StartServer(const std::vector<std::string>& options = {});
  // Ends it with SIGTERM and gives the wait status; the data directory stays.
  int StopServer();
  // Ends it with SIGKILL; there is no server then until the next StartServer.
  void KillServer();
  void TearDown() override;

  Client& client() { return *client_; }
  // A second connection.
  Client Connect() const { return Client(server_->address()); }
  ServerProcess& server() { return *server_; }
  Scene Create(const std::string& id, const v1::SceneSpec& spec);
  // Waits until the scene is past this step; fails the test when that takes a minute.
  void AwaitStep(Scene scene, int64_t step);
  uint64_t Hash(Scene scene);

  ~LiveServerTest() override;

 private:
  std::string data_directory_;
  std::optional<ServerProcess> server_;
  std::optional<Client> client_;
};

// Code and reason of a failure in one string, as in `NOT_FOUND ERROR_REASON_NOT_FOUND`; `OK`
// otherwise.
template <typename T>
std::string Outcome(const Result<T>& result) {
  if (result) return "OK";
  return std::string(CodeName(result.code())) + " " +
         v1::ErrorReason_Name(result.error().detail.reason());
}

inline constexpr char kInvalidField[] = "INVALID_ARGUMENT ERROR_REASON_INVALID_FIELD";
inline constexpr char kNotFound[] = "NOT_FOUND ERROR_REASON_NOT_FOUND";
inline constexpr char kDuplicate[] = "ALREADY_EXISTS ERROR_REASON_DUPLICATE_NAME";
inline constexpr char kLimit[] = "RESOURCE_EXHAUSTED ERROR_REASON_LIMIT_REACHED";

}  // namespace talus::client::testing
