#include "server/storage/scene_store.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "server/session/error.h"
#include "server/storage/snapshot_store.h"

namespace talus {
namespace {

namespace fs = std::filesystem;
using Code = absl::StatusCode;

class SceneStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "talus-scenes-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }

  SceneStore& Open(int keep = 2) {
    store_.reset();
    auto opened = SceneStore::Open((directory_ / "scenes").string(), keep, limits_, quota_);
    EXPECT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
    return *store_;
  }
  absl::StatusOr<StoredScene> Load(const std::string& id) const {
    return store_->Load(id, [](const StoredScene&) { return absl::OkStatus(); });
  }
  std::set<std::string> Files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_ / "scenes")) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  void Damage(const std::string& name) {
    std::fstream file(directory_ / "scenes" / name,
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(70);
    file.put('\x7f');
  }

  fs::path directory_;
  Limits limits_;
  StorageQuota quota_{1 << 20};
  std::unique_ptr<SceneStore> store_;
};

TEST_F(SceneStoreTest, TheNewestStateIsLoadedAndTheOldestGo) {
  SceneStore& store = Open(2);
  for (int state = 1; state <= 5; ++state) {
    ASSERT_TRUE(store.Save("a", 10 * state, 100 + state, "state " + std::to_string(state)).ok());
  }
  EXPECT_EQ(Files(), (std::set<std::string>{"a.4.scene", "a.5.scene"}));
  for (int round = 0; round < 2; ++round) {
    const auto loaded = Load("a");
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    EXPECT_EQ(loaded->step_index, 50);
    EXPECT_EQ(loaded->state_hash, 105u);
    EXPECT_EQ(loaded->bytes, "state 5");
    EXPECT_TRUE(loaded->damaged.empty());
    Open(2);  // a restart keeps it
  }
  ASSERT_TRUE(store_->Save("a", 60, 6, "state 6").ok());
  EXPECT_EQ(Files(), (std::set<std::string>{"a.5.scene", "a.6.scene"}));
}

TEST_F(SceneStoreTest, NamesWithDotsStayApart) {
  SceneStore& store = Open();
  ASSERT_TRUE(store.Save("a", 1, 1, "a").ok());
  ASSERT_TRUE(store.Save("a.1", 2, 2, "a.1").ok());
  ASSERT_TRUE(store.Save(std::string(64, 'x'), 3, 3, "x").ok());
  Open();
  EXPECT_EQ(store_->FindScenes(), (std::vector<std::string>{"a", "a.1", std::string(64, 'x')}));
  EXPECT_EQ(Load("a")->bytes, "a");
  EXPECT_EQ(Load("a.1")->bytes, "a.1");
}

TEST_F(SceneStoreTest, AForgottenSceneIsGone) {
  SceneStore& store = Open();
  ASSERT_TRUE(store.Save("a", 1, 1, "a").ok());
  ASSERT_TRUE(store.Save("a", 2, 2, "aa").ok());
  ASSERT_TRUE(store.Save("b", 3, 3, "b").ok());
  ASSERT_TRUE(store.Forget("a").ok());
  ASSERT_TRUE(store.Forget("a").ok());
  ASSERT_TRUE(store.Forget("never").ok());
  EXPECT_EQ(store.FindScenes(), std::vector<std::string>{"b"});
  EXPECT_EQ(Load("a").status().code(), Code::kNotFound);
  EXPECT_EQ(Files(), std::set<std::string>{"b.1.scene"});
  EXPECT_EQ(quota_.used_bytes(), 65);
}

TEST_F(SceneStoreTest, ADamagedStateGivesWayToTheOneBefore) {
  SceneStore& store = Open(3);
  for (int state = 1; state <= 3; ++state) {
    ASSERT_TRUE(store.Save("a", state, state, "0123456789").ok());
  }
  Damage("a.3.scene");
  auto loaded = Load("a");
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->step_index, 2);
  ASSERT_EQ(loaded->damaged.size(), 1u);
  EXPECT_NE(loaded->damaged[0].find("a.3.scene"), std::string::npos);
  Damage("a.2.scene");
  Damage("a.1.scene");
  EXPECT_EQ(Load("a").status().code(), Code::kDataLoss);
  EXPECT_EQ(store.FindScenes(), std::vector<std::string>{"a"});
}

