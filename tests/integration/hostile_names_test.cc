// No name from the wire becomes a path: whatever is asked for, files appear in the data directory
// under the server's own names or not at all.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "tests/integration/server_fixture.h"
#include "tests/support/file_text.h"

namespace talus::testing {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kHostileIds = {
    "../escaped",
    "..\\escaped",
    "a/../../escaped",
    "/tmp/escaped",
    "sub/escaped",
    "./escaped",
    "escaped/",
    "~root",
    "%2e%2e%2fescaped",
    "..%00",
    std::string("a\0b", 3),
    "a\nb",
    "$(touch escaped)",
    "a;b",
    "\xC0\xAE\xC0\xAE/escaped",
    "\u2025/escaped",
    "C:\\escaped",
    "|escaped",
    "*",
    std::string(65, 'a'),
    std::string(5000, '.'),
};

class HostileNamesTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    // One folder above the data directory belongs to the test too, so that an escape would show.
    outside_ = MakeDataDirectory();
    fs::create_directories(outside_);
    WriteText(outside_ + "/secret", "outside");
    options.data_directory = outside_ + "/data";
    StartServer(options);
    ASSERT_TRUE(CreateScene("a", TenBalls()).ok());
    v1::CreateSnapshotRequest snapshot;
    snapshot.set_scene("scenes/a");
    snapshot.set_snapshot_id("good");
    ASSERT_TRUE(Call(*snapshots_, &v1::SnapshotService::Stub::CreateSnapshot, snapshot).ok());
    before_ = FindFiles();
  }
  // Everything below the test's folder.
  std::set<std::string> FindFiles() const {
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(outside_)) {
      found.insert(fs::relative(entry.path(), outside_).string());
    }
    return found;
  }
  void ExpectRefused(const Outcome& outcome, const std::string& what) const {
    EXPECT_TRUE(
        FailedWith(outcome, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD))
        << what;
    EXPECT_EQ(FindFiles(), before_) << what;
  }

  std::string outside_;
  std::set<std::string> before_;
};

// Bytes that are no UTF-8 are refused by protobuf before a handler sees them, with other codes.
bool IsText(const std::string& text) { return text.find('\xC0') == std::string::npos; }

TEST_F(HostileNamesTest, SnapshotsAreNotStoredUnderThem) {
  for (const std::string& id : kHostileIds) {
    if (!IsText(id)) continue;
    v1::CreateSnapshotRequest request;
    request.set_scene("scenes/a");
    request.set_snapshot_id(id);
    ExpectRefused(Call(*snapshots_, &v1::SnapshotService::Stub::CreateSnapshot, request), id);
  }
}

TEST_F(HostileNamesTest, SnapshotsAreNotReadOrDeletedUnderThem) {
  for (const std::string& id : kHostileIds) {
    if (!IsText(id)) continue;
    for (const std::string& name : {"snapshots/" + id, id}) {
      v1::DeleteSnapshotRequest remove;
      remove.set_snapshot(name);
      ExpectRefused(Call(*snapshots_, &v1::SnapshotService::Stub::DeleteSnapshot, remove), name);
      v1::RestoreSnapshotRequest restore;
      restore.set_scene("scenes/a");
      restore.set_snapshot(name);
      ExpectRefused(Call(*snapshots_, &v1::SnapshotService::Stub::RestoreSnapshot, restore), name);
      v1::CreateSceneRequest create;
      create.set_snapshot(name);
      ExpectRefused(Call(*scenes_, &v1::SceneService::Stub::CreateScene, create), name);
      v1::DownloadSnapshotRequest download;
      download.set_snapshot(name);
      grpc::ClientContext context;
      auto reader = snapshots_->DownloadSnapshot(&context, download);
      v1::DownloadSnapshotResponse chunk;
      EXPECT_FALSE(reader->Read(&chunk)) << name;
      ExpectRefused(FinishCall(reader->Finish(), context), name);
    }
  }
}

TEST_F(HostileNamesTest, ScenesAreNotMadeUnderThem) {
  for (const std::string& id : kHostileIds) {
    if (!IsText(id)) continue;
    ExpectRefused(CreateScene(id, TenBalls()), id);
    v1::ForkSceneRequest fork;
    fork.set_scene("scenes/a");
    fork.add_scene_ids(id);
    ExpectRefused(Call(*snapshots_, &v1::SnapshotService::Stub::ForkScene, fork), id);
    v1::DeleteSceneRequest remove;
    remove.set_scene("scenes/" + id);
    ExpectRefused(Call(*scenes_, &v1::SceneService::Stub::DeleteScene, remove), id);
  }
}

// A rule that allows dots allows these; a suffix of the server's own keeps them inside.
TEST_F(HostileNamesTest, DotsAloneStayInTheDataDirectory) {
  for (const std::string id : {".", "..", "..."}) {
    v1::CreateSnapshotRequest request;
    request.set_scene("scenes/a");
    request.set_snapshot_id(id);
    const auto reply = Call(*snapshots_, &v1::SnapshotService::Stub::CreateSnapshot, request);
    EXPECT_TRUE(reply.ok()) << reply.status.error_message();
    v1::DeleteSnapshotRequest remove;
    remove.set_snapshot("snapshots/" + id);
    const std::set<std::string> stored = FindFiles();
    EXPECT_GT(stored.size(), before_.size()) << id;
    for (const std::string& path : stored) {
      const bool kept = before_.count(path) > 0 || path.rfind("data/", 0) == 0;
      EXPECT_TRUE(kept) << path;
    }
    EXPECT_TRUE(Call(*snapshots_, &v1::SnapshotService::Stub::DeleteSnapshot, remove).ok());
    // But for the scene's own state, which was kept with the snapshot.
    const auto without_states = [](std::set<std::string> files) {
      std::erase_if(files, [](const std::string& f) { return f.rfind("data/scenes/a.", 0) == 0; });
      return files;
    };
    EXPECT_EQ(without_states(FindFiles()), without_states(before_)) << id;
  }
}

// Bytes that come as a snapshot are read as one and never as a name.
TEST_F(HostileNamesTest, UploadedBytesAreNotANameEither) {
  for (const std::string& bytes : {outside_ + "/secret", std::string("../secret"),
                                   std::string("file:///etc/passwd"), std::string()}) {
    v1::CreateSceneRequest request;
    request.set_snapshot_data(bytes);
    const auto reply = Call(*scenes_, &v1::SceneService::Stub::CreateScene, request);
    EXPECT_TRUE(
        FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_BAD_SNAPSHOT));
    EXPECT_THAT(reply.status.error_message(), ::testing::Not(::testing::HasSubstr("outside")));
    EXPECT_EQ(FindFiles(), before_);
  }
}

}  // namespace
}  // namespace talus::testing
