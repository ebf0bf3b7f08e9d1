// What the server takes of the machine: cores, how soon it gets them, and before whom.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "server/app/cpu_quota.h"
#include "server/runtime/nice_value.h"
#include "tests/unit/server/app/parsed_options.h"

namespace talus::app {
namespace {

TEST(MachineOptions, CoresAreKeptAwakeWhereTimeHasNoQuotaOrWhenAskedFor) {
  EXPECT_EQ(Parse({}).options.keep_awake_us, HasCpuQuota() ? 0 : 300);
  EXPECT_EQ(Parse({"--keep-awake-us", "0"}).options.keep_awake_us, 0);
  EXPECT_EQ(Parse({"--keep-awake-us", "500"}).options.keep_awake_us, 500);
  EXPECT_EQ(Parse({"--keep-awake-us", "1000001"}).exit_code, 2);
  EXPECT_EQ(Parse({"--keep-awake-us", "-1"}).exit_code, 2);
}

TEST(MachineOptions, CallsComeOnCoresThatMayBeUsed) {
  EXPECT_TRUE(Parse({}).options.call_cores.empty());
  const Cores usable = FindUsableCores();
  const std::string first = std::to_string(usable.front());
  const std::string last = std::to_string(usable.back());
  EXPECT_EQ(Parse({"--call-cores", first.c_str()}).options.call_cores, Cores{usable.front()});
  EXPECT_EQ(Parse({"--call-cores", (first + "," + last).c_str()}).options.call_cores,
            (Cores{usable.front(), usable.back()}));
  for (const char* wrong : {"-1", "1000000", "zero", ""}) {
    const ParsedOptions refused = Parse({"--call-cores", wrong});
    EXPECT_EQ(refused.exit_code, 2) << wrong;
    EXPECT_NE(refused.message.find("--call-cores"), std::string::npos) << refused.message;
  }
}

TEST(MachineOptions, TimeSlicesAreAsLongAsTheSystemTakesThem) {
  EXPECT_EQ(Parse({}).options.time_slice_us, 100);
  EXPECT_EQ(Parse({"--time-slice-us", "0"}).options.time_slice_us, 0);
  EXPECT_EQ(Parse({"--time-slice-us", "100000"}).options.time_slice_us, 100'000);
  for (const char* wrong : {"-1", "1", "99", "100001"}) {
    const ParsedOptions refused = Parse({"--time-slice-us", wrong});
    EXPECT_EQ(refused.exit_code, 2) << wrong;
    EXPECT_NE(refused.message.find("--time-slice-us"), std::string::npos) << refused.message;
  }
}

TEST(MachineOptions, StepsGoFirstOrGiveWayWhereTheSystemLetsThem) {
  EXPECT_EQ(Parse({}).options.step_nice, 0);
  EXPECT_EQ(Parse({"--step-nice", "0"}).options.step_nice, 0);
  EXPECT_EQ(Parse({"--step-nice", "19"}).options.step_nice, 19);
  for (const char* wrong : {"-21", "20", "much"}) {
    const ParsedOptions refused = Parse({"--step-nice", wrong});
    EXPECT_EQ(refused.exit_code, 2) << wrong;
    EXPECT_NE(refused.message.find("--step-nice"), std::string::npos) << refused.message;
  }
  const bool may = CheckNiceValue("nice", -20).ok();
  const ParsedOptions most = Parse({"--step-nice", "-20"});
  EXPECT_EQ(most.exit_code, may ? 0 : 2) << most.message;
  EXPECT_EQ(most.message.find("CAP_SYS_NICE") == std::string::npos, may) << most.message;
}

TEST(MachineOptions, StepsGoFirstByDefaultWhereACoreIsLeft) {
  const unsigned cores = std::thread::hardware_concurrency();
  const std::string all_cores = std::to_string(cores);
  const std::string all_but_one = std::to_string(std::max(cores - 1, 1u));
  const bool may = CheckNiceValue("nice", -10).ok() && FindNiceValue() == 0 && !HasCpuQuota();
  const ParsedOptions all = Parse({"--workers", all_cores.c_str()});
  EXPECT_EQ(all.options.step_nice, 0);
  EXPECT_EQ(Told(all, "step_nice"), "0");
  const ParsedOptions fewer = Parse({"--workers", all_but_one.c_str()});
  const int expected = may && cores > 1 ? -10 : 0;
  EXPECT_EQ(fewer.options.step_nice, expected);
  EXPECT_EQ(Told(fewer, "step_nice"), std::to_string(expected));
  EXPECT_EQ(Parse({"--workers", "1", "--step-nice", "0"}).options.step_nice, 0);
  // Who started the server with a nice value wants it to give way.
  std::thread([] {
    ASSERT_TRUE(AskForNiceValue(std::min(FindNiceValue() + 1, 19)));
    EXPECT_EQ(Parse({"--workers", "1"}).options.step_nice, 0);
  }).join();
}

TEST(MachineOptions, OneSceneNeverGetsMoreCoresThanThereAre) {
  const ParsedOptions parsed = Parse({"--workers", "2", "--workers-per-scene", "9"});
  ASSERT_FALSE(parsed.exit_now);
  EXPECT_EQ(parsed.options.workers_per_scene, 2);
}

}  // namespace
}  // namespace talus::app
