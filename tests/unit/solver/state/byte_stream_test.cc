#include "solver/state/byte_stream.h"

#include <gtest/gtest.h>

namespace talus {
namespace {

TEST(ByteStreamTest, WhatIsWrittenComesBack) {
  ByteWriter out;
  out.Write(uint8_t{7});
  out.Write(int64_t{-3});
  out.Write(0.1);
  out.WriteText("abc");
  out.WriteVector(Vec3(1, 2, 3));
  out.WriteQuaternion(Quat(0.5, -0.5, 0.5, 0.5));
  ByteReader in(out.bytes());
  EXPECT_EQ(in.Read<uint8_t>(), 7);
  EXPECT_EQ(in.Read<int64_t>(), -3);
  EXPECT_EQ(in.Read<double>(), 0.1);
  EXPECT_EQ(in.ReadText(3), "abc");
  EXPECT_EQ(in.ReadVector(), Vec3(1, 2, 3));
  EXPECT_EQ(in.ReadQuaternion().coeffs(), Quat(0.5, -0.5, 0.5, 0.5).coeffs());
  EXPECT_TRUE(in.ok());
  EXPECT_TRUE(in.at_end());
}

TEST(ByteStreamTest, BytesAreLittleEndian) {
  ByteWriter out;
  out.Write(uint32_t{0x01020304});
  EXPECT_EQ(out.bytes(), std::string("\x04\x03\x02\x01"));
}

TEST(ByteStreamTest, ReadingPastTheEndFailsForGood) {
  ByteReader in(std::string_view("\x01\x02\x03", 3));
  EXPECT_EQ(in.Read<uint16_t>(), 0x0201);
  EXPECT_EQ(in.Read<uint32_t>(), 0u);
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.Read<uint8_t>(), 0);
  EXPECT_FALSE(in.ok());
}

TEST(ByteStreamTest, ACountMustFitWhatFollows) {
  ByteWriter out;
  out.Write(uint64_t{3});
  out.Write(uint64_t{0});
  out.Write(uint64_t{0});
  ByteReader fits(out.bytes());
  EXPECT_EQ(fits.ReadCount(5), 3u);
  EXPECT_TRUE(fits.ok());
  ByteReader forged(out.bytes());
  EXPECT_EQ(forged.ReadCount(6), 0u);
  EXPECT_FALSE(forged.ok());
}

TEST(ByteStreamTest, TextIsBoundedByLimitAndByInput) {
  ByteWriter out;
  out.WriteText("abcdef");
  ByteReader too_long(out.bytes());
  EXPECT_EQ(too_long.ReadText(5), "");
  EXPECT_FALSE(too_long.ok());
  ByteReader cut(std::string_view(out.bytes()).substr(0, 8));
  EXPECT_EQ(cut.ReadText(100), "");
  EXPECT_FALSE(cut.ok());
}

}  // namespace
}  // namespace talus
