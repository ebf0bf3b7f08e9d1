// What happens when a watcher's queue is full, under each policy; and that no queue grows.
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/session/error.h"
#include "server/stream/hub.h"

namespace talus {
namespace {

using std::chrono::milliseconds;

FramePtr SizedFrame(int64_t step_index, size_t numbers = 0) {
  auto frame = std::make_shared<FrameData>();
  frame->moment = step_index;
  frame->step_index = step_index;
  frame->positions_world_m.assign(numbers, 0.0);
  auto layout = std::make_shared<Layout>();
  layout->version = 1;
  frame->layout = layout;
  return frame;
}

Moment StepMoment(int64_t count) { return {count, 0, count}; }

// Publishes what the hub demands of the step; the demand.
Demand PublishSized(Hub& hub, int64_t step, Clock::TimePoint now = {}, size_t numbers = 0) {
  Demand demand = hub.Survey(StepMoment(step), now);
  if (demand.due) hub.Publish(SizedFrame(step, numbers), StepMoment(step), now);
  return demand;
}

SubscriptionPtr Subscribe(Hub& hub, SlowPolicy policy, int64_t queue_frames,
                          Clock::Duration max_wait = milliseconds(100)) {
  WatchOptions options;
  options.policy = policy;
  options.queue_frames = queue_frames;
  options.max_wait = max_wait;
  auto subscription = hub.Subscribe(options, [] {});
  EXPECT_TRUE(subscription.ok()) << subscription.status();
  return *subscription;
}

std::vector<int64_t> TakeSteps(Subscription& subscription,
                               std::vector<int64_t>* dropped = nullptr) {
  std::vector<int64_t> steps;
  while (const auto delivery = subscription.Take()) {
    steps.push_back(delivery->frame->step_index);
    if (dropped != nullptr) dropped->push_back(delivery->dropped_since_last);
  }
  return steps;
}

TEST(SlowPolicyTest, ABufferKeepsTheNewestAndCountsTheDropped) {
  Hub hub(4);
  auto watcher = Subscribe(hub, SlowPolicy::kBuffer, 3);
  for (int64_t step = 1; step <= 8; ++step) PublishSized(hub, step);
  std::vector<int64_t> dropped;
  EXPECT_EQ(TakeSteps(*watcher, &dropped), (std::vector<int64_t>{6, 7, 8}));
  EXPECT_EQ(dropped, (std::vector<int64_t>{5, 0, 0}));
  PublishSized(hub, 9);
  EXPECT_EQ(TakeSteps(*watcher), std::vector<int64_t>{9});
}

TEST(SlowPolicyTest, ABufferIsBoundedInBytesToo) {
  Hub hub(4);
  auto watcher = Subscribe(hub, SlowPolicy::kBuffer, kMostQueuedFrames);
  std::vector<std::weak_ptr<const FrameData>> frames;
  constexpr size_t kNumbers = 1 << 18;  // 2 MiB
  for (int64_t step = 1; step <= 40; ++step) {
    hub.Survey(StepMoment(step), {});
    const FramePtr frame = SizedFrame(step, kNumbers);
    frames.push_back(frame);
    hub.Publish(frame, StepMoment(step), {});
  }
  int64_t alive_bytes = 0;
  for (const auto& frame : frames) {
    if (const FramePtr held = frame.lock()) alive_bytes += held->byte_size();
  }
  EXPECT_GE(alive_bytes, kMostQueuedBytes);
  EXPECT_LT(alive_bytes, kMostQueuedBytes + (int64_t{3} << 20));
  std::vector<int64_t> dropped;
  const std::vector<int64_t> steps = TakeSteps(*watcher, &dropped);
  EXPECT_EQ(static_cast<int64_t>(steps.size()) + dropped[0], 40);
  EXPECT_EQ(steps.back(), 40);
}

TEST(SlowPolicyTest, AFullQueueDisconnectsAndLetsItsFramesGo) {
  Hub hub(4);
  auto watcher = Subscribe(hub, SlowPolicy::kDisconnect, 2);
  auto other = Subscribe(hub, SlowPolicy::kLatest, 1);
  PublishSized(hub, 1);
  PublishSized(hub, 2);
  EXPECT_FALSE(watcher->over());
  PublishSized(hub, 3);
  EXPECT_TRUE(watcher->over());
  EXPECT_FALSE(watcher->Take().has_value());
  const auto end = watcher->FindEnd();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(FindErrorInfo(*end).reason, ErrorReason::kSlowWatcher);
  EXPECT_EQ(FindErrorInfo(*end).value, "DISCONNECT");
  EXPECT_EQ(hub.TakeDropped(), std::vector<std::string>{"DISCONNECT"});
  EXPECT_TRUE(hub.TakeDropped().empty());
  // It counts until it has left, so that who never leaves cannot come again and again.
  EXPECT_EQ(hub.CountWatchers(), 2);
  watcher->Close();
  EXPECT_EQ(hub.CountWatchers(), 1);
  EXPECT_EQ(TakeSteps(*other), std::vector<int64_t>{3});
}

TEST(SlowPolicyTest, WhoKeepsUpIsNotDisconnected) {
  Hub hub(4);
  auto watcher = Subscribe(hub, SlowPolicy::kDisconnect, 1);
  for (int64_t step = 1; step <= 50; ++step) {
    PublishSized(hub, step);
    EXPECT_EQ(TakeSteps(*watcher), std::vector<int64_t>{step});
  }
}

TEST(SlowPolicyTest, BlockHoldsTheSceneUntilThereIsRoom) {
  Hub hub(4);
  WatchOptions options;
  options.policy = SlowPolicy::kBlock;
  options.queue_frames = 2;
  options.max_wait = milliseconds(100);
  int room_made = 0;
  auto watcher = *hub.Subscribe(
      options, [] {}, [&] { ++room_made; });
  const Clock::TimePoint now{};
  EXPECT_FALSE(PublishSized(hub, 1, now).wait_until.has_value());
  EXPECT_FALSE(PublishSized(hub, 2, now).wait_until.has_value());
  const Demand demand = PublishSized(hub, 3, now + milliseconds(5));
  EXPECT_FALSE(demand.due);
  ASSERT_TRUE(demand.wait_until.has_value());
  EXPECT_EQ(*demand.wait_until, now + milliseconds(105));
  // The wait counts from its beginning, however often one looks.
  EXPECT_EQ(PublishSized(hub, 3, now + milliseconds(60)).wait_until, demand.wait_until);
  EXPECT_EQ(watcher->Take()->frame->step_index, 1);
  EXPECT_EQ(room_made, 1);
  EXPECT_FALSE(PublishSized(hub, 3, now + milliseconds(70)).wait_until.has_value());
  std::vector<int64_t> dropped;
  EXPECT_EQ(TakeSteps(*watcher, &dropped), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(dropped, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(room_made, 2) << "taking from a queue with room makes none";
}

TEST(SlowPolicyTest, BlockEndsWithTheWait) {
  Hub hub(4);
  auto watcher = Subscribe(hub, SlowPolicy::kBlock, 1, milliseconds(100));
  const Clock::TimePoint now{};
  PublishSized(hub, 1, now);
  ASSERT_TRUE(PublishSized(hub, 2, now).wait_until.has_value());
  EXPECT_TRUE(PublishSized(hub, 2, now + milliseconds(99)).wait_until.has_value());
  EXPECT_FALSE(PublishSized(hub, 2, now + milliseconds(100)).wait_until.has_value());
  ASSERT_TRUE(watcher->FindEnd().has_value());
  EXPECT_EQ(FindErrorInfo(*watcher->FindEnd()).reason, ErrorReason::kSlowWatcher);
  EXPECT_EQ(hub.TakeDropped(), std::vector<std::string>{"BLOCK"});
  // Who was dropped holds nobody up and makes room for another.
  EXPECT_FALSE(PublishSized(hub, 3, now + milliseconds(101)).wait_until.has_value());
  EXPECT_TRUE(hub.Subscribe({.policy = SlowPolicy::kBlock}, [] {}).ok());
}

TEST(SlowPolicyTest, AnUnhurriedPaceBlocksNobodyBetweenItsFrames) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({.pace = StepPace{10}, .policy = SlowPolicy::kBlock}, [] {});
  PublishSized(hub, 10);
  for (int64_t step = 11; step < 20; ++step) {
    EXPECT_FALSE(PublishSized(hub, step).wait_until.has_value()) << step;
  }
  EXPECT_TRUE(PublishSized(hub, 20).wait_until.has_value());
}

TEST(SlowPolicyTest, OneWatcherASceneMayBlock) {
  Hub hub(4);
  auto first = Subscribe(hub, SlowPolicy::kBlock, 1);
  const absl::Status second = hub.Subscribe({.policy = SlowPolicy::kBlock}, [] {}).status();
  EXPECT_EQ(second.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(FindErrorInfo(second).reason, ErrorReason::kLimitReached);
  EXPECT_EQ(FindErrorInfo(second).field, "policy");
  first->Close();
  EXPECT_TRUE(hub.Subscribe({.policy = SlowPolicy::kBlock}, [] {}).ok());
}

TEST(SlowPolicyTest, ImpossibleOptionsAreRefusedByName) {
  Hub hub(4);
  const auto field_of = [&](const WatchOptions& options) {
    return FindErrorInfo(hub.Subscribe(options, [] {}).status()).field;
  };
  EXPECT_EQ(field_of({.queue_frames = 2}), "queue_frames");
  for (const int64_t frames : {int64_t{0}, int64_t{-1}, kMostQueuedFrames + 1}) {
    EXPECT_EQ(field_of({.policy = SlowPolicy::kBuffer, .queue_frames = frames}), "queue_frames");
  }
  for (const Clock::Duration wait : {Clock::Duration::zero(), kLongestWait + milliseconds(1)}) {
    EXPECT_EQ(field_of({.policy = SlowPolicy::kBlock, .max_wait = wait}), "max_wait_s");
  }
  EXPECT_EQ(field_of({.key_interval = -1}), "quantization.key_interval");
  EXPECT_EQ(field_of({.key_interval = kLongestKeyInterval + 1}), "quantization.key_interval");
  WatchOptions stride;
  stride.bodies.every_kth_row = -1;
  EXPECT_EQ(field_of(stride), "bodies.every_kth_row");
  EXPECT_EQ(hub.CountWatchers(), 0);
}

// Fifteen who do not read cost a bounded number of frames, and the sixteenth nothing.
TEST(SlowPolicyTest, StalledWatchersOfEveryPolicyHoldFewFramesAndHarmNobody) {
  Hub hub(16);
  std::vector<SubscriptionPtr> stalled;
  for (int i = 0; i < 5; ++i) {
    stalled.push_back(Subscribe(hub, SlowPolicy::kLatest, 1));
    stalled.push_back(Subscribe(hub, SlowPolicy::kBuffer, 8));
    stalled.push_back(i == 0 ? Subscribe(hub, SlowPolicy::kBlock, 4)
                             : Subscribe(hub, SlowPolicy::kDisconnect, 4));
  }
  auto reader = Subscribe(hub, SlowPolicy::kDisconnect, 1);
  std::vector<std::weak_ptr<const FrameData>> frames;
  Clock::TimePoint now{};
  for (int64_t step = 1; step <= 1000; ++step) {
    Demand demand = hub.Survey(StepMoment(step), now);
    while (demand.wait_until.has_value()) {
      now = *demand.wait_until;
      demand = hub.Survey(StepMoment(step), now);
    }
    const FramePtr frame = SizedFrame(step);
    frames.push_back(frame);
    hub.Publish(frame, StepMoment(step), now);
    const auto delivery = reader->Take();
    ASSERT_TRUE(delivery.has_value());
    EXPECT_EQ(delivery->frame, frame);
    EXPECT_EQ(delivery->dropped_since_last, 0);
  }
  int64_t alive = 0;
  for (const auto& frame : frames) alive += frame.expired() ? 0 : 1;
  EXPECT_EQ(alive, 8);
  // The scene waited once, for one watcher.
  EXPECT_EQ(now, Clock::TimePoint{} + milliseconds(100));
  EXPECT_EQ(hub.TakeDropped().size(), 5u);
}

}  // namespace
}  // namespace talus
