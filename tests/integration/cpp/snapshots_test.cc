// SnapshotService through the C++ client: what was saved continues bit for bit, also after kill -9.
#include <gtest/gtest.h>

#include "tests/integration/cpp/live_server.h"

namespace talus::client::testing {
namespace {

class Snapshots : public LiveServerTest {
 protected:
  void SetUp() override { StartServer(); }
};

TEST_F(Snapshots, ContinueAfterKill) {
  Scene scene = Create("stones", PouringStones(60));
  ASSERT_TRUE(scene.Step(100));
  auto saved = scene.SaveSnapshot("at-100");
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->step_index(), 100);
  std::vector<uint64_t> hashes;
  for (int i = 0; i < 5; ++i) hashes.push_back(scene.Step(20)->frame().state_hash());
  KillServer();
  StartServer();
  v1::CreateSceneRequest request;
  request.set_snapshot("snapshots/at-100");
  auto created = client().CreateScene(request);
  ASSERT_TRUE(created) << created.error().ToString();
  Scene restored = Scene::Attach(client(), created->scene().scene());
  EXPECT_EQ(created->scene().state_hash(), saved->state_hash());
  for (const uint64_t hash : hashes) EXPECT_EQ(restored.Step(20)->frame().state_hash(), hash);
}

TEST_F(Snapshots, RestoreForkAndDownloadGiveTheSameFuture) {
  Scene scene = Create("stones", PouringStones(60));
  ASSERT_TRUE(scene.Step(80));
  ASSERT_TRUE(scene.SaveSnapshot("s"));
  auto bytes = scene.DownloadSnapshot();
  ASSERT_TRUE(bytes);
  auto forks = scene.Fork({"fork", ""});
  ASSERT_TRUE(forks);
  ASSERT_EQ(forks->size(), 2u);
  auto copy = Scene::CreateFromSnapshot(client(), *bytes, "copy");
  ASSERT_TRUE(copy);
  const uint64_t future = scene.Step(50)->frame().state_hash();
  EXPECT_EQ((*forks)[0].Step(50)->frame().state_hash(), future);
  EXPECT_EQ((*forks)[1].Step(50)->frame().state_hash(), future);
  EXPECT_EQ(copy->Step(50)->frame().state_hash(), future);
  auto restored = scene.RestoreSnapshot("snapshots/s");
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->step_index(), 80);
  EXPECT_EQ(scene.Step(50)->frame().state_hash(), future);
  auto again = scene.RestoreSnapshot("s");
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->state_hash(), restored->state_hash());
}

TEST_F(Snapshots, BranchesPartWhenAnInputDiffers) {
  Scene scene = Create("stones", PouringStones(60));
  ASSERT_TRUE(scene.Step(50));
  Scene other = (*scene.Fork({"other"}))[0];
  EXPECT_EQ(scene.Step(10)->frame().state_hash(), other.Step(10)->frame().state_hash());
  v1::RemoveEmittersRequest request;
  request.set_scene(other.name());
  request.add_emitter_names("hopper");
  ASSERT_TRUE(client().RemoveEmitters(request));
  EXPECT_NE(scene.Step(10)->frame().state_hash(), other.Step(10)->frame().state_hash());
}

TEST_F(Snapshots, AreRefusedWhenAnyByteIsWrong) {
  Scene scene = Create("stones", PouringStones(20));
  ASSERT_TRUE(scene.Step(60));
  const std::string bytes = *scene.DownloadSnapshot();
  constexpr char kBad[] = "INVALID_ARGUMENT ERROR_REASON_BAD_SNAPSHOT";
  for (size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 40) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    ASSERT_EQ(Outcome(Scene::CreateFromSnapshot(client(), flipped, "never")), kBad) << at;
    ASSERT_EQ(Outcome(Scene::CreateFromSnapshot(client(), bytes.substr(0, at), "never")), kBad);
  }
  EXPECT_EQ(Outcome(Scene::CreateFromSnapshot(client(), bytes + "x", "never")), kBad);
  EXPECT_EQ(client().ListScenes({})->scenes_size(), 1);
}

TEST_F(Snapshots, HaveNamesThatAreFoundTakenListedAndDeleted) {
  Scene scene = Create("ball", FallingBall());
  ASSERT_TRUE(scene.SaveSnapshot("s"));
  EXPECT_EQ(Outcome(scene.SaveSnapshot("s")), kDuplicate);
  EXPECT_EQ(Outcome(scene.SaveSnapshot("../s")), kInvalidField);
  EXPECT_EQ(Outcome(scene.RestoreSnapshot("snapshots/t")), kNotFound);
  EXPECT_EQ(Outcome(scene.RestoreSnapshot("t")), kNotFound);
  EXPECT_EQ(Outcome(scene.Fork({})), kInvalidField);
  EXPECT_EQ(Outcome(scene.Fork({"x", "ball"})), kDuplicate);
  EXPECT_EQ(Outcome(Scene::Attach(client(), "x").Info()), kNotFound) << "all forks or none";
  auto list = client().ListSnapshots({});
  ASSERT_TRUE(list);
  EXPECT_EQ(list->snapshots_size(), 1);
  v1::DeleteSnapshotRequest request;
  request.set_snapshot("snapshots/s");
  EXPECT_TRUE(client().DeleteSnapshot(request));
  EXPECT_EQ(Outcome(client().DeleteSnapshot(request)), kNotFound);
  v1::DownloadSnapshotRequest download;
  EXPECT_EQ(Outcome(DownloadSnapshotBytes(client(), download)), kInvalidField);
  download.set_snapshot("snapshots/s");
  EXPECT_EQ(Outcome(DownloadSnapshotBytes(client(), download)), kNotFound);
}

}  // namespace
}  // namespace talus::client::testing