TEST_F(SceneStoreTest, AStateThatIsNotAcceptedGivesWayToTheOneBefore) {
  SceneStore& store = Open(3);
  for (int state = 1; state <= 3; ++state) {
    ASSERT_TRUE(store.Save("a", state, state, std::to_string(state)).ok());
  }
  const auto load = [&](int64_t newest) {
    return store.Load("a", [&](const StoredScene& state) {
      if (state.step_index <= newest) return absl::OkStatus();
      return absl::DataLossError("step " + state.bytes);
    });
  };
  EXPECT_TRUE(load(3)->damaged.empty());
  const auto loaded = load(1);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->bytes, "1");
  EXPECT_EQ(loaded->damaged, (std::vector<std::string>{"step 3", "step 2"}));
  EXPECT_EQ(load(0).status(), absl::DataLossError("step 3"));
}

TEST_F(SceneStoreTest, ALinkedSnapshotIsKeptWhenTheSnapshotGoes) {
  auto snapshots = SnapshotStore::Open(directory_.string(), limits_, quota_);
  ASSERT_TRUE(snapshots.ok()) << snapshots.status();
  SceneStore& store = Open();
  ASSERT_TRUE((*snapshots)->Save("s", 7, 70, "snapshot").ok());
  const int64_t used = quota_.used_bytes();
  ASSERT_TRUE(store.Link("a", (*snapshots)->PathOf("s")).ok());
  EXPECT_EQ(quota_.used_bytes(), used);
  ASSERT_TRUE((*snapshots)->Delete("s").ok());
  EXPECT_EQ(quota_.used_bytes(), used);
  EXPECT_EQ(Load("a")->bytes, "snapshot");
  EXPECT_EQ(Load("a")->step_index, 7);
  ASSERT_TRUE(store.Forget("a").ok());
  EXPECT_EQ(quota_.used_bytes(), 0);
  EXPECT_EQ(store.Link("a", (*snapshots)->PathOf("s")).code(), Code::kUnavailable);
  EXPECT_TRUE(store.FindScenes().empty());
}

TEST_F(SceneStoreTest, HoldsItsLimits) {
  limits_.snapshot_bytes = 10;
  SceneStore& store = Open();
  const absl::Status big = store.Save("a", 0, 0, "12345678901");
  EXPECT_EQ(FindErrorInfo(big).limit_name, "snapshot_bytes");
  ASSERT_TRUE(quota_.Take((1 << 20) - 100).ok());
  ASSERT_TRUE(store.Save("a", 1, 1, "1234567890").ok());
  const absl::Status full = store.Save("a", 2, 2, "1234567890");
  EXPECT_EQ(full.code(), Code::kResourceExhausted);
  EXPECT_EQ(FindErrorInfo(full).limit_name, "storage_bytes");
  EXPECT_EQ(Load("a")->step_index, 1);  // what was there is there still
}

TEST_F(SceneStoreTest, LeftoversGoAndStrangersStay) {
  Open();
  for (const char* name : {"a.scene.tmp", "a.scene", "a.0.scene", "a.-1.scene", "a.1x.scene",
                           "a b.1.scene", "notes.txt"}) {
    std::ofstream(directory_ / "scenes" / name) << "x";
  }
  Open();
  EXPECT_TRUE(store_->FindScenes().empty());
  EXPECT_EQ(Files().count("a.scene.tmp"), 0u);
  EXPECT_EQ(Files().count("notes.txt"), 1u);
}

TEST_F(SceneStoreTest, ADirectoryThatCannotBeUsedIsAnError) {
  std::ofstream(directory_ / "file") << "x";
  const auto opened = SceneStore::Open((directory_ / "file").string(), 2, limits_, quota_);
  EXPECT_EQ(opened.status().code(), Code::kUnavailable);
  EXPECT_EQ(FindErrorInfo(opened.status()).reason, ErrorReason::kStorage);
  Open();
  fs::remove_all(directory_ / "scenes");
  EXPECT_EQ(store_->Save("a", 0, 0, "x").code(), Code::kUnavailable);
  EXPECT_EQ(quota_.used_bytes(), 0);
}

}  // namespace
}  // namespace talus
