// Frames that refer to others refer only to what this watcher was given, and watchers of one pace
// refer to the same.
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "server/stream/hub.h"

namespace talus {
namespace {

using std::chrono::milliseconds;

FramePtr LayoutFrame(int64_t step, int64_t layout_version = 1) {
  auto frame = std::make_shared<FrameData>();
  frame->moment = frame->step_index = step;
  auto layout = std::make_shared<Layout>();
  layout->version = layout_version;
  frame->layout = layout;
  return frame;
}

void Publish(Hub& hub, int64_t step, int64_t layout_version = 1, Clock::TimePoint now = {}) {
  hub.Publish(LayoutFrame(step, layout_version), {step, 0, step}, now);
}

// The step of the key frame that the next delivery refers to; its own when it stands for itself.
int64_t TakeKey(Subscription& watcher) {
  const auto delivery = watcher.Take();
  return delivery->base == nullptr ? delivery->frame->step_index : delivery->base->step_index;
}

TEST(KeyFrameTest, EveryKthFrameStandsForItself) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({.key_interval = 3}, [] {});
  std::vector<int64_t> keys;
  for (int64_t step = 1; step <= 8; ++step) {
    Publish(hub, step);
    keys.push_back(TakeKey(*watcher));
  }
  EXPECT_EQ(keys, (std::vector<int64_t>{1, 1, 3, 3, 3, 6, 6, 6}));
}

TEST(KeyFrameTest, WithoutAnIntervalNoneRefersToAnother) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({}, [] {});
  for (int64_t step = 1; step <= 3; ++step) {
    Publish(hub, step);
    EXPECT_EQ(watcher->Take()->base, nullptr);
  }
}

TEST(KeyFrameTest, AWatcherThatLostFramesRefersToWhatItHas) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({.key_interval = 10}, [] {});
  Publish(hub, 1);
  EXPECT_EQ(TakeKey(*watcher), 1);
  for (int64_t step = 2; step <= 5; ++step) Publish(hub, step);
  EXPECT_EQ(TakeKey(*watcher), 1);
  // The frame that others take for their key is lost: the next one taken becomes the key.
  for (int64_t step = 6; step <= 12; ++step) Publish(hub, step);
  EXPECT_EQ(TakeKey(*watcher), 12);
  Publish(hub, 13);
  EXPECT_EQ(TakeKey(*watcher), 12);
}

TEST(KeyFrameTest, WatchersOfOnePaceReferToTheSame) {
  Hub hub(4);
  auto early = *hub.Subscribe({.key_interval = 4}, [] {});
  Publish(hub, 1);
  EXPECT_EQ(TakeKey(*early), 1);
  auto late = *hub.Subscribe({.key_interval = 4}, [] {});
  Publish(hub, 2);
  EXPECT_EQ(TakeKey(*early), 1);
  EXPECT_EQ(TakeKey(*late), 2);
  for (int64_t step = 4; step <= 20; ++step) {
    Publish(hub, step);
    const int64_t key = TakeKey(*early);
    EXPECT_EQ(TakeKey(*late), key) << step;
    EXPECT_EQ(key, step / 4 * 4);
  }
}

TEST(KeyFrameTest, UnderARateTheClockDecides) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({.pace = RatePace{100.0}, .key_interval = 5}, [] {});
  std::vector<int64_t> keys;
  for (int64_t step = 0; step < 10; ++step) {
    Publish(hub, step, 1, Clock::TimePoint{} + milliseconds(10 * step + 1));
    keys.push_back(TakeKey(*watcher));
  }
  EXPECT_EQ(keys, (std::vector<int64_t>{0, 0, 0, 0, 0, 5, 5, 5, 5, 5}));
}

TEST(KeyFrameTest, ANewLayoutNeedsAKeyFrame) {
  Hub hub(4);
  auto watcher = *hub.Subscribe({.key_interval = 100}, [] {});
  Publish(hub, 1);
  EXPECT_EQ(TakeKey(*watcher), 1);
  Publish(hub, 2, 2);
  EXPECT_EQ(TakeKey(*watcher), 2);
  Publish(hub, 3, 2);
  EXPECT_EQ(TakeKey(*watcher), 2);
}

}  // namespace
}  // namespace talus
