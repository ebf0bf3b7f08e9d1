#include "server/runtime/time_slice.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

#include "gtest/gtest.h"

namespace talus {
namespace {

using std::chrono::microseconds;

// What is asked for ends with the thread.
template <typename Body>
void InThread(const Body& body) {
  std::thread(body).join();
}

TEST(TimeSlice, WhatIsAskedForIsThere) {
  InThread([] {
    if (AskForTimeSlices(microseconds(0)).count() == 0) {
      GTEST_SKIP() << "this kernel keeps no time slices of threads";
    }
    EXPECT_EQ(AskForTimeSlices(microseconds(300)), microseconds(300));
    EXPECT_EQ(FindTimeSlice(), microseconds(300));
    EXPECT_EQ(AskForTimeSlices(microseconds(100'000)), microseconds(100'000));
    EXPECT_NE(AskForTimeSlices(microseconds(0)), microseconds(100'000));
  });
}

TEST(TimeSlice, NothingElseOfTheThreadChanges) {
  InThread([] {
    const auto self = static_cast<id_t>(::gettid());
    ASSERT_EQ(::setpriority(PRIO_PROCESS, self, 3), 0);
    AskForTimeSlices(microseconds(100));
    EXPECT_EQ(::getpriority(PRIO_PROCESS, self), 3);
    EXPECT_EQ(::sched_getscheduler(0), SCHED_OTHER);
  });
  InThread([] {
    const sched_param lowest{};
    ASSERT_EQ(::sched_setscheduler(0, SCHED_IDLE, &lowest), 0);
    AskForTimeSlices(microseconds(100));
    EXPECT_EQ(::sched_getscheduler(0), SCHED_IDLE);
  });
}

}  // namespace
}  // namespace talus
