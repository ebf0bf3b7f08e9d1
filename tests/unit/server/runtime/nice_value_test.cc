#include "server/runtime/nice_value.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "gtest/gtest.h"

namespace talus {
namespace {

TEST(NiceValue, WhatIsAskedForIsOfThisThreadAndOfThoseThatItStarts) {
  const int own = FindNiceValue();
  const int more = std::min(own + 5, 19);
  std::thread([&] {
    ASSERT_TRUE(AskForNiceValue(more));
    EXPECT_EQ(FindNiceValue(), more);
    std::thread([&] { EXPECT_EQ(FindNiceValue(), more); }).join();
  }).join();
  EXPECT_EQ(FindNiceValue(), own);
}

TEST(NiceValue, OneThatTheProcessMayHaveIsFound) {
  const int own = FindNiceValue();
  EXPECT_TRUE(CheckNiceValue("nice", own).ok());
  EXPECT_TRUE(CheckNiceValue("nice", 19).ok());
  EXPECT_EQ(FindNiceValue(), own);  // to look changes nothing
}

// This thread and those that it starts lose the right to every nice value; others keep it.
void LoseTheRight() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  ASSERT_EQ(::syscall(SYS_capget, &header, data), 0);
  data[0].effective &= ~CAP_TO_MASK(CAP_SYS_NICE);
  data[0].permitted &= ~CAP_TO_MASK(CAP_SYS_NICE);
  ASSERT_EQ(::syscall(SYS_capset, &header, data), 0);
}

TEST(NiceValue, OneThatTheProcessMayNotHaveIsRefusedByName) {
  rlimit most{};
  ASSERT_EQ(::getrlimit(RLIMIT_NICE, &most), 0);
  if (most.rlim_cur >= 40) GTEST_SKIP() << "whoever is here may have every nice value";
  std::thread([] {
    LoseTheRight();
    const int own = FindNiceValue();
    EXPECT_FALSE(AskForNiceValue(-20));
    EXPECT_EQ(FindNiceValue(), own);
    const absl::Status status = CheckNiceValue("--step-nice", -20);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    for (const char* told : {"--step-nice", "-20", "CAP_SYS_NICE", "RLIMIT_NICE"}) {
      EXPECT_NE(status.message().find(told), std::string::npos) << status.message();
    }
  }).join();
}

}  // namespace
}  // namespace talus
