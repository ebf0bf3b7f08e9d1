#include "clients/cpp/scene.h"

namespace talus::client {
namespace {

std::string Prefixed(const std::string& prefix, const std::string& name) {
  return name.rfind(prefix, 0) == 0 ? name : prefix + name;
}

}  // namespace

v1::FrameSelection SelectState() {
  v1::FrameSelection selection;
  selection.set_positions(true);
  selection.set_orientations(true);
  selection.set_velocities(true);
  return selection;
}

v1::FrameSelection SelectAll() {
  v1::FrameSelection selection = SelectState();
  selection.set_contacts(true);
  selection.set_report(true);
  selection.set_layout(true);
  return selection;
}

Result<Scene> Scene::Make(Client client, v1::CreateSceneRequest request, const std::string& id,
                          const CreateOptions& options) {
  request.set_scene_id(id);
  request.set_request_id(options.request_id);
  request.set_idle_ttl_s(options.idle_ttl_s);
  auto response = client.CreateScene(request, options.call);
  if (!response) return response.error();
  return Scene(std::move(client), response->scene().scene());
}

Result<Scene> Scene::Create(Client client, v1::SceneSpec spec, const std::string& id,
                            const CreateOptions& options) {
  v1::CreateSceneRequest request;
  *request.mutable_spec() = std::move(spec);
  return Make(std::move(client), std::move(request), id, options);
}

Result<Scene> Scene::CreateNamed(Client client, const std::string& named_scene,
                                 const std::string& id, const CreateOptions& options) {
  v1::CreateSceneRequest request;
  request.set_named_scene(named_scene);
  return Make(std::move(client), std::move(request), id, options);
}

Result<Scene> Scene::CreateFromSnapshot(Client client, std::string bytes, const std::string& id,
                                        const CreateOptions& options) {
  v1::CreateSceneRequest request;
  request.set_snapshot_data(std::move(bytes));
  return Make(std::move(client), std::move(request), id, options);
}

Scene Scene::Attach(Client client, const std::string& name) {
  return Scene(std::move(client), Prefixed("scenes/", name));
}

Result<v1::SceneInfo> Scene::Info(const CallOptions& options) {
  v1::GetSceneRequest request;
  request.set_scene(name_);
  auto response = client_.GetScene(request, options);
  if (!response) return response.error();
  return std::move(*response->mutable_scene());
}

Result<v1::StepResponse> Scene::Step(int64_t step_count, const StepOptions& options) {
  v1::StepRequest request;
  request.set_scene(name_);
  request.set_step_count(step_count);
  if (options.expected_step_index) {
    request.set_expected_step_index(*options.expected_step_index);
  }
  request.set_request_id(options.request_id);
  *request.mutable_selection() = options.selection;
  *request.mutable_bodies() = options.bodies;
  request.set_residual_history(options.residual_history);
  request.set_problem_capture(options.problem_capture);
  request.mutable_actuators()->Add(options.actuators.begin(), options.actuators.end());
  request.mutable_values()->Add(options.values.begin(), options.values.end());
  return client_.Step(request, options.call);
}

Result<v1::Frame> Scene::State(const v1::FrameSelection& selection, const CallOptions& options) {
  return State(selection, {}, options);
}

Result<v1::Frame> Scene::State(const v1::FrameSelection& selection, const v1::BodySelection& bodies,
                               const CallOptions& options) {
  v1::GetStateRequest request;
  request.set_scene(name_);
  *request.mutable_selection() = selection;
  *request.mutable_bodies() = bodies;
  auto response = client_.GetState(request, options);
  if (!response) return response.error();
  return std::move(*response->mutable_frame());
}

Result<v1::Frame> Scene::Contacts(const CallOptions& options) {
  v1::GetContactsRequest request;
  request.set_scene(name_);
  auto response = client_.GetContacts(request, options);
  if (!response) return response.error();
  return std::move(*response->mutable_frame());
}

Result<v1::Layout> Scene::Layout(const CallOptions& options) {
  v1::GetLayoutRequest request;
  request.set_scene(name_);
  auto response = client_.GetLayout(request, options);
  if (!response) return response.error();
  return std::move(*response->mutable_layout());
}

Result<v1::Energy> Scene::Energy(const CallOptions& options) {
  v1::GetEnergyRequest request;
  request.set_scene(name_);
  auto response = client_.GetEnergy(request, options);
  if (!response) return response.error();
  return std::move(*response->mutable_energy());
}

Result<Done> Scene::Watch(v1::WatchStateRequest request,
                          const std::function<bool(const v1::WatchStateResponse&)>& on_frame,
                          const CallOptions& options) {
  request.set_scene(name_);
  return client_.WatchState(request, on_frame, options);
}

Result<v1::SnapshotInfo> Scene::SaveSnapshot(const std::string& snapshot_id,
                                             const CallOptions& options) {
  v1::CreateSnapshotRequest request;
  request.set_scene(name_);
  request.set_snapshot_id(snapshot_id);
  auto response = client_.CreateSnapshot(request, options);
  if (!response) return response.error();
  return std::move(*response->mutable_snapshot());
}

Result<v1::SceneInfo> Scene::RestoreSnapshot(const std::string& snapshot,
                                             const CallOptions& options) {
  v1::RestoreSnapshotRequest request;
  request.set_scene(name_);
  request.set_snapshot(Prefixed("snapshots/", snapshot));
  auto response = client_.RestoreSnapshot(request, options);
  if (!response) return response.error();
  return std::move(*response->mutable_scene());
}

Result<std::string> Scene::DownloadSnapshot(const CallOptions& options) {
  v1::DownloadSnapshotRequest request;
  request.set_scene(name_);
  return DownloadSnapshotBytes(client_, request, options);
}

Result<std::vector<Scene>> Scene::Fork(const std::vector<std::string>& ids,
                                       const CallOptions& options) {
  v1::ForkSceneRequest request;
  request.set_scene(name_);
  for (const std::string& id : ids) request.add_scene_ids(id);
  auto response = client_.ForkScene(request, options);
  if (!response) return response.error();
  std::vector<Scene> scenes;
  for (const v1::SceneInfo& info : response->scenes()) {
    scenes.push_back(Scene(client_, info.scene()));
  }
  return scenes;
}

Result<Done> Scene::Delete(const CallOptions& options) {
  v1::DeleteSceneRequest request;
  request.set_scene(name_);
  auto response = client_.DeleteScene(request, options);
  if (!response) return response.error();
  return Done{};
}

Result<std::string> DownloadSnapshotBytes(Client& client,
                                          const v1::DownloadSnapshotRequest& request,
                                          const CallOptions& options) {
  auto stream = client.DownloadSnapshot(request, options);
  std::string bytes;
  int64_t promised = 0;
  while (const auto message = stream.Read()) {
    if (message->has_snapshot()) promised = message->snapshot().byte_size();
    bytes += message->chunk();
  }
  auto end = stream.Finish();
  if (!end) return end.error();
  if (static_cast<int64_t>(bytes.size()) != promised) {
    Error error;
    error.code = Code::kDataLoss;
    error.message = "the snapshot has " + std::to_string(bytes.size()) + " bytes, " +
                    std::to_string(promised) + " were announced";
    return error;
  }
  return bytes;
}

}  // namespace talus::client
