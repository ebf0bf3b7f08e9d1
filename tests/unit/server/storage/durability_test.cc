// What is acknowledged is on the disk, directories included, and what is not leaves nothing: the
// calls that force files to the disk are watched, and those on directories fail where a test wants.
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/session/error.h"
#include "server/storage/file.h"
#include "server/storage/recording_store.h"
#include "server/storage/scene_recording.h"
#include "server/storage/scene_store.h"
#include "server/storage/snapshot_store.h"
#include "tests/support/plain_codec.h"
#include "tests/support/ring.h"
#include "tests/support/wait_until.h"

namespace {

std::atomic<bool> directories_fail{false};
std::atomic<int> data_flushes{0};
talus::Mutex flushed_mutex;
std::vector<std::string> flushed_directories TALUS_GUARDED_BY(flushed_mutex);

}  // namespace

// In place of the C library's.
extern "C" int fsync(int descriptor) {
  struct stat info;
  if (::fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode)) {
    if (directories_fail) {
      errno = EIO;
      return -1;
    }
    std::error_code error;
    const auto path =
        std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error);
    talus::MutexLock lock(flushed_mutex);
    flushed_directories.push_back(path.string());
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

extern "C" int fdatasync(int descriptor) {
  ++data_flushes;
  return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}

namespace talus {
namespace {

namespace fs = std::filesystem;
using Code = absl::StatusCode;
using std::chrono::seconds;
using testing::Answer;
using testing::WaitUntil;

class DurabilityTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "talus-disk-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = fs::canonical(pattern);
    MutexLock lock(flushed_mutex);
    flushed_directories.clear();
  }
  void TearDown() override {
    directories_fail = false;
    fs::remove_all(directory_);
  }
  static bool WasFlushed(const fs::path& path) {
    MutexLock lock(flushed_mutex);
    return std::count(flushed_directories.begin(), flushed_directories.end(), path.string()) > 0;
  }
  static std::vector<std::string> FilesIn(const fs::path& path) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path directory_;
  Limits limits_;
  StorageQuota quota_{1 << 20};
};

TEST_F(DurabilityTest, NewDirectoriesOutlastALossOfPower) {
  const fs::path data = directory_ / "a" / "b";
  ASSERT_TRUE(MakeDirectory(data.string()).ok());
  EXPECT_TRUE(fs::is_directory(data));
  EXPECT_TRUE(WasFlushed(directory_));
  EXPECT_TRUE(WasFlushed(directory_ / "a"));
  ASSERT_TRUE(SnapshotStore::Open(data.string(), limits_, quota_).ok());
  EXPECT_FALSE(WasFlushed(data));
  ASSERT_TRUE(SceneStore::Open((data / "scenes").string(), 2, limits_, quota_).ok());
  EXPECT_TRUE(WasFlushed(data));
  const fs::path other = directory_ / "c";
  ASSERT_TRUE(RecordingStore::Open((other / "recordings").string(), limits_, quota_).ok());
  EXPECT_TRUE(WasFlushed(other));
}

TEST_F(DurabilityTest, ASnapshotThatMightNotLastIsNotThere) {
  auto store = SnapshotStore::Open(directory_.string(), limits_, quota_).value();
  directories_fail = true;
  EXPECT_EQ(store->Save("s", 1, 1, "state").status().code(), Code::kUnavailable);
  EXPECT_EQ(quota_.used_bytes(), 0);
  EXPECT_TRUE(store->List(0, "")->snapshots.empty());
  EXPECT_EQ(FilesIn(directory_), std::vector<std::string>{"talus.lock"});
  directories_fail = false;
  EXPECT_TRUE(store->Save("s", 1, 1, "state").ok());
}

TEST_F(DurabilityTest, AStateThatMightNotLastLeavesTheOneBefore) {
  auto snapshots = SnapshotStore::Open(directory_.string(), limits_, quota_).value();
  ASSERT_TRUE(snapshots->Save("s", 7, 7, "snapshot").ok());
  const fs::path scenes = directory_ / "scenes";
  auto store = SceneStore::Open(scenes.string(), 2, limits_, quota_).value();
  ASSERT_TRUE(store->Save("a", 1, 1, "first").ok());
  const int64_t used = quota_.used_bytes();
  directories_fail = true;
  EXPECT_EQ(store->Save("a", 2, 2, "second").code(), Code::kUnavailable);
  EXPECT_EQ(store->Link("a", snapshots->PathOf("s")).code(), Code::kUnavailable);
  EXPECT_EQ(quota_.used_bytes(), used);
  EXPECT_EQ(FilesIn(scenes), std::vector<std::string>{"a.1.scene"});
  directories_fail = false;
  EXPECT_TRUE(store->Link("a", snapshots->PathOf("s")).ok());
  EXPECT_EQ(store->Load("a", [](const StoredScene&) { return absl::OkStatus(); })->bytes,
            "snapshot");
}

TEST_F(DurabilityTest, ARecordingOfASceneThatStandsStillIsForcedToTheDisk) {
  ManualClock clock;
  Executor executor(1);
  auto store = RecordingStore::Open(directory_.string(), limits_, quota_).value();
  RecordingInfo info;
  info.id = "r";
  auto file = store->Create(&info).value();
  Answer<RecordingInfo> begun;
  HeldBytes starting(1000);
  auto recording = std::make_shared<SceneRecording>(
      info, RecordingOptions(), std::move(file), std::make_shared<testing::PlainCodec>(), *store,
      starting, executor, clock, [](const RecordingInfo&) {});
  recording->AwaitBegin(begun.Done());
  recording->OnStart({0, 0.0, 1, "state"});
  ASSERT_TRUE(begun.Get().ok());
  recording->OnStep({1, 0.01, 2, false});
  const int before = data_flushes;
  for (int second = 0; second < 5; ++second) {
    EXPECT_EQ(data_flushes, before);
    ASSERT_TRUE(WaitUntil([&] { return clock.waiting_count() == 1; }, testing::kPatience));
    clock.Advance(seconds(1));
  }
  EXPECT_TRUE(WaitUntil([&] { return data_flushes == before + 1; }));
  // With nothing left to do nothing is planned.
  Answer<bool> passed;
  executor.Post([done = passed.Done()] { done(true); });
  ASSERT_TRUE(passed.Get().ok());
  EXPECT_EQ(clock.waiting_count(), 0u);
  Answer<RecordingInfo> stopped;
  recording->Stop(stopped.Done());
  EXPECT_EQ(stopped.Get()->state, RecordingState::kComplete);
}

}  // namespace
}  // namespace talus
