// Scenes that are evicted after a time of their own: sooner than others, later, or where no others
// are.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "server/session/error.h"
#include "tests/support/storing_host.h"
#include "tests/support/wait_until.h"

namespace talus {
namespace {

using std::chrono::seconds;
using testing::Answer;
using testing::FallingBalls;
using testing::WaitUntil;

constexpr double kTtlS = 8.0;
constexpr seconds kLook{1};  // how often is looked for such scenes

class IdleTtlTest : public testing::StoringHost {
 protected:
  // The server itself evicts nobody.
  void SetOptions() override {}
  absl::StatusOr<CreateSceneAnswer> Make(const std::string& id, double idle_ttl_s) {
    CreateSceneCall call;
    call.scene_id = id;
    call.source = FallingBalls(1);
    call.idle_ttl_s = idle_ttl_s;
    Answer<CreateSceneAnswer> answer;
    host_->registry().Create(std::move(call), answer.Done());
    return answer.Get();
  }
  SceneInfo InfoOf(const std::string& id) { return host_->registry().Find(id).value()->info(); }
  absl::Status Step(const std::string& id) {
    Answer<StepAnswer> answer;
    host_->registry().Find(id).value()->Step(testing::Steps(1), nullptr, answer.Done());
    return answer.Get().status();
  }
  // Waits for a look at the scenes to be planned, where `planned` calls of the clock wait then.
  void AwaitPlan(size_t planned = 1) {
    ASSERT_TRUE(WaitUntil([&] { return clock_.waiting_count() == planned; }))
        << clock_.waiting_count() << " calls wait instead of " << planned;
  }
  void Pass(seconds time, size_t planned = 1) {
    for (seconds passed{0}; passed < time; passed += kLook) {
      clock_.Advance(kLook);
      AwaitPlan(planned);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_F(IdleTtlTest, ASceneGoesWhereTheServerEvictsNoOthers) {
  ASSERT_TRUE(Make("stays", 0.0).ok());
  EXPECT_EQ(clock_.waiting_count(), 0u) << "nobody looks for scenes that may be idle for ever";
  const auto made = Make("goes", kTtlS);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->info.idle_ttl_s, kTtlS);
  AwaitPlan();
  Pass(seconds(8));
  EXPECT_FALSE(InfoOf("goes").evicted) << "idle for less than its time";
  Pass(seconds(1));
  EXPECT_TRUE(InfoOf("goes").evicted);
  EXPECT_EQ(InfoOf("goes").idle_ttl_s, kTtlS);
  Pass(seconds(100));
  EXPECT_FALSE(InfoOf("stays").evicted);
  // It comes back, and goes again.
  ASSERT_TRUE(Step("goes").ok());
  EXPECT_FALSE(InfoOf("goes").evicted);
  EXPECT_EQ(InfoOf("goes").idle_ttl_s, kTtlS);
  Pass(seconds(9));
  EXPECT_TRUE(InfoOf("goes").evicted);
  ASSERT_TRUE(Delete("goes").ok());
  clock_.Advance(kLook);
  AwaitPlan(0);
}

TEST_F(IdleTtlTest, AUseBeginsItsTimeAnew) {
  ASSERT_TRUE(Make("a", kTtlS).ok());
  AwaitPlan();
  for (int use = 0; use < 4; ++use) {
    Pass(seconds(6));
    ASSERT_TRUE(Step("a").ok());
  }
  EXPECT_EQ(host_->load().evictions, 0);
  Pass(seconds(9));
  EXPECT_TRUE(InfoOf("a").evicted);
}

TEST_F(IdleTtlTest, ItIsShorterOrLongerThanThatOfOthers) {
  options_.evict_after = seconds(80);
  Open();
  AwaitPlan(1);  // of the look after 10 s
  ASSERT_TRUE(Make("other", 0.0).ok());
  ASSERT_TRUE(Make("longer", 160.0).ok());
  ASSERT_TRUE(Make("shorter", kTtlS).ok());
  AwaitPlan(2);
  Pass(seconds(9), 2);
  EXPECT_TRUE(InfoOf("shorter").evicted) << "not only when the server would have looked";
  EXPECT_FALSE(InfoOf("other").evicted);
  Pass(seconds(71));
  EXPECT_FALSE(InfoOf("other").evicted);
  Pass(seconds(1));
  EXPECT_TRUE(InfoOf("other").evicted);
  Pass(seconds(79));
  EXPECT_FALSE(InfoOf("longer").evicted);
  Pass(seconds(1));
  EXPECT_TRUE(InfoOf("longer").evicted);
}

TEST_F(IdleTtlTest, ForksHaveThatOfTheirScene) {
  ASSERT_TRUE(Make("a", kTtlS).ok());
  ForkSceneCall fork;
  fork.scene_id = "a";
  fork.fork_ids = {"b"};
  Answer<SceneInfos> answer;
  host_->registry().Fork(fork, nullptr, answer.Done());
  const auto forks = answer.Get();
  ASSERT_TRUE(forks.ok()) << forks.status();
  EXPECT_EQ(forks->front().idle_ttl_s, kTtlS);
  ASSERT_TRUE(Delete("a").ok());
  AwaitPlan();
  Pass(seconds(9));
  EXPECT_TRUE(InfoOf("b").evicted);
}

TEST_F(IdleTtlTest, ItEndsWithTheProcess) {
  options_.autosave_period = seconds(3600);
  Open();
  ASSERT_TRUE(Make("a", kTtlS).ok());
  ASSERT_TRUE(host_->Drain(testing::kPatience));
  Open();
  EXPECT_EQ(InfoOf("a").idle_ttl_s, 0.0);
}

// Each asks to be looked at sooner than those before; what was planned before must not pile up.
TEST_F(IdleTtlTest, PlansThatNoLongerHoldGo) {
  for (int k = 0; k < 20; ++k) {
    const std::string id = "s" + std::to_string(k);
    ASSERT_TRUE(Make(id, 1e6 - 1e4 * k).ok());
    AwaitPlan(static_cast<size_t>(k) + 1);
    ASSERT_TRUE(Delete(id).ok());
  }
  clock_.Advance(Clock::kLookPeriod);
  AwaitPlan(1);
}

TEST_F(IdleTtlTest, SenselessTimesMakeNoScene) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {-1.0, 0.999, 31'536'001.0, kInfinity, std::nan("")}) {
    const absl::Status refused = Make("a", wrong).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument) << wrong;
    EXPECT_EQ(FindErrorInfo(refused).field, "idle_ttl_s") << wrong;
    EXPECT_EQ(FindErrorInfo(refused).allowed, "must be 0 or in [1, 31536000]");
  }
  EXPECT_EQ(host_->registry().scene_count(), 0);
  EXPECT_TRUE(Make("shortest", 1.0).ok());
  EXPECT_TRUE(Make("longest", 31'536'000.0).ok());
}

TEST_F(IdleTtlTest, WithoutADataDirectoryThereIsNoPlaceToGoTo) {
  options_.data_directory.clear();
  Open();
  const absl::Status refused = Make("a", kTtlS).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(FindErrorInfo(refused).reason, ErrorReason::kStorage);
  EXPECT_NE(refused.message().find("--data-dir"), std::string::npos) << refused;
  EXPECT_EQ(Make("a", -1.0).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(host_->registry().scene_count(), 0);
  EXPECT_TRUE(Make("a", 0.0).ok());
}

}  // namespace
}  // namespace talus
