// SnapshotService: what is saved, restored, forked or downloaded continues bit for bit.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/integration/server_fixture.h"
#include "tests/scenes/piles.h"

namespace talus::testing {
namespace {

using SnapshotStub = v1::SnapshotService::Stub;

class SnapshotTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    options.data_directory = directory_ = MakeDataDirectory();
    options.limits.snapshots = 3;
    options.limits.scenes = 8;
    StartServer(options);
    CreateScene("a", TenBalls());
    ASSERT_TRUE(Step("a", 60).ok());
  }

  Reply<v1::CreateSnapshotResponse> Save(const std::string& scene, const std::string& id) {
    v1::CreateSnapshotRequest request;
    request.set_scene("scenes/" + scene);
    request.set_snapshot_id(id);
    return Call(*snapshots_, &SnapshotStub::CreateSnapshot, request);
  }
  Reply<v1::RestoreSnapshotResponse> Restore(const std::string& scene, const std::string& id) {
    v1::RestoreSnapshotRequest request;
    request.set_scene("scenes/" + scene);
    request.set_snapshot("snapshots/" + id);
    return Call(*snapshots_, &SnapshotStub::RestoreSnapshot, request);
  }
  Reply<v1::DeleteSnapshotResponse> Delete(const std::string& id) {
    v1::DeleteSnapshotRequest request;
    request.set_snapshot("snapshots/" + id);
    return Call(*snapshots_, &SnapshotStub::DeleteSnapshot, request);
  }
  Reply<v1::ForkSceneResponse> Fork(const std::string& scene, std::vector<std::string> ids) {
    v1::ForkSceneRequest request;
    request.set_scene("scenes/" + scene);
    for (const std::string& id : ids) request.add_scene_ids(id);
    return Call(*snapshots_, &SnapshotStub::ForkScene, request);
  }
  struct Download : Outcome {
    v1::SnapshotInfo info;
    std::string bytes;
  };
  Download Fetch(const v1::DownloadSnapshotRequest& request) {
    Download download;
    grpc::ClientContext context;
    auto reader = snapshots_->DownloadSnapshot(&context, request);
    v1::DownloadSnapshotResponse chunk;
    while (reader->Read(&chunk)) {
      EXPECT_LE(chunk.chunk().size(), size_t{1} << 20);
      if (download.bytes.empty()) download.info = chunk.snapshot();
      download.bytes += chunk.chunk();
    }
    static_cast<Outcome&>(download) = FinishCall(reader->Finish(), context);
    return download;
  }
  struct Unread {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::DownloadSnapshotResponse>> reader;
  };
  // A download that nobody reads and that holds its bytes: another beside it is refused.
  std::unique_ptr<Unread> BeginUnread(const v1::DownloadSnapshotRequest& request) {
    std::unique_ptr<Unread> unread;
    Download second;
    EXPECT_TRUE(WaitUntil([&] {
      unread = std::make_unique<Unread>();
      unread->reader = snapshots_->DownloadSnapshot(&unread->context, request);
      second = Fetch(request);
      if (!second.ok()) return true;
      // It came first: the other is refused, or holds its bytes only now. Both begin anew.
      unread->context.TryCancel();
      unread->reader->Finish();
      return false;
    }));
    EXPECT_TRUE(
        FailedWith(second, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
    EXPECT_EQ(second.detail.limit_name(), "snapshot_bytes");
    return unread;
  }
  uint64_t HashAfter(const std::string& id, int64_t steps) {
    const auto reply = Step(id, steps);
    EXPECT_TRUE(reply.ok()) << reply.status.error_message();
    return reply.response.frame().state_hash();
  }

  std::string directory_;
};

TEST_F(SnapshotTest, ARestoredSceneContinuesBitForBit) {
  const auto saved = Save("a", "s");
  ASSERT_TRUE(saved.ok()) << saved.status.error_message();
  EXPECT_EQ(saved.response.snapshot().snapshot(), "snapshots/s");
  EXPECT_EQ(saved.response.snapshot().step_index(), 60);
  EXPECT_EQ(saved.response.snapshot().state_hash(), StateHash("a"));
  EXPECT_GT(saved.response.snapshot().byte_size(), 0);
  const uint64_t undisturbed = HashAfter("a", 40);
  const auto restored = Restore("a", "s");
  ASSERT_TRUE(restored.ok()) << restored.status.error_message();
  EXPECT_EQ(restored.response.scene().step_index(), 60);
  EXPECT_EQ(restored.response.scene().state_hash(), saved.response.snapshot().state_hash());
  EXPECT_EQ(HashAfter("a", 40), undisturbed);
}

TEST_F(SnapshotTest, AServerThatStartsAnewStillHasItsSnapshots) {
  ASSERT_TRUE(Save("a", "s").ok());
  const uint64_t undisturbed = HashAfter("a", 40);
  StopServer();
  SceneHostOptions options = DefaultOptions();
  options.data_directory = directory_;
  StartServer(options);
  v1::CreateSceneRequest request;
  request.set_scene_id("again");
  request.set_snapshot("snapshots/s");
  const auto created = Call(*scenes_, &v1::SceneService::Stub::CreateScene, request);
  ASSERT_TRUE(created.ok()) << created.status.error_message();
  EXPECT_EQ(created.response.scene().step_index(), 60);
  EXPECT_EQ(HashAfter("again", 40), undisturbed);
  request.set_scene_id("other");
  request.set_snapshot("snapshots/none");
  EXPECT_TRUE(FailedWith(Call(*scenes_, &v1::SceneService::Stub::CreateScene, request),
                         grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
}

TEST_F(SnapshotTest, ForksAreEqualUntilAnInputDiffers) {
  const auto forked = Fork("a", {"b", ""});
  ASSERT_TRUE(forked.ok()) << forked.status.error_message();
  ASSERT_EQ(forked.response.scenes_size(), 2);
  EXPECT_EQ(forked.response.scenes(0).scene(), "scenes/b");
  const std::string third = forked.response.scenes(1).scene().substr(7);
  EXPECT_EQ(StateHash("b"), StateHash("a"));
  const uint64_t next = HashAfter("a", 30);
  EXPECT_EQ(HashAfter("b", 30), next);
  EXPECT_EQ(HashAfter(third, 30), next);
  v1::RemoveBodiesRequest remove;
  remove.set_scene("scenes/b");
  remove.add_body_names("ball0");
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::RemoveBodies, remove).ok());
  EXPECT_NE(HashAfter("b", 1), HashAfter("a", 1));
}

TEST_F(SnapshotTest, ForkReportsItsErrorsAndForksAllOrNone) {
  const int64_t before = host_->registry().scene_count();
  EXPECT_TRUE(
      FailedWith(Fork("none", {"x"}), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(FailedWith(Fork("a", {}), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_TRUE(FailedWith(Fork("a", {"x", "a"}), grpc::StatusCode::ALREADY_EXISTS,
                         v1::ERROR_REASON_DUPLICATE_NAME));
  EXPECT_TRUE(FailedWith(Fork("a", {"x", "y/z"}), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_TRUE(FailedWith(Fork("a", std::vector<std::string>(20, "")),
                         grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(host_->registry().scene_count(), before);
}

TEST_F(SnapshotTest, DownloadedBytesMakeAnEqualScene) {
  ASSERT_TRUE(Save("a", "s").ok());
  v1::DownloadSnapshotRequest stored;
  stored.set_snapshot("snapshots/s");
  const Download from_store = Fetch(stored);
  ASSERT_TRUE(from_store.ok()) << from_store.status.error_message();
  EXPECT_EQ(from_store.info.snapshot(), "snapshots/s");
  EXPECT_EQ(static_cast<size_t>(from_store.info.byte_size()), from_store.bytes.size());
  v1::DownloadSnapshotRequest fresh;
  fresh.set_scene("scenes/a");
  const Download from_scene = Fetch(fresh);
  ASSERT_TRUE(from_scene.ok());
  EXPECT_TRUE(from_scene.info.snapshot().empty());
  EXPECT_EQ(from_scene.info.state_hash(), StateHash("a"));
  EXPECT_EQ(from_scene.bytes, from_store.bytes);

  v1::CreateSceneRequest request;
  request.set_scene_id("copy");
  request.set_snapshot_data(from_scene.bytes);
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::CreateScene, request).ok());
  EXPECT_EQ(HashAfter("copy", 25), HashAfter("a", 25));
}

TEST_F(SnapshotTest, DownloadsPassTheSmallestLimitOnMessages) {
  StopServer();
  SceneHostOptions options = DefaultOptions();
  options.limits.message_bytes = int64_t{1} << 20;
  StartServer(options);
  ASSERT_TRUE(CreateScene("large", scenes::PackedSpheres({.count = 6000})).ok());
  v1::DownloadSnapshotRequest request;
  request.set_scene("scenes/large");
  const Download download = Fetch(request);
  EXPECT_TRUE(download.ok()) << download.status.error_message();
  EXPECT_GT(download.bytes.size(), size_t{1} << 20);
}

TEST_F(SnapshotTest, DownloadsThatNobodyReadsAreBounded) {
  CreateScene("large", scenes::PackedSpheres({.count = 20000}));
  v1::DownloadSnapshotRequest request;
  request.set_scene("scenes/large");
  const auto size = static_cast<int64_t>(Fetch(request).bytes.size());
  ASSERT_GT(size, 4'000'000) << "it must not pass unread";
  StopServer();
  SceneHostOptions options = DefaultOptions();
  options.limits.snapshot_bytes = size + size / 2;
  StartServer(options);
  CreateScene("large", scenes::PackedSpheres({.count = 20000}));

  const std::unique_ptr<Unread> unread = BeginUnread(request);
  unread->context.TryCancel();
  EXPECT_FALSE(unread->reader->Finish().ok());
  EXPECT_TRUE(WaitUntil([&] { return Fetch(request).ok(); }));
}

TEST_F(SnapshotTest, WhoHasReadADownloadToItsEndFindsItsRoomFree) {
  StopServer();
  SceneHostOptions options = DefaultOptions();
  options.limits.snapshot_bytes = 100;  // less than one: beside another there is no room
  StartServer(options);
  CreateScene("a", scenes::PackedSpheres({.count = 50}));
  v1::DownloadSnapshotRequest request;
  request.set_scene("scenes/a");
  for (int turn = 0; turn < 500; ++turn) {
    const Download download = Fetch(request);
    ASSERT_TRUE(download.ok()) << turn << ": " << download.status.error_message();
  }
}

TEST_F(SnapshotTest, ADownloadThatNobodyReadsIsCutOffAndMakesRoom) {
  StopServer();
  SceneHostOptions options = DefaultOptions();
  options.limits.snapshot_bytes = 1'000'000;  // less than one
  ManualClock clock;
  StartServer(options, &clock);
  CreateScene("large", scenes::PackedSpheres({.count = 20000}));
  v1::DownloadSnapshotRequest request;
  request.set_scene("scenes/large");
  const std::unique_ptr<Unread> unread = BeginUnread(request);
  clock.Advance(std::chrono::seconds(29));
  EXPECT_FALSE(Fetch(request).ok());
  EXPECT_TRUE(WaitUntil([&] {
    clock.Advance(std::chrono::seconds(31));
    return Fetch(request).ok();
  }));
  unread->context.TryCancel();  // where it was not cut off, its end would not come
  EXPECT_EQ(unread->reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  StopServer();  // before the clock goes
}

TEST_F(SnapshotTest, DownloadReportsItsErrors) {
  v1::DownloadSnapshotRequest request;
  EXPECT_TRUE(FailedWith(Fetch(request), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_INVALID_FIELD));
  request.set_snapshot("snapshots/none");
  EXPECT_TRUE(FailedWith(Fetch(request), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  request.set_snapshot("none");
  EXPECT_TRUE(FailedWith(Fetch(request), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_INVALID_FIELD));
  request.set_scene("scenes/none");
  EXPECT_TRUE(FailedWith(Fetch(request), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
}

TEST_F(SnapshotTest, SnapshotsAreListedAndDeleted) {
  for (const char* id : {"c", "a", "b"}) ASSERT_TRUE(Save("a", id).ok());
  v1::ListSnapshotsRequest list;
  list.set_page_size(2);
  const auto first = Call(*snapshots_, &SnapshotStub::ListSnapshots, list);
  ASSERT_TRUE(first.ok());
  ASSERT_EQ(first.response.snapshots_size(), 2);
  EXPECT_EQ(first.response.snapshots(0).snapshot(), "snapshots/a");
  list.set_page_token(first.response.next_page_token());
  const auto second = Call(*snapshots_, &SnapshotStub::ListSnapshots, list);
  ASSERT_EQ(second.response.snapshots_size(), 1);
  EXPECT_EQ(second.response.snapshots(0).snapshot(), "snapshots/c");
  EXPECT_TRUE(second.response.next_page_token().empty());
  list.set_page_size(-1);
  EXPECT_TRUE(FailedWith(Call(*snapshots_, &SnapshotStub::ListSnapshots, list),
                         grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_TRUE(Delete("b").ok());
  EXPECT_TRUE(FailedWith(Delete("b"), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(
      FailedWith(Delete(""), grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
}

TEST_F(SnapshotTest, SaveReportsItsErrors) {
  ASSERT_TRUE(Save("a", "s").ok());
  EXPECT_TRUE(FailedWith(Save("a", "s"), grpc::StatusCode::ALREADY_EXISTS,
                         v1::ERROR_REASON_DUPLICATE_NAME));
  EXPECT_TRUE(
      FailedWith(Save("none", "t"), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(FailedWith(Save("a", "../t"), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_INVALID_FIELD));
  ASSERT_TRUE(Save("a", "").ok());
  ASSERT_TRUE(Save("a", "").ok());
  const auto full = Save("a", "");
  EXPECT_TRUE(
      FailedWith(full, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(full.detail.limit_name(), "snapshots");
}

TEST_F(SnapshotTest, ADamagedSnapshotIsRefusedAndTheSceneStaysAsItWas) {
  ASSERT_TRUE(Save("a", "s").ok());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_)) {
    if (!entry.is_regular_file() || entry.file_size() < 100) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
    file.put('\xA5').put('\x5A');
  }
  const uint64_t hash = StateHash("a");
  EXPECT_TRUE(
      FailedWith(Restore("a", "s"), grpc::StatusCode::DATA_LOSS, v1::ERROR_REASON_BAD_SNAPSHOT));
  EXPECT_EQ(StateHash("a"), hash);
}

TEST_F(SnapshotTest, RestoreReportsItsErrors) {
  ASSERT_TRUE(Save("a", "s").ok());
  EXPECT_TRUE(
      FailedWith(Restore("none", "s"), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(
      FailedWith(Restore("a", "none"), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(FailedWith(Restore("a", "no/pe"), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_INVALID_FIELD));
}

TEST(SnapshotsWithoutDirectory, AreRefused) {
  class Bare : public ServerTest {
   public:
    void TestBody() override {
      StartServer();
      CreateScene("a", TenBalls());
      v1::CreateSnapshotRequest request;
      request.set_scene("scenes/a");
      const auto reply = Call(*snapshots_, &SnapshotStub::CreateSnapshot, request);
      EXPECT_EQ(reply.detail.reason(), v1::ERROR_REASON_STORAGE) << reply.status.error_message();
      EXPECT_FALSE(reply.ok());
    }
  };
  Bare().TestBody();
}

}  // namespace
}  // namespace talus::testing
