#include "server/stream/subscription.h"

#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "server/session/error.h"
#include "server/stream/hub.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using std::chrono::milliseconds;

FramePtr FrameAt(int64_t step_index, int64_t layout_version = 1) {
  auto frame = std::make_shared<FrameData>();
  frame->step_index = step_index;
  auto layout = std::make_shared<Layout>();
  layout->version = layout_version;
  frame->layout = layout;
  return frame;
}

Moment MomentAt(int64_t count) { return {count, 0, count}; }

// Publishes what the hub demands of the moment; whether there was a demand.
bool PublishAt(Hub& hub, const Moment& moment, Clock::TimePoint now) {
  if (!hub.Survey(moment, now).due) return false;
  hub.Publish(FrameAt(moment.step_index), moment, now);
  return true;
}

TEST(SubscriptionTest, ASlowWatcherGetsTheLatestFrameAndTheCountOfTheLost) {
  Hub hub(4);
  int notified = 0;
  auto watcher = *hub.Subscribe({StepPace{1}, {}}, [&] { ++notified; });
  const Clock::TimePoint now{};
  for (int64_t step = 1; step <= 5; ++step) PublishAt(hub, MomentAt(step), now);
  EXPECT_EQ(notified, 1);
  auto delivery = watcher->Take();
  ASSERT_TRUE(delivery.has_value());
  EXPECT_EQ(delivery->frame->step_index, 5);
  EXPECT_EQ(delivery->dropped_since_last, 4);
  EXPECT_FALSE(watcher->Take().has_value());
  PublishAt(hub, MomentAt(6), now);
  EXPECT_EQ(notified, 2);
  delivery = watcher->Take();
  ASSERT_TRUE(delivery.has_value());
  EXPECT_EQ(delivery->dropped_since_last, 0);
}

TEST(SubscriptionTest, TheFirstFrameComesAtOnceWhateverThePace) {
  Hub hub(4);
  auto rare = *hub.Subscribe({StepPace{1000}, {}}, [] {});
  auto slow = *hub.Subscribe({RatePace{0.001}, {}}, [] {});
  EXPECT_TRUE(PublishAt(hub, {3, 0, 7}, Clock::TimePoint{}));
  EXPECT_TRUE(rare->Take()->layout_due);
  EXPECT_TRUE(slow->Take()->layout_due);
}

TEST(SubscriptionTest, EveryNthStepIsSentAndChangesByHandAtOnce) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({StepPace{3}, {}}, [] {});
  const Clock::TimePoint now{};
  std::string sent;
  for (int64_t step = 1; step <= 7; ++step) {
    if (PublishAt(hub, MomentAt(step), now)) sent += std::to_string(step);
  }
  EXPECT_EQ(sent, "136");
  EXPECT_TRUE(PublishAt(hub, {8, 8, 7}, now));
  EXPECT_FALSE(PublishAt(hub, {8, 8, 7}, now));
}

TEST(SubscriptionTest, TheRateIsKeptByTheClock) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({RatePace{100.0}, {}}, [] {});
  Clock::TimePoint now{};
  int sent = 0;
  for (int64_t step = 1; step <= 1000; ++step) {
    if (PublishAt(hub, MomentAt(step), now)) ++sent;
    watcher->Take();
    now += milliseconds(1);
  }
  EXPECT_EQ(sent, 100);
}

TEST(SubscriptionTest, ARateThatDoesNotDivideTheStepsIsKeptInTheMean) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({RatePace{60.0}, {}}, [] {});
  Clock::TimePoint now{};
  int sent = 0;
  for (int64_t step = 1; step <= 1000; ++step) {
    if (PublishAt(hub, MomentAt(step), now)) ++sent;
    watcher->Take();
    now += milliseconds(7);
  }
  // 7 s at 60 Hz, and the first frame.
  EXPECT_NEAR(sent, 420, 1);
}

TEST(SubscriptionTest, ASurveyTellsWhenAHeldBackFrameIsDue) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({RatePace{10.0}, {}}, [] {});
  Clock::TimePoint now{};
  EXPECT_TRUE(PublishAt(hub, MomentAt(1), now));
  EXPECT_FALSE(hub.Survey(MomentAt(1), now + milliseconds(200)).due_at.has_value());
  const Demand demand = hub.Survey(MomentAt(2), now + milliseconds(40));
  EXPECT_FALSE(demand.due);
  ASSERT_TRUE(demand.due_at.has_value());
  EXPECT_EQ(*demand.due_at, now + milliseconds(100));
  EXPECT_TRUE(hub.Survey(MomentAt(2), now + milliseconds(100)).due);
}

TEST(SubscriptionTest, TheLayoutIsDueWhenItChanged) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({StepPace{1}, {}}, [] {});
  hub.Publish(FrameAt(1, 5), MomentAt(1), {});
  EXPECT_TRUE(watcher->Take()->layout_due);
  hub.Publish(FrameAt(2, 5), MomentAt(2), {});
  EXPECT_FALSE(watcher->Take()->layout_due);
  hub.Publish(FrameAt(3, 6), MomentAt(3), {});
  hub.Publish(FrameAt(4, 6), MomentAt(4), {});
  EXPECT_TRUE(watcher->Take()->layout_due);
}

