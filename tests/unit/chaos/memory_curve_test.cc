#include "tests/system/chaos/memory_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace talus::chaos {
namespace {

constexpr double kSecondsPerHour = 3600.0;

// A sample each `period_s` of a memory that grows from 100 MiB by so much an hour. The first
// quarter is poisoned: it must not matter to the slope.
MemoryCurve Grow(int count, double mib_per_hour, double period_s = 10.0) {
  MemoryCurve curve;
  for (int k = 0; k < count; ++k) {
    const double seconds = period_s * k;
    const double mib = 100.0 + mib_per_hour * seconds / kSecondsPerHour;
    curve.Add(seconds, k < count / 4 ? 1e6 - 1e4 * k : mib);
  }
  return curve;
}

size_t CountLines(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(MemoryCurve, FindsTheSlopeOfWhatCameAfterTheFirstQuarter) {
  for (const int count : {8, 9, 11, 100}) {
    EXPECT_NEAR(Grow(count, 36.0).FindSlope(), 36.0, 1e-9) << count;
    EXPECT_NEAR(Grow(count, -36.0).FindSlope(), -36.0, 1e-9) << count;
    EXPECT_NEAR(Grow(count, 0.0).FindSlope(), 0.0, 1e-9) << count;
  }
}

TEST(MemoryCurve, TheSlopeIsThatOfTheBestLine) {
  // Of 0, 1, 0, 1, 0, 1 at 2 to 7 s: the sum of (t - 4.5) (m - 0.5) is 1.5, that of (t
  // - 4.5)² 17.5.
  MemoryCurve curve;
  for (int k = 0; k < 8; ++k) curve.Add(k, k % 2);
  EXPECT_NEAR(curve.FindSlope(), 1.5 / 17.5 * kSecondsPerHour, 1e-9);
}

TEST(MemoryCurve, FewSamplesHaveNoSlope) {
  EXPECT_EQ(MemoryCurve().FindSlope(), 0.0);
  EXPECT_EQ(Grow(7, 36.0).FindSlope(), 0.0);
}

TEST(MemoryCurve, SamplesOfOneMomentHaveNoSlope) {
  MemoryCurve curve;
  for (int k = 0; k < 20; ++k) curve.Add(5.0, 100.0 + k);
  EXPECT_EQ(curve.FindSlope(), 0.0);
}

TEST(MemoryCurve, TellsAboutTwentyPointsThenSlopeAndMeans) {
  MemoryCurve curve;
  for (int k = 0; k < 200; ++k) curve.Add(k, k < 100 ? 10.0 : 30.0);
  const std::string text = curve.ToText();
  EXPECT_EQ(CountLines(text), 20u + 1u) << text;
  EXPECT_EQ(text.rfind("        0 s     10.0 MiB\n", 0), 0u) << text;
  EXPECT_NE(text.find("      190 s     30.0 MiB\n"), std::string::npos) << text;
  EXPECT_NE(text.find("second quarter 10.0 MiB, last 30.0 MiB\n"), std::string::npos) << text;
  for (const int count : {20, 39, 40, 1000}) {
    const size_t points = CountLines(Grow(count, 36.0).ToText()) - 1;
    EXPECT_GE(points, 20u) << count;
    EXPECT_LT(points, 40u) << count;
  }
  EXPECT_NE(Grow(100, 36.0).ToText().find("after the first quarter +36.0 MiB/h;"),
            std::string::npos);
}

TEST(MemoryCurve, TellsOfNothingToo) {
  EXPECT_EQ(MemoryCurve().ToText(),
            "  after the first quarter +0.0 MiB/h; second quarter 0.0 MiB, last 0.0 MiB\n");
}

}  // namespace
}  // namespace talus::chaos
