#include "clients/cpp/frame_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace talus::client {
namespace {

v1::Frame MakeFrame(int64_t step) {
  v1::Frame frame;
  frame.set_step_index(step);
  for (int i = 0; i < 300; ++i) frame.mutable_bodies()->add_positions_world_m(i + 0.5);
  return frame;
}

class FrameFile : public ::testing::Test {
 protected:
  FrameFile()
      : path_(::testing::TempDir() + "/" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".binpb") {}

  void WriteThree() {
    auto writer = FrameWriter::Open(path_);
    ASSERT_TRUE(writer);
    for (int64_t step = 1; step <= 3; ++step) {
      ASSERT_TRUE(writer->Write(MakeFrame(step)));
      ends_.push_back(writer->byte_size());
    }
    ASSERT_TRUE(writer->Sync());
  }

  std::string path_;
  std::vector<int64_t> ends_;
};

TEST_F(FrameFile, ReadsBackWhatWasWritten) {
  WriteThree();
  auto reader = FrameReader::Open(path_);
  ASSERT_TRUE(reader);
  v1::Frame frame;
  for (int64_t step = 1; step <= 3; ++step) {
    ASSERT_TRUE(reader->Read(&frame));
    EXPECT_EQ(frame.SerializeAsString(), MakeFrame(step).SerializeAsString());
    EXPECT_EQ(reader->byte_offset(), ends_[static_cast<size_t>(step - 1)]);
  }
  EXPECT_FALSE(reader->Read(&frame));
  EXPECT_FALSE(reader->torn());
}

TEST_F(FrameFile, TellsATornTailFromTheEnd) {
  WriteThree();
  for (const int64_t cut : {ends_[1] + 1, ends_[1] + 2, ends_[2] - 1}) {
    std::filesystem::resize_file(path_, static_cast<uintmax_t>(cut));
    auto reader = FrameReader::Open(path_);
    v1::Frame frame;
    int count = 0;
    while (reader->Read(&frame)) ++count;
    EXPECT_EQ(count, 2);
    EXPECT_TRUE(reader->torn()) << cut;
    EXPECT_EQ(reader->byte_offset(), ends_[1]);
    WriteThree();
  }
}

TEST_F(FrameFile, ALengthThatIsNoneIsATornTail) {
  WriteThree();
  std::ofstream(path_, std::ios::binary | std::ios::app) << std::string(12, '\xd7');
  auto reader = FrameReader::Open(path_);
  v1::Frame frame;
  int count = 0;
  while (reader->Read(&frame)) ++count;
  EXPECT_EQ(count, 3);
  EXPECT_TRUE(reader->torn());
  EXPECT_EQ(reader->byte_offset(), ends_[2]);
}

TEST_F(FrameFile, ContinuesAfterACut) {
  WriteThree();
  {
    auto writer = FrameWriter::Open(path_, ends_[0]);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->Write(MakeFrame(9)));
  }
  auto reader = FrameReader::Open(path_);
  v1::Frame frame;
  ASSERT_TRUE(reader->Read(&frame));
  EXPECT_EQ(frame.step_index(), 1);
  ASSERT_TRUE(reader->Read(&frame));
  EXPECT_EQ(frame.step_index(), 9);
  EXPECT_FALSE(reader->Read(&frame));
}

TEST_F(FrameFile, SaysWhichFileFailed) {
  auto reader = FrameReader::Open("/nowhere/frames.binpb");
  ASSERT_FALSE(reader);
  EXPECT_NE(reader.error().message.find("/nowhere/frames.binpb"), std::string::npos);
  EXPECT_FALSE(FrameWriter::Open("/nowhere/frames.binpb"));
}

TEST_F(FrameFile, ReportsAFullDisk) {
  auto writer = FrameWriter::Open("/dev/full");
  // The device cannot be cut, and could not be written.
  if (writer) {
    EXPECT_FALSE(writer->Write(MakeFrame(1)));
  }
}

}  // namespace
}  // namespace talus::client
