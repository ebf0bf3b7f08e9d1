// `talusctl doctor` and a server that limits calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "clients/cpp/server_process.h"
#include "tests/system/talusctl/talusctl_process.h"

namespace talus::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TalusctlDoctor, TakesALimitOnCallsForNoIllness) {
  client::ServerProcessOptions options;
  options.binary = TALUS_SERVER_BINARY;
  options.arguments = {"--calls-per-second", "2", "--call-burst", "1", "--log-level", "error"};
  auto server = client::ServerProcess::Start(options);
  ASSERT_TRUE(server) << server.error().ToString();
  const TalusctlResult limited = Talusctl({"doctor", "--server", server->address()});
  EXPECT_EQ(limited.exit_code, 0) << limited.out;
  EXPECT_THAT(limited.out, HasSubstr("start it with --data-dir")) << "storage was asked for";
  EXPECT_THAT(limited.out, Not(HasSubstr("not asked")));
}

}  // namespace
}  // namespace talus::testing
