// Files read whole, as long as they are not too large for that.
#include "clients/cli/output_file.h"

#include <gtest/gtest.h>

#include <string>

#include "clients/cli/scene_file.h"
#include "tests/support/scratch_file.h"

namespace talus::cli {
namespace {

using ::talus::testing::ScratchFile;

TEST(ReadFile, AnyNumberOfBytesUpToTheMost) {
  constexpr size_t kMib = size_t{1} << 20;
  for (const size_t size : {size_t{0}, size_t{1}, kMib - 1, kMib, kMib + 1, 2 * kMib}) {
    std::string bytes(size, 'x');
    if (size > 0) bytes.back() = 'y';
    const ScratchFile file("bytes", bytes);
    const auto read = ReadFile(file.path(), 2);
    ASSERT_TRUE(read) << size << ": " << read.error().message;
    EXPECT_TRUE(*read == bytes) << size;
  }
  const ScratchFile more("bytes", std::string(2 * kMib + 1, 'x'));
  const auto refused = ReadFile(more.path(), 2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.code(), client::Code::kResourceExhausted);
  EXPECT_EQ(refused.error().message, more.path() + " must hold at most 2 MiB");
}

TEST(ReadFile, WhatIsNoFileIsRefused) {
  EXPECT_EQ(ReadFile("/dev/zero", 1).code(), client::Code::kResourceExhausted);
  const auto folder = ReadFile("/tmp");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message, "cannot read /tmp: Is a directory");
  EXPECT_EQ(ReadFile("/nowhere/at/all").code(), client::Code::kNotFound);
}

TEST(ReadFile, ScenesToo) {
  const auto scene = LoadSceneFile("/dev/zero");
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().message, "/dev/zero must hold at most 256 MiB");
}

}  // namespace
}  // namespace talus::cli
