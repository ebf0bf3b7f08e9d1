#include "server/storage/snapshot_store.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "server/session/error.h"
#include "server/storage/snapshot_file.h"

namespace talus {
namespace {

namespace fs = std::filesystem;
using Code = absl::StatusCode;

class SnapshotStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "talus-store-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override {
    store_.reset();
    fs::remove_all(directory_);
  }

  SnapshotStore& Open() {
    store_.reset();
    auto opened = SnapshotStore::Open(directory_.string(), limits_, quota_);
    EXPECT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
    return *store_;
  }
  void WriteRaw(const std::string& name, const std::string& bytes) {
    std::ofstream(directory_ / name, std::ios::binary) << bytes;
  }
  std::string ReadRaw(const std::string& name) {
    std::ifstream in(directory_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static std::vector<std::string> IdsOf(const SnapshotPage& page) {
    std::vector<std::string> ids;
    for (const SnapshotInfo& info : page.snapshots) ids.push_back(info.id);
    return ids;
  }

  fs::path directory_;
  Limits limits_;
  StorageQuota quota_{int64_t{1} << 20};
  std::unique_ptr<SnapshotStore> store_;
};

TEST_F(SnapshotStoreTest, WhatIsSavedIsLoaded) {
  SnapshotStore& store = Open();
  const std::string bytes("\0snapshot\xff bytes", 16);
  const auto saved = store.Save("one", 42, 0x1234567890abcdefu, bytes);
  ASSERT_TRUE(saved.ok()) << saved.status();
  EXPECT_EQ(saved->byte_size, 16);
  EXPECT_GT(saved->created_unix_ms, 0);
  for (int round = 0; round < 2; ++round) {
    const auto loaded = store_->Load("one");
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    EXPECT_EQ(loaded->bytes, bytes);
    EXPECT_EQ(loaded->info.step_index, 42);
    EXPECT_EQ(loaded->info.state_hash, 0x1234567890abcdefu);
    EXPECT_EQ(loaded->info.created_unix_ms, saved->created_unix_ms);
    Open();  // a restart keeps it
  }
}

TEST_F(SnapshotStoreTest, NamesAreTakenOnceAndChosenWhenLeftOpen) {
  SnapshotStore& store = Open();
  ASSERT_TRUE(store.Save("snapshot-2", 0, 0, "x").ok());
  const auto again = store.Save("snapshot-2", 1, 1, "y");
  EXPECT_EQ(again.status().code(), Code::kAlreadyExists);
  EXPECT_EQ(FindErrorInfo(again.status()).reason, ErrorReason::kDuplicateName);
  EXPECT_EQ(store.Load("snapshot-2")->bytes, "x");
  EXPECT_EQ(store.Save("", 0, 0, "z")->id, "snapshot-3");
  EXPECT_EQ(store.Save("", 0, 0, "z")->id, "snapshot-4");
}

TEST_F(SnapshotStoreTest, ListsByNameInPages) {
  SnapshotStore& store = Open();
  for (const char* id : {"c", "a", "e", "b", "d"}) ASSERT_TRUE(store.Save(id, 0, 0, id).ok());
  auto page = store.List(2, "");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(IdsOf(*page), (std::vector<std::string>{"a", "b"}));
  ASSERT_TRUE(store.Delete("b").ok());
  page = store.List(2, page->next_page_token);
  EXPECT_EQ(IdsOf(*page), (std::vector<std::string>{"c", "d"}));
  page = store.List(2, page->next_page_token);
  EXPECT_EQ(IdsOf(*page), (std::vector<std::string>{"e"}));
  EXPECT_EQ(page->next_page_token, "");
  EXPECT_EQ(FindErrorInfo(store.List(-1, "").status()).field, "page_size");
  EXPECT_EQ(FindErrorInfo(store.List(1001, "").status()).field, "page_size");
  EXPECT_EQ(FindErrorInfo(store.List(0, "no/such").status()).field, "page_token");
}

TEST_F(SnapshotStoreTest, APipeInTheWayIsNotWaitedOn) {
  SnapshotStore& store = Open();
  ASSERT_EQ(::mkfifo((directory_ / "s.snapshot.tmp").c_str(), 0600), 0);
  EXPECT_EQ(store.Save("s", 0, 0, "x").status().code(), Code::kUnavailable);
  EXPECT_EQ(quota_.used_bytes(), 0);
  EXPECT_TRUE(store.Save("s", 0, 0, "x").ok()) << "it has been removed";
}

TEST_F(SnapshotStoreTest, NoNameLeavesTheDirectory) {
  SnapshotStore& store = Open();
  const std::vector<std::string> outside = {"../x", "a/b", "/etc/x", std::string("a\0b", 3), "a b"};
  for (const std::string& id : outside) {
    EXPECT_EQ(store.Save(id, 0, 0, "x").status().code(), Code::kInvalidArgument) << id;
    EXPECT_EQ(store.Load(id).status().code(), Code::kInvalidArgument) << id;
    EXPECT_EQ(store.Delete(id).code(), Code::kInvalidArgument) << id;
  }
  EXPECT_EQ(store.Save(std::string(65, 'x'), 0, 0, "").status().code(), Code::kInvalidArgument);
  EXPECT_FALSE(fs::exists(directory_.parent_path() / "x.snapshot"));
  // Dots are letters like any other.
  const std::vector<std::string> dotted = {".", "..", "...", ".hidden", "a.snapshot"};
  for (const std::string& id : dotted) {
    ASSERT_TRUE(store.Save(id, 0, 0, id).ok()) << id;
    EXPECT_EQ(store.Load(id)->bytes, id);
  }
  EXPECT_EQ(store.List(0, "")->snapshots.size(), 5u);
}

TEST_F(SnapshotStoreTest, MissingSnapshotsAreNotFound) {
  SnapshotStore& store = Open();
  EXPECT_EQ(store.Load("none").status().code(), Code::kNotFound);
  EXPECT_EQ(store.Delete("none").code(), Code::kNotFound);
  ASSERT_TRUE(store.Save("one", 0, 0, "x").ok());
  EXPECT_TRUE(store.Delete("one").ok());
  EXPECT_EQ(store.Delete("one").code(), Code::kNotFound);
}

TEST_F(SnapshotStoreTest, HoldsItsLimits) {
  limits_.snapshots = 2;
  limits_.snapshot_bytes = 4;
  SnapshotStore& store = Open();
  const auto big = store.Save("big", 0, 0, "12345");
  EXPECT_EQ(big.status().code(), Code::kResourceExhausted);
  EXPECT_EQ(FindErrorInfo(big.status()).limit_name, "snapshot_bytes");
  ASSERT_TRUE(store.Save("a", 0, 0, "1234").ok());
  ASSERT_TRUE(store.Save("b", 0, 0, "").ok());
  const auto third = store.Save("c", 0, 0, "");
  EXPECT_EQ(FindErrorInfo(third.status()).limit_name, "snapshots");
  EXPECT_EQ(FindErrorInfo(third.status()).limit_value, 2);
  EXPECT_TRUE(store.Load("b")->bytes.empty());
}

TEST_F(SnapshotStoreTest, TheQuotaIsOfAllFilesTogether) {
  const int64_t free_bytes = (int64_t{1} << 20) - 300;
  ASSERT_TRUE(quota_.Take(free_bytes).ok());
  SnapshotStore& store = Open();
  ASSERT_TRUE(store.Save("a", 0, 0, std::string(100, 'a')).ok());
  const auto second = store.Save("b", 0, 0, std::string(100, 'b'));
  EXPECT_EQ(second.status().code(), Code::kResourceExhausted);
  EXPECT_EQ(FindErrorInfo(second.status()).limit_name, "storage_bytes");
  EXPECT_EQ(store.Load("b").status().code(), Code::kNotFound);
  ASSERT_TRUE(store.Delete("a").ok());
  EXPECT_EQ(quota_.used_bytes(), free_bytes);
  EXPECT_TRUE(store.Save("b", 0, 0, std::string(100, 'b')).ok());
  quota_.GiveBack(quota_.used_bytes());
  Open();  // counts what it finds
  EXPECT_EQ(quota_.used_bytes(), 164);
}

TEST_F(SnapshotStoreTest, FindTellsWithoutLoading) {
  SnapshotStore& store = Open();
  ASSERT_TRUE(store.Save("one", 42, 7, "payload").ok());
  const auto found = store.Find("one");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->step_index, 42);
  EXPECT_EQ(found->state_hash, 7u);
  EXPECT_EQ(found->byte_size, 7);
  EXPECT_EQ(store.Find("two").status().code(), Code::kNotFound);
  EXPECT_EQ(store.Find("../one").status().code(), Code::kInvalidArgument);
  WriteRaw("one.snapshot", "TALUSNAP");
  EXPECT_EQ(store.Find("one").status().code(), Code::kDataLoss);
}

TEST_F(SnapshotStoreTest, LeftoversOfACrashAreRemoved) {
  ASSERT_TRUE(Open().Save("good", 0, 0, "x").ok());
  store_.reset();
  WriteRaw("half.snapshot.tmp", "TALUSNAP half");
  WriteRaw("notes.txt", "not ours");
  SnapshotStore& store = Open();
  EXPECT_FALSE(fs::exists(directory_ / "half.snapshot.tmp"));
  EXPECT_TRUE(fs::exists(directory_ / "notes.txt"));
  EXPECT_EQ(store.List(0, "")->snapshots.size(), 1u);
  EXPECT_TRUE(store.FindDamaged()->empty());
}

TEST_F(SnapshotStoreTest, EveryDamagedByteIsNoticed) {
  ASSERT_TRUE(Open().Save("one", 3, 4, "payload").ok());
  const std::string good = ReadRaw("one.snapshot");
  ASSERT_EQ(good.size(), kSnapshotHeaderSize + 7);
  for (size_t index = 0; index < good.size(); ++index) {
    std::string bad = good;
    bad[index] = static_cast<char>(bad[index] ^ 0x10);
    WriteRaw("one.snapshot", bad);
    const auto loaded = store_->Load("one");
    ASSERT_EQ(loaded.status().code(), Code::kDataLoss) << "byte " << index;
    ASSERT_EQ(FindErrorInfo(loaded.status()).reason, ErrorReason::kBadSnapshot);
  }
  for (size_t size = 0; size < good.size(); ++size) {
    WriteRaw("one.snapshot", good.substr(0, size));
    ASSERT_EQ(store_->Load("one").status().code(), Code::kDataLoss) << "cut to " << size;
  }
  WriteRaw("one.snapshot", good + "x");
  EXPECT_EQ(store_->Load("one").status().code(), Code::kDataLoss);
  WriteRaw("one.snapshot", good);
  EXPECT_TRUE(store_->Load("one").ok());
}

TEST_F(SnapshotStoreTest, DamagedFilesHideNothingAndCanBeDeleted) {
  SnapshotStore& store = Open();
  ASSERT_TRUE(store.Save("b", 0, 0, "x").ok());
  WriteRaw("a.snapshot", "");
  WriteRaw("c.snapshot", std::string(1000, 'c'));
  fs::create_directory(directory_ / "d.snapshot");
  ASSERT_EQ(mkfifo((directory_ / "e.snapshot").c_str(), 0600), 0);
  fs::create_symlink("/etc/passwd", directory_ / "f.snapshot");
  EXPECT_EQ(IdsOf(*store.List(0, "")), std::vector<std::string>{"b"});
  EXPECT_EQ(*store.FindDamaged(), (std::vector<std::string>{"a", "c", "d", "e", "f"}));
  for (const char* id : {"a", "c", "d", "e", "f"}) {
    EXPECT_EQ(store.Load(id).status().code(), Code::kDataLoss) << id;
    EXPECT_EQ(store.Save(id, 0, 0, "x").status().code(), Code::kAlreadyExists) << id;
  }
  EXPECT_TRUE(store.Delete("a").ok());
  EXPECT_EQ(store.Load("a").status().code(), Code::kNotFound);
}

TEST_F(SnapshotStoreTest, OneServerADirectory) {
  Open();
  const auto second = SnapshotStore::Open(directory_.string(), limits_, quota_);
  EXPECT_EQ(second.status().code(), Code::kUnavailable);
  EXPECT_EQ(FindErrorInfo(second.status()).reason, ErrorReason::kStorage);
  store_.reset();
  EXPECT_TRUE(SnapshotStore::Open(directory_.string(), limits_, quota_).ok());
}

TEST_F(SnapshotStoreTest, ADirectoryThatCannotBeUsedIsAnError) {
  WriteRaw("file", "x");
  for (const std::string path : {"/proc/talus", "/dev/null/x"}) {
    const auto opened = SnapshotStore::Open(path, limits_, quota_);
    EXPECT_EQ(opened.status().code(), Code::kUnavailable) << path;
    EXPECT_EQ(FindErrorInfo(opened.status()).reason, ErrorReason::kStorage);
  }
  EXPECT_FALSE(SnapshotStore::Open((directory_ / "file").string(), limits_, quota_).ok());
  EXPECT_TRUE(SnapshotStore::Open((directory_ / "deep" / "er").string(), limits_, quota_).ok());
}

TEST_F(SnapshotStoreTest, ADirectoryThatVanishesIsAnErrorOfTheCall) {
  SnapshotStore& store = Open();
  ASSERT_TRUE(store.Save("one", 0, 0, "x").ok());
  fs::remove_all(directory_);
  EXPECT_EQ(store.Save("two", 0, 0, "x").status().code(), Code::kUnavailable);
  EXPECT_EQ(store.List(0, "").status().code(), Code::kUnavailable);
  EXPECT_EQ(store.Load("one").status().code(), Code::kNotFound);
}

TEST_F(SnapshotStoreTest, ManyThreadsSaveAndDelete) {
  limits_.snapshots = 8;
  SnapshotStore& store = Open();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&store, thread] {
      for (int round = 0; round < 20; ++round) {
        const std::string own = "own-" + std::to_string(thread);
        ASSERT_TRUE(store.Save(own, round, 0, own).ok());
        static_cast<void>(store.Save("shared", round, 0, "shared"));
        const auto loaded = store.Load(own);
        ASSERT_TRUE(loaded.ok());
        ASSERT_EQ(loaded->info.step_index, round);
        ASSERT_TRUE(store.List(0, "").ok());
        static_cast<void>(store.Delete("shared"));
        ASSERT_TRUE(store.Delete(own).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(store.FindDamaged()->empty());
}

}  // namespace
}  // namespace talus
