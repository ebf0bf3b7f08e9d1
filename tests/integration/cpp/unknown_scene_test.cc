// A scene that is not there: every call that names one says NOT_FOUND and which. The schema tells
// which calls these are, so that a new one is missed here.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/integration/cpp/live_server.h"

namespace talus::client::testing {
namespace {

constexpr char kNowhere[] = "scenes/nowhere";

class UnknownScene : public LiveServerTest {
 protected:
  void SetUp() override { StartServer(); }

  template <typename Request, typename T>
  void ExpectMissing(const Result<T>& result) {
    const std::string name(Request::descriptor()->name());
    asked_.insert(name);
    ASSERT_EQ(Outcome(result), kNotFound) << name;
    EXPECT_EQ(result.error().detail.field(), "scene") << name;
    EXPECT_EQ(result.error().detail.value(), kNowhere) << name;
  }

  template <typename Request, typename Response>
  void Ask(Result<Response> (Client::*method)(const Request&, const CallOptions&),
           Request request = {}) {
    request.set_scene(kNowhere);
    ExpectMissing<Request>((client().*method)(request, {}));
  }

  void AskForStreams() {
    v1::WatchStateRequest watch;
    watch.set_scene(kNowhere);
    auto frames = client().WatchState(watch);
    EXPECT_FALSE(frames.Read());
    ExpectMissing<v1::WatchStateRequest>(frames.Finish());
    v1::WatchEventsRequest events;
    events.set_scene(kNowhere);
    auto batches = client().WatchEvents(events);
    EXPECT_FALSE(batches.Read());
    ExpectMissing<v1::WatchEventsRequest>(batches.Finish());
    v1::DownloadSnapshotRequest download;
    download.set_scene(kNowhere);
    ExpectMissing<v1::DownloadSnapshotRequest>(DownloadSnapshotBytes(client(), download));
  }

  std::set<std::string> asked_;
};

// Names of the requests with a field `scene` that some RPC takes.
std::set<std::string> RequestsWithAScene() {
  std::set<std::string> names;
  for (const auto* message :
       {v1::CreateSceneRequest::descriptor(), v1::StepRequest::descriptor(),
        v1::GetStateRequest::descriptor(), v1::WatchStateRequest::descriptor(),
        v1::CreateSnapshotRequest::descriptor(), v1::StartRecordingRequest::descriptor(),
        v1::GetServerInfoRequest::descriptor()}) {
    for (int i = 0; i < message->file()->service_count(); ++i) {
      const auto* service = message->file()->service(i);
      for (int j = 0; j < service->method_count(); ++j) {
        const auto* request = service->method(j)->input_type();
        if (request->FindFieldByName("scene") != nullptr) names.insert(request->name());
      }
    }
  }
  return names;
}

TEST_F(UnknownScene, IsNotFoundByAnyCall) {
  // Whatever else the requests name is there, and what they bring is valid.
  ASSERT_TRUE(Create("somewhere", FallingBall()).SaveSnapshot("s"));
  Ask(&Client::GetScene);
  Ask(&Client::DeleteScene);
  v1::AddBodiesRequest bodies;
  *bodies.add_bodies() = FallingBall().bodies(0);
  Ask(&Client::AddBodies, bodies);
  v1::RemoveBodiesRequest fewer_bodies;
  fewer_bodies.add_body_names("ball");
  Ask(&Client::RemoveBodies, fewer_bodies);
  v1::UpdateBodiesRequest other_bodies;
  other_bodies.add_updates()->set_body_name("ball");
  other_bodies.mutable_updates(0)->mutable_update_mask()->add_paths("position_world_m");
  Ask(&Client::UpdateBodies, other_bodies);
  v1::AddEmittersRequest emitters;
  *emitters.mutable_materials() = PouringStones(1).materials();
  *emitters.mutable_emitters() = PouringStones(1).emitters();
  Ask(&Client::AddEmitters, emitters);
  v1::RemoveEmittersRequest fewer_emitters;
  fewer_emitters.add_emitter_names("hopper");
  Ask(&Client::RemoveEmitters, fewer_emitters);
  v1::AddJointsRequest joints;
  joints.add_joints()->set_body_b("ball");
  Ask(&Client::AddJoints, joints);
  v1::RemoveJointsRequest fewer_joints;
  fewer_joints.add_joint_ids(1);
  Ask(&Client::RemoveJoints, fewer_joints);
  Ask(&Client::ListBodies);
  Ask(&Client::ListJoints);
  v1::StepRequest step;
  step.set_step_count(1);
  Ask(&Client::Step, step);
  v1::StepUntilRequest until;
  until.mutable_until()->set_time_s(1.0);
  Ask(&Client::StepUntil, until);
  Ask(&Client::Run);
  Ask(&Client::Pause);
  Ask(&Client::ResetScene);
  Ask(&Client::StartRecording);
  Ask(&Client::GetLayout);
  Ask(&Client::GetState);
  Ask(&Client::GetContacts);
  Ask(&Client::GetJoints);
  Ask(&Client::GetEnergy);
  Ask(&Client::GetDiagnostics);
  Ask(&Client::GetStepProblem);
  v1::CastRaysRequest rays;
  rays.add_rays()->mutable_direction_world()->set_x(1.0);
  Ask(&Client::CastRays, rays);
  Ask(&Client::CreateSnapshot);
  v1::RestoreSnapshotRequest restore;
  restore.set_snapshot("snapshots/s");
  Ask(&Client::RestoreSnapshot, restore);
  v1::ForkSceneRequest fork;
  fork.add_scene_ids("x");
  Ask(&Client::ForkScene, fork);
  AskForStreams();

  EXPECT_EQ(asked_, RequestsWithAScene());
  EXPECT_EQ(client().ListScenes({})->scenes_size(), 1);
}

}  // namespace
}  // namespace talus::client::testing
