#include "solver/base/slack.h"

#include <gtest/gtest.h>

#include <numeric>

namespace talus {
namespace {

TEST(SlackTest, ABufferGetsWhatItNeedsFirstAndALittleMoreLater) {
  std::vector<int> buffer;
  ResizeBuffer(buffer, 3200);
  EXPECT_EQ(buffer.capacity(), 3200u);
  ResizeBuffer(buffer, 6400);
  EXPECT_EQ(buffer.capacity(), 6600u);
  ResizeBuffer(buffer, 10);
  EXPECT_EQ(buffer.capacity(), 6600u);
}

// A quarter of the work brings `early` entries, all of it `count`.
std::vector<int> Fill(std::vector<int> buffer, size_t early, size_t count) {
  const size_t old_capacity = buffer.capacity();
  ExtendBuffer(buffer, early, 1, 4);
  std::iota(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(early), 0);
  ExtendBuffer(buffer, count, 4, 4);
  std::iota(buffer.begin() + static_cast<std::ptrdiff_t>(early),
            buffer.begin() + static_cast<std::ptrdiff_t>(count), static_cast<int>(early));
  FitBuffer(buffer, count, old_capacity);
  return buffer;
}

TEST(SlackTest, WhatAnEarlyPartForesawTooMuchIsGivenBack) {
  for (const size_t early : {size_t{10}, size_t{250}, size_t{900}}) {
    const std::vector<int> filled = Fill({}, early, 1000);
    ASSERT_EQ(filled.size(), 1000u);
    for (size_t i = 0; i < filled.size(); ++i) ASSERT_EQ(filled[i], static_cast<int>(i));
    EXPECT_EQ(filled.capacity(), 1000u);
  }
}

TEST(SlackTest, RoomThatWasThereStays) {
  std::vector<int> buffer(2000);
  const int* const place = buffer.data();
  const std::vector<int> filled = Fill(std::move(buffer), 250, 1000);
  EXPECT_EQ(filled.data(), place);
  EXPECT_EQ(filled.capacity(), 2000u);
}

}  // namespace
}  // namespace talus
