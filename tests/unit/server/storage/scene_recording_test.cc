#include "server/storage/scene_recording.h"

#include <filesystem>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/plain_codec.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

namespace fs = std::filesystem;
using testing::Answer;
using testing::Gate;
using Code = absl::StatusCode;

class SceneRecordingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "talus-recording-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    store_ = RecordingStore::Open(directory_.string(), Limits(), quota_).value();
  }
  void TearDown() override {
    executor_.Stop();
    fs::remove_all(directory_);
  }
  Answer<RecordingInfo> Begin(const std::string& id) {
    RecordingInfo info;
    info.id = id;
    auto file = store_->Create(&info).value();
    auto recording = std::make_shared<SceneRecording>(
        info, RecordingOptions(), std::move(file), std::make_shared<testing::PlainCodec>(), *store_,
        starting_, executor_, clock_, [](const RecordingInfo&) {});
    Answer<RecordingInfo> begun;
    recording->AwaitBegin(begun.Done());
    recording->OnStart({0, 0.0, 1, std::string(100, 's')});
    recordings_.push_back(std::move(recording));
    return begun;
  }

  fs::path directory_;
  StorageQuota quota_{1 << 20};
  ManualClock clock_;
  Executor executor_{1};
  std::unique_ptr<RecordingStore> store_;
  HeldBytes starting_{150};
  std::vector<std::shared_ptr<SceneRecording>> recordings_;
};

TEST_F(SceneRecordingTest, StatesThatWaitForTheDiskAreBounded) {
  const auto gate = std::make_shared<Gate>();
  executor_.Post([gate] { gate->Pass(); });
  gate->AwaitArrival();
  Answer<RecordingInfo> first = Begin("first");
  Answer<RecordingInfo> second = Begin("second");
  gate->Open();
  EXPECT_EQ(second.GetError(Code::kResourceExhausted).limit_name, "snapshot_bytes");
  EXPECT_EQ(store_->Find("second").status().code(), Code::kNotFound);
  EXPECT_FALSE(fs::exists(directory_ / "second.mcap"));
  EXPECT_TRUE(first.Get().ok());
  EXPECT_TRUE(Begin("third").Get().ok());
}

}  // namespace
}  // namespace talus
