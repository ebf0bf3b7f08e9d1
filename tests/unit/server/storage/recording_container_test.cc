// What a recording tells of itself is what its file holds, however it ends.
#include "server/storage/recording_container.h"

#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "server/session/error.h"
#include "server/storage/mcap_reader.h"
#include "tests/support/plain_codec.h"

namespace talus {
namespace {

namespace fs = std::filesystem;
using Code = absl::StatusCode;

// Files of this process grow no further while it stands: a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : before_signal_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, before_signal_);
  }

 private:
  void (*before_signal_)(int);
  rlimit before_;
};

class RecordingContainerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "talus-recording-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    store_ = RecordingStore::Open(directory_.string(), limits_, quota_).value();
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::unique_ptr<RecordingContainer> Make(int64_t most_bytes) {
    RecordingInfo info;
    info.id = "r";
    info.parts.positions = true;
    auto file = store_->Create(&info).value();
    return std::make_unique<RecordingContainer>(
        info, std::move(file), std::make_shared<testing::PlainCodec>(), most_bytes);
  }
  // One that does not compress, of about 300 kB: three and more make a chunk.
  FramePtr MakeFrame(int64_t step_index) {
    auto frame = std::make_shared<FrameData>();
    frame->step_index = step_index;
    frame->time_s = 0.01 * static_cast<double>(step_index);
    auto layout = std::make_shared<Layout>();
    layout->version = 1;
    frame->layout = layout;
    std::uniform_real_distribution<double> number;
    for (int index = 0; index < 37'500; ++index) {
      frame->positions_world_m.push_back(number(random_));
    }
    return frame;
  }
  // Frames and inputs in turns, until something is refused.
  absl::Status Fill(RecordingContainer& container) {
    absl::Status status = container.Write(RecordStart{0, 0.0, 0, "state"});
    for (int64_t step = 1; status.ok(); ++step) {
      const InputRecord input{step, 0.0, 0, StepsMade{false, {1}}};
      status = container.Write(MakeFrame(step));
      if (status.ok()) status = container.Write(input);
    }
    return status;
  }
  // How many messages of a topic the file holds.
  int64_t Count(const std::string& topic) const {
    auto reader = McapReader::Open(store_->PathOf("r"));
    int64_t count = 0;
    while (reader.ok()) {
      const auto item = reader->Next();
      if (!item.ok() || item->kind == McapItem::Kind::kEnd) break;
      count += item->name == topic ? 1 : 0;
    }
    return count;
  }
  void ExpectToHoldWhatItTells(const RecordingInfo& info) const {
    EXPECT_GT(info.frame_count, 0);
    EXPECT_EQ(info.frame_count, Count("/frames"));
    EXPECT_EQ(info.input_count, Count("/inputs"));
    EXPECT_EQ(info.last_step_index, info.input_count + 1);
    EXPECT_EQ(info.byte_size, static_cast<int64_t>(fs::file_size(store_->PathOf("r"))));
  }

  fs::path directory_;
  Limits limits_;
  StorageQuota quota_{int64_t{1} << 30};
  std::unique_ptr<RecordingStore> store_;
  std::mt19937_64 random_{5};
};

TEST_F(RecordingContainerTest, WhatTheDiskRefusedIsNotCounted) {
  const FullDisk disk(5'000'000);
  auto container = Make(int64_t{1} << 30);
  EXPECT_EQ(Fill(*container).code(), Code::kUnavailable);
  ExpectToHoldWhatItTells(container->info());
  EXPECT_EQ(quota_.used_bytes(), container->info().byte_size);
}

TEST_F(RecordingContainerTest, WhatALimitRefusedIsNotCounted) {
  auto container = Make(5'000'000);
  EXPECT_EQ(FindErrorInfo(Fill(*container)).limit_name, "recording_bytes");
  ASSERT_TRUE(container->Finish(container->info()).ok());
  ExpectToHoldWhatItTells(container->info());
  EXPECT_LE(container->info().byte_size, 5'000'000);
}

TEST_F(RecordingContainerTest, WhatMeetsTheQuotaStaysInAndIsCounted) {
  ASSERT_TRUE(quota_.Take((int64_t{1} << 30) - 5'000'000).ok());
  auto container = Make(int64_t{1} << 30);
  EXPECT_EQ(FindErrorInfo(Fill(*container)).limit_name, "storage_bytes");
  ASSERT_TRUE(container->Finish(container->info()).ok());
  ExpectToHoldWhatItTells(container->info());
}

TEST_F(RecordingContainerTest, AnEndThatFindsNoRoomIsNotCounted) {
  auto container = Make(int64_t{1} << 30);
  ASSERT_TRUE(container->Write(RecordStart{0, 0.0, 0, "state"}).ok());
  for (int64_t step = 1; step <= 4; ++step) ASSERT_TRUE(container->Write(MakeFrame(step)).ok());
  ASSERT_TRUE(container->Write(MakeFrame(5)).ok());
  const FullDisk disk(fs::file_size(store_->PathOf("r")) + 1000);
  EXPECT_EQ(container->Finish(container->info()).code(), Code::kUnavailable);
  EXPECT_EQ(container->info().frame_count, Count("/frames"));
}

TEST_F(RecordingContainerTest, AStateLargerThanARecordingIsRefused) {
  auto container = Make(100'000);
  const absl::Status refused = container->Write(RecordStart{0, 0.0, 0, std::string(100'000, 's')});
  EXPECT_EQ(refused.code(), Code::kResourceExhausted);
  EXPECT_EQ(FindErrorInfo(refused).limit_name, "recording_bytes");
  EXPECT_FALSE(container->began());
  EXPECT_EQ(container->info().byte_size, 0);
}

TEST_F(RecordingContainerTest, AStateBeyondTheQuotaTakesNoRoom) {
  ASSERT_TRUE(quota_.Take((int64_t{1} << 30) - 50'000).ok());
  auto container = Make(int64_t{1} << 30);
  const absl::Status refused = container->Write(RecordStart{0, 0.0, 0, std::string(100'000, 's')});
  EXPECT_EQ(FindErrorInfo(refused).limit_name, "storage_bytes");
  EXPECT_EQ(quota_.used_bytes(), (int64_t{1} << 30) - 50'000);
}

}  // namespace
}  // namespace talus
