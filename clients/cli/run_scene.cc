#include "clients/cli/run_scene.h"

#include <filesystem>
#include <system_error>

#include "clients/cli/output_file.h"
#include "clients/cli/patience.h"

namespace talus::cli {
namespace {

using client::Done;
using client::Result;

// In the run's folder: the server's address and the name of what is there, a line each.
constexpr char kSceneFile[] = ".scene";
constexpr char kSnapshotPrefix[] = "snapshots/";
// A message is a little more than the snapshot in it.
constexpr int64_t kMessageRoom = 1024;

}  // namespace

Result<Done> RunScene::Create(const v1::CreateSceneRequest& request,
                              const client::CallOptions& making) {
  auto made = Patiently(Patience(making.stop),
                        [&] { return client_.CreateScene(request, {making.timeout}); });
  if (!made) {
    Forget();
    return made.error();
  }
  scene_.emplace(client::Scene::Attach(client_, made->scene().scene()));
  auto remembered = Remember(scene_->name());
  if (!remembered) (void)scene_->Delete();
  // The snapshot it was made from; where the token does not reach to delete it, it stays.
  if (!request.snapshot().empty()) (void)Delete(request.snapshot());
  return remembered;
}

Result<Done> RunScene::Make(const v1::SceneSpec& spec, const client::CallOptions& making) {
  Forget();
  v1::CreateSceneRequest request;
  *request.mutable_spec() = spec;
  return Create(request, making);
}

Result<Done> RunScene::Make(const std::string& snapshot, int64_t message_bytes,
                            const client::CallOptions& making) {
  Forget();
  v1::CreateSceneRequest request;
  if (static_cast<int64_t>(snapshot.size()) <= message_bytes - kMessageRoom) {
    request.set_snapshot_data(snapshot);
    return Create(request, making);
  }
  auto stored = Patiently(Patience(making.stop),
                          [&] { return client_.UploadSnapshot("", snapshot, {making.timeout}); });
  if (!stored) return stored.error();
  request.set_snapshot(stored->snapshot().snapshot());
  auto remembered = Remember(request.snapshot());
  if (!remembered) return remembered;
  return Create(request, making);
}

Result<Done> RunScene::Remember(const std::string& name) {
  return WriteFileAtomically(folder_.PathOf(kSceneFile), address_ + '\n' + name);
}

bool RunScene::Delete(const std::string& name) {
  Result<Done> deleted = Done{};
  if (name.rfind(kSnapshotPrefix, 0) == 0) {
    v1::DeleteSnapshotRequest request;
    request.set_snapshot(name);
    auto answer = Patiently(Patience(), [&] { return client_.DeleteSnapshot(request); });
    if (!answer) deleted = answer.error();
  } else {
    deleted = Patiently(Patience(), [&] { return client::Scene::Attach(client_, name).Delete(); });
  }
  return deleted || deleted.error().code == client::Code::kNotFound ||
         deleted.error().code == client::Code::kPermissionDenied;
}

void RunScene::Forget() {
  auto remembered = ReadFile(folder_.PathOf(kSceneFile));
  if (!remembered) return;
  const size_t end = remembered->find('\n');
  const bool here = end != std::string::npos && remembered->substr(0, end) == address_;
  if (here && !Delete(remembered->substr(end + 1))) return;
  std::error_code ignored;
  std::filesystem::remove(folder_.PathOf(kSceneFile), ignored);
}

}  // namespace talus::cli
