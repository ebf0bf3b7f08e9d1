// A test with a talus_server of its own, for talusctl to talk to. It knows nothing of what the
// commands do.
#pragma once

#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clients/cpp/server_process.h"
#include "tests/system/talusctl/talusctl_process.h"

namespace talus::testing {

// The server ends with exit code 0 on SIGTERM after the test, or the test fails.
class TalusctlServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/commands-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    client::ServerProcessOptions options;
    options.binary = TALUS_SERVER_BINARY;
    options.arguments = {"--data-dir", folder_ + "/data", "--log-level",
                         "error",      "--scenes",        TALUS_SCENE_FOLDER};
    auto started = client::ServerProcess::Start(options);
    ASSERT_TRUE(started) << started.error().ToString();
    server_.emplace(std::move(*started));
  }
  void TearDown() override {
    if (server_) {
      EXPECT_EQ(server_->Terminate(), 0) << "the server did not end well (a wait status)";
    }
  }
  ~TalusctlServerTest() override {
    server_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  TalusctlResult Run(std::vector<std::string> words) {
    words.insert(words.end(), {"--server", server_->address()});
    return Talusctl(words);
  }

  template <typename Message>
  static Message Parse(const std::string& json) {
    Message message;
    EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(json, &message).ok()) << json;
    return message;
  }

  template <typename Message>
  Message RunForJson(std::vector<std::string> words) {
    words.push_back("--json");
    const TalusctlResult result = Run(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Parse<Message>(result.out);
  }

  std::string folder_;
  std::optional<client::ServerProcess> server_;
};

}  // namespace talus::testing
