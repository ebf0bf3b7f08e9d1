#include "tests/bench/service/stolen_time.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace talus::bench {
namespace {

TEST(StolenTime, IsAShare) {
  const StolenTime stolen;
  EXPECT_GE(stolen.FindShare(), 0.0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GE(stolen.FindShare(), 0.0);
  EXPECT_LE(stolen.FindShare(), 1.0);
}

}  // namespace
}  // namespace talus::bench
