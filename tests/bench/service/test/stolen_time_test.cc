#include "tests/bench/service/stolen_time.h"

#include <gtest/gtest.h>

#include <sstream>

namespace talus::bench {
namespace {

TEST(ReadProcessorTime, TakesEightColumnsOfAllCores) {
  std::istringstream stat("cpu  10 20 30 400 5 6 7 22 1000 2000\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  const ProcessorTime time = ReadProcessorTime(stat);
  EXPECT_EQ(time.stolen, 22.0);
  EXPECT_EQ(time.all, 500.0);
}

TEST(ReadProcessorTime, SaysNothingOfWhatItDoesNotKnow) {
  for (const char* text :
       {"", "cpu", "cpu 1 2 3 4 5 6 7", "cpu0 1 2 3 4 5 6 7 8 9 10", "cpu a b"}) {
    std::istringstream stat(text);
    const ProcessorTime time = ReadProcessorTime(stat);
    EXPECT_EQ(time.stolen, 0.0) << text;
    EXPECT_EQ(time.all, 0.0) << text;
  }
}

TEST(FindStolenShare, IsOfWhatHasPassed) {
  EXPECT_EQ(FindStolenShare({22.0, 500.0}, {32.0, 540.0}), 0.25);
  EXPECT_EQ(FindStolenShare({22.0, 500.0}, {22.0, 540.0}), 0.0);
  EXPECT_EQ(FindStolenShare({22.0, 500.0}, {22.0, 500.0}), 0.0);
}

TEST(ReadProcessorTime, KnowsThisMachine) {
  const ProcessorTime time = ReadProcessorTime();
  EXPECT_GT(time.all, 0.0);
  EXPECT_GE(time.stolen, 0.0);
  EXPECT_LT(time.stolen, time.all);
}

}  // namespace
}  // namespace talus::bench
