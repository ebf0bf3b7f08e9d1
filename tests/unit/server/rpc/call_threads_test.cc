#include "server/rpc/call_threads.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "server/telemetry/process_usage.h"
#include "tests/support/wait_until.h"

namespace talus::rpc {
namespace {

using std::chrono::milliseconds;
using testing::WaitUntil;

constexpr std::chrono::seconds kLongest{60};

class CallThreadsTest : public ::testing::Test {
 protected:
  // There are threads from the first call on, as long as there is who made it.
  CallThreadsTest() { EXPECT_TRUE(EndsSoon()); }

  // gRPC does what is to be done after a call, here one that fails at once, on one of its threads.
  void RunOnCallThread(std::function<void()> work) {
    Call& call = *calls_.emplace_back(std::make_unique<Call>());
    nobody_.UnaryCall(&call.context, "/test/Call", {}, &call.request, &call.response,
                      [work = std::move(work)](const grpc::Status&) { work(); });
  }

  bool EndsSoon() {
    const auto ended = std::make_shared<std::promise<void>>();
    RunOnCallThread([ended] { ended->set_value(); });
    return ended->get_future().wait_for(kLongest) == std::future_status::ready;
  }

  // Until they rest, which takes a row.
  static bool BringToRest(CallThreads& threads) {
    return WaitUntil([&] {
      for (int call = 0; call < 20; ++call) threads.NoteCall(&threads);
      return threads.resting() > 0;
    });
  }

  static LockStepRule Lasting(std::chrono::microseconds patience) {
    LockStepRule rule;
    rule.apart = std::chrono::minutes(1);
    rule.patience = patience;
    return rule;
  }

 private:
  struct Call {
    grpc::ClientContext context;
    grpc::Slice empty;
    grpc::ByteBuffer request{&empty, 1};
    grpc::ByteBuffer response;
  };

  grpc::GenericStub nobody_{grpc::CreateChannel("", nullptr)};
  // Here to the end, for they hold the channel, which must not end on a thread of gRPC.
  std::vector<std::unique_ptr<Call>> calls_;
};

TEST_F(CallThreadsTest, AllButOneRestInARow) {
  CallThreads threads(Lasting(std::chrono::minutes(1)));
  EXPECT_EQ(threads.resting(), 0);
  ASSERT_TRUE(BringToRest(threads));
  EXPECT_TRUE(WaitUntil(
      [&] { return threads.resting() == telemetry::CountThreads("nexting_thread") - 1; }));
  // Who is left takes what comes, however many there are.
  for (int call = 0; call < 40; ++call) EXPECT_TRUE(EndsSoon());
  EXPECT_GT(threads.resting(), 0);
}

TEST_F(CallThreadsTest, FewCallsMakeNobodyRest) {
  CallThreads threads(Lasting(std::chrono::minutes(1)));
  for (int call = 0; call < 15; ++call) threads.NoteCall(&threads);
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(threads.resting(), 0);
}

TEST_F(CallThreadsTest, NobodyRestsAfterTheRow) {
  CallThreads threads(Lasting(milliseconds(50)));
  for (int row = 0; row < 3; ++row) {
    ASSERT_TRUE(BringToRest(threads));
    EXPECT_TRUE(WaitUntil([&] { return threads.resting() == 0; }));
  }
}

TEST_F(CallThreadsTest, ACallThatHoldsUpTheOneThreadHoldsUpTheOthersNoLongerThanTheRow) {
  CallThreads threads(Lasting(milliseconds(50)));
  ASSERT_TRUE(BringToRest(threads));
  const auto other = std::make_shared<std::promise<void>>();
  const auto begun = std::make_shared<std::promise<void>>();
  std::promise<std::future_status> held;
  RunOnCallThread([&held, other, begun] {
    begun->set_value();
    held.set_value(other->get_future().wait_for(kLongest));
  });
  ASSERT_EQ(begun->get_future().wait_for(kLongest), std::future_status::ready);
  RunOnCallThread([other] { other->set_value(); });
  EXPECT_EQ(held.get_future().get(), std::future_status::ready);
}

TEST_F(CallThreadsTest, ACrowdWakesThem) {
  CallThreads threads(Lasting(std::chrono::minutes(1)));
  ASSERT_TRUE(BringToRest(threads));
  const int callers[3] = {};
  for (const int& caller : callers) threads.NoteCall(&caller);
  EXPECT_TRUE(WaitUntil([&] { return threads.resting() == 0; }));
}

TEST_F(CallThreadsTest, NobodyRestsAfterAStop) {
  CallThreads threads(Lasting(std::chrono::minutes(1)));
  ASSERT_TRUE(BringToRest(threads));
  threads.Stop();
  EXPECT_EQ(threads.resting(), 0);
  for (int call = 0; call < 40; ++call) threads.NoteCall(&threads);
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(threads.resting(), 0);
  threads.Stop();
}

TEST_F(CallThreadsTest, OneIsWokenNowAndThenUntilTheStop) {
  CallThreads threads;
  EXPECT_TRUE(WaitUntil([&] { return threads.wakes() >= 3; }));
  threads.Stop();
  const int64_t wakes = threads.wakes();
  std::this_thread::sleep_for(milliseconds(1000));
  EXPECT_EQ(threads.wakes(), wakes);
}

TEST_F(CallThreadsTest, TheyMayEndInTheMiddleOfARow) {
  for (int round = 0; round < 50; ++round) {
    CallThreads threads(Lasting(std::chrono::minutes(1)));
    for (int call = 0; call < 16 + round; ++call) threads.NoteCall(&threads);
  }
  EXPECT_TRUE(EndsSoon());
}

}  // namespace
}  // namespace talus::rpc
