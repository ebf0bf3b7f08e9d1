// Waiting for servers that ask to come back later.
#include "clients/cli/patience.h"

#include <gtest/gtest.h>

namespace talus::cli {
namespace {

using std::chrono::milliseconds;

client::Error ComeBackIn(int64_t ms, client::Code code = client::Code::kResourceExhausted) {
  client::Error error = MakeError(code, "later");
  error.detail.set_retry_after_ms(ms);
  return error;
}

TEST(Patience, WaitsWhereItHelpsAndForSoLong) {
  Patience patience({}, milliseconds{10});
  EXPECT_FALSE(patience.Wait(ComeBackIn(0))) << "trying again does not help";
  EXPECT_FALSE(patience.Wait(ComeBackIn(1, client::Code::kUnavailable)));
  EXPECT_TRUE(patience.Wait(ComeBackIn(4)));
  EXPECT_FALSE(patience.Wait(ComeBackIn(7))) << "11 ms in all";
  EXPECT_TRUE(patience.Wait(ComeBackIn(6)));
  EXPECT_FALSE(patience.Wait(ComeBackIn(1)));
}

TEST(Patience, IsOverWhenItIsToStop) {
  std::stop_source source;
  Patience patience(source.get_token());
  EXPECT_TRUE(patience.Wait(ComeBackIn(1)));
  source.request_stop();
  EXPECT_FALSE(patience.Wait(ComeBackIn(1)));
}

TEST(Patience, MakesACallAgainUntilItIsTaken) {
  int calls = 0;
  const auto third = [&calls]() -> client::Result<int> {
    if (++calls < 3) return ComeBackIn(1);
    return calls;
  };
  EXPECT_EQ(*Patiently(Patience(), third), 3);
  const auto never = []() -> client::Result<int> { return ComeBackIn(1); };
  EXPECT_EQ(Patiently(Patience({}, milliseconds{5}), never).code(),
            client::Code::kResourceExhausted);
}

}  // namespace
}  // namespace talus::cli
