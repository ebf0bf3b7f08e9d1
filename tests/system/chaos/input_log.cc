#include "tests/system/chaos/input_log.h"

#include <array>
#include <cstdio>
#include <type_traits>

#include "tests/system/chaos/scene_recipe.h"

namespace talus::chaos {
namespace {

// Gives one input after the other to a scene.
class Replayer {
 public:
  Replayer(Caller& caller, std::string id) : caller_(caller), id_(std::move(id)) {}

  grpc::Status Create(const v1::SceneSpec& spec) {
    v1::CreateSceneRequest request;
    request.set_scene_id(id_);
    *request.mutable_spec() = spec;
    v1::CreateSceneResponse response;
    return caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, CreateScene), request, &response);
  }

  grpc::Status Give(const Input& input, int64_t step_index) {
    return std::visit(
        [&](const auto& what) -> grpc::Status {
          if constexpr (std::is_same_v<std::decay_t<decltype(what)>, StepsTo>) {
            return StepBy(input.step_index - step_index);
          } else {
            return Do(what);
          }
        },
        input.what);
  }

  grpc::Status Find(v1::SceneInfo* info) { return Find(SceneName(id_), info); }

  grpc::Status Find(const std::string& scene, v1::SceneInfo* info) {
    v1::GetSceneRequest request;
    request.set_scene(scene);
    v1::GetSceneResponse response;
    const grpc::Status status =
        caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, GetScene), request, &response);
    *info = response.scene();
    return status;
  }

  void Delete() {
    v1::DeleteSceneRequest request;
    request.set_scene(SceneName(id_));
    v1::DeleteSceneResponse response;
    caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, DeleteScene), request, &response);
    for (const std::string& name : marks_) {
      v1::DeleteSnapshotRequest snapshot;
      snapshot.set_snapshot("snapshots/" + name);
      v1::DeleteSnapshotResponse gone;
      caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, DeleteSnapshot), snapshot, &gone);
    }
  }

 private:
  grpc::Status StepBy(int64_t count) {
    if (count == 0) return grpc::Status::OK;
    v1::StepRequest request;
    request.set_step_count(count);
    return Do(request);
  }

  grpc::Status Do(const Marked& mark) {
    const std::string name = id_ + "-" + mark.name;
    v1::CreateSnapshotRequest request;
    request.set_scene(SceneName(id_));
    request.set_snapshot_id(name);
    v1::CreateSnapshotResponse response;
    marks_.push_back(name);
    return caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, CreateSnapshot), request,
                        &response);
  }

  grpc::Status Do(const RestoredTo& mark) {
    v1::RestoreSnapshotRequest request;
    request.set_scene(SceneName(id_));
    request.set_snapshot("snapshots/" + id_ + "-" + mark.name);
    v1::RestoreSnapshotResponse response;
    return caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, RestoreSnapshot), request,
                        &response);
  }

#define TALUS_CHAOS_REPLAY(service, Service, Rpc)                                     \
  grpc::Status Do(const v1::Rpc##Request& logged) {                                   \
    v1::Rpc##Request request = logged;                                                \
    request.set_scene(SceneName(id_));                                                \
    v1::Rpc##Response response;                                                       \
    return caller_.Call(TALUS_CHAOS_CALL(service, Service, Rpc), request, &response); \
  }
  TALUS_CHAOS_REPLAY(simulation, SimulationService, Step)
  TALUS_CHAOS_REPLAY(simulation, SimulationService, StepUntil)
  TALUS_CHAOS_REPLAY(simulation, SimulationService, ResetScene)
  TALUS_CHAOS_REPLAY(scene, SceneService, AddBodies)
  TALUS_CHAOS_REPLAY(scene, SceneService, RemoveBodies)
  TALUS_CHAOS_REPLAY(scene, SceneService, UpdateBodies)
  TALUS_CHAOS_REPLAY(scene, SceneService, AddEmitters)
  TALUS_CHAOS_REPLAY(scene, SceneService, RemoveEmitters)
  TALUS_CHAOS_REPLAY(scene, SceneService, AddJoints)
  TALUS_CHAOS_REPLAY(scene, SceneService, RemoveJoints)
#undef TALUS_CHAOS_REPLAY

  Caller& caller_;
  const std::string id_;
  std::vector<std::string> marks_;
};

std::string DescribeMismatch(size_t number, const Input& input, const v1::SceneInfo& info) {
  std::array<char, 200> text{};
  std::snprintf(
      text.data(), text.size(),
      "after input %zu (kind %zu): step %lld hash %016llx, undisturbed step %lld hash %016llx",
      number, input.what.index(), static_cast<long long>(input.step_index),
      static_cast<unsigned long long>(input.state_hash), static_cast<long long>(info.step_index()),
      static_cast<unsigned long long>(info.state_hash()));
  return text.data();
}

}  // namespace

std::string InputLog::Replay(Caller& caller, const std::string& id,
                             const std::string& scene) const {
  Replayer replayer(caller, id);
  v1::SceneInfo left;
  if (const grpc::Status there = replayer.Find(scene, &left); !there.ok()) {
    return there.error_message();
  }
  if (!inputs_.empty() && left.state_hash() != inputs_.back().state_hash) {
    return "is not as its owner left it: " + DescribeMismatch(inputs_.size(), inputs_.back(), left);
  }
  if (const grpc::Status made = replayer.Create(spec_); !made.ok()) return made.error_message();
  std::string wrong;
  int64_t step_index = 0;
  for (size_t k = 0; k < inputs_.size() && wrong.empty(); ++k) {
    grpc::Status status = replayer.Give(inputs_[k], step_index);
    v1::SceneInfo info;
    if (status.ok()) status = replayer.Find(&info);
    if (!status.ok()) {
      wrong = "input " + std::to_string(k) + ": " + status.error_message();
    } else if (info.step_index() != inputs_[k].step_index ||
               info.state_hash() != inputs_[k].state_hash) {
      wrong = DescribeMismatch(k, inputs_[k], info);
    }
    step_index = info.step_index();
  }
  replayer.Delete();
  return wrong;
}

}  // namespace talus::chaos
