#include "server/rpc/stream_sender.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace talus::rpc {
namespace {

TEST(StreamSender, RunsTasksInTheOrderTheyCameOnAThreadOfItsOwn) {
  std::vector<int> order;
  std::thread::id ran_on;
  {
    StreamSender sender;
    for (int i = 0; i < 100; ++i) sender.Submit([&order, i] { order.push_back(i); });
    sender.Submit([&] { ran_on = std::this_thread::get_id(); });
  }  // runs what is queued
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_NE(ran_on, std::this_thread::get_id());
}

TEST(StreamSender, SubmitDoesNotWaitForATask) {
  StreamSender sender;
  std::promise<void> release;
  std::promise<void> done;
  sender.Submit([&] { release.get_future().wait(); });
  sender.Submit([&] { done.set_value(); });  // returns while the first still waits
  release.set_value();
  done.get_future().wait();
}

TEST(StreamSender, ATaskMaySubmitAnother) {
  StreamSender sender;
  std::promise<void> done;
  sender.Submit([&] { sender.Submit([&] { done.set_value(); }); });
  done.get_future().wait();
}

}  // namespace
}  // namespace talus::rpc