TEST(SubscriptionTest, AFrameServesOnlyThoseWhosePartsItHolds) {
  Hub hub(4);
  auto plain = *hub.Subscribe({StepPace{1}, {.positions = true}}, [] {});
  auto rich = *hub.Subscribe({StepPace{1}, {.contacts = true}}, [] {});
  const Demand demand = hub.Survey(MomentAt(1), {});
  EXPECT_TRUE(demand.parts.positions && demand.parts.contacts);
  auto frame = std::make_shared<FrameData>();
  frame->parts.positions = true;
  frame->layout = std::make_shared<Layout>();
  hub.Publish(frame, MomentAt(1), {});
  EXPECT_TRUE(plain->Take().has_value());
  EXPECT_FALSE(rich->Take().has_value());
  EXPECT_TRUE(hub.Survey(MomentAt(1), {}).due);
}

TEST(SubscriptionTest, TheLastFrameIsTakenBeforeTheEnd) {
  Hub hub(4);
  int notified = 0;
  auto watcher = *hub.Subscribe({StepPace{1}, {}}, [&] { ++notified; });
  PublishAt(hub, MomentAt(1), {});
  hub.End(DrainingError());
  EXPECT_EQ(notified, 2);
  EXPECT_FALSE(watcher->FindEnd().has_value());
  EXPECT_TRUE(watcher->Take().has_value());
  ASSERT_TRUE(watcher->FindEnd().has_value());
  EXPECT_EQ(watcher->FindEnd()->code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(hub.Subscribe({}, [] {}).status().code(), absl::StatusCode::kUnavailable);
}

TEST(HubTest, BoundsItsWatchersAndForgetsTheClosed) {
  Hub hub(2);
  auto first = *hub.Subscribe({}, [] {});
  auto second = *hub.Subscribe({}, [] {});
  const absl::Status full = hub.Subscribe({}, [] {}).status();
  EXPECT_EQ(full.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(FindErrorInfo(full).limit_name, "watchers_per_scene");
  EXPECT_EQ(hub.CountWatchers(), 2);
  first->Close();
  EXPECT_EQ(hub.CountWatchers(), 1);
  EXPECT_TRUE(hub.Subscribe({}, [] {}).ok());
}

TEST(HubTest, RefusesImpossiblePaces) {
  Hub hub(2);
  const double bad_rates[] = {0.0, -1.0, 10'001.0, std::numeric_limits<double>::quiet_NaN()};
  for (const double rate : bad_rates) {
    EXPECT_EQ(FindErrorInfo(hub.Subscribe({RatePace{rate}, {}}, [] {}).status()).field, "rate_hz");
  }
  for (const int64_t steps : {int64_t{0}, int64_t{-1}, int64_t{1'000'001}}) {
    const absl::Status status = hub.Subscribe({StepPace{steps}, {}}, [] {}).status();
    EXPECT_EQ(FindErrorInfo(status).field, "every_n_steps");
  }
  EXPECT_TRUE(hub.Subscribe({RatePace{1e-300}, {}}, [] {}).ok());
}

// Close returns only once nothing runs any more: the watcher may then tear down what `notify` uses.
TEST(SubscriptionTest, NoNotificationRunsAfterClose) {
  for (int round = 0; round < 200; ++round) {
    auto alive = std::make_unique<std::atomic<bool>>(true);
    Hub hub(1);
    auto watcher = *hub.Subscribe({StepPace{1}, {}}, [&] { EXPECT_TRUE(*alive); });
    std::thread publisher([&] {
      for (int64_t step = 1; step < 20; ++step) {
        PublishAt(hub, MomentAt(step), {});
        watcher->Take();
      }
    });
    std::this_thread::yield();
    watcher->Close();
    *alive = false;
    publisher.join();
  }
}

TEST(SubscriptionTest, AWatcherMayCloseInsideItsNotification) {
  Hub hub(1);
  SubscriptionPtr watcher;
  int notified = 0;
  watcher = *hub.Subscribe({StepPace{1}, {}}, [&] {
    ++notified;
    watcher->Close();
  });
  PublishAt(hub, MomentAt(1), {});
  PublishAt(hub, MomentAt(2), {});
  EXPECT_EQ(notified, 1);
}

TEST(FrameEncodingsTest, EncodesEachViewOnce) {
  FrameEncodings encodings;
  int encoded = 0;
  auto encode = [&] { return "form " + std::to_string(++encoded); };
  const auto first = encodings.FindOrEncode({.parts = 1}, encode);
  EXPECT_EQ(encodings.FindOrEncode({.parts = 1}, encode), first);
  EXPECT_EQ(*encodings.FindOrEncode({.parts = 2}, encode), "form 2");
  EXPECT_EQ(encodings.count(), 2u);
}

}  // namespace
}  // namespace talus
