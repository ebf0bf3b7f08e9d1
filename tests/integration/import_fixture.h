// What the tests of imports share: an arm of two joints, an import message by message, and a server
// with a scene to bring it into.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tests/integration/recording_fixture.h"

namespace talus::testing {

inline constexpr char kArm[] = R"(<robot name="arm">
<link name="base"><collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
<link name="upper"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
  <inertia ixx="0.1" iyy="0.2" izz="0.2"/></inertial>
  <collision><origin xyz="0.9 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="lower"><inertial><origin xyz="0.25 0 0"/><mass value="1"/>
  <inertia ixx="0.05" iyy="0.1" izz="0.1"/></inertial></link>
<joint name="shoulder" type="continuous"><origin xyz="0 0 2"/><parent link="base"/><child link="upper"/>
  <axis xyz="0 1 0"/></joint>
<joint name="elbow" type="revolute"><origin xyz="1 0 0"/><parent link="upper"/><child link="lower"/>
  <axis xyz="0 1 0"/><limit lower="-1.5" upper="1.5" effort="5" velocity="2"/></joint>
<transmission name="unused"/>
</robot>)";

class Import {
 public:
  explicit Import(SceneStub& stub) : writer_(stub.ImportModel(&context_, &response_)) {}

  Import& Begin(const std::string& scene, const std::function<void(v1::ModelImport&)>& edit = {}) {
    v1::ImportModelRequest request;
    request.mutable_model()->set_scene(scene);
    request.mutable_model()->mutable_options()->set_base(v1::MODEL_BASE_FIXED);
    if (edit) edit(*request.mutable_model());
    return Send(request);
  }
  Import& File(const std::string& name, const std::string& bytes) {
    v1::ImportModelRequest request;
    request.set_file_name(name);
    request.set_chunk(bytes);
    return Send(request);
  }
  Import& Send(const v1::ImportModelRequest& request) {
    writer_->Write(request);
    return *this;
  }
  void Cancel() { context_.TryCancel(); }
  Reply<v1::ImportModelResponse> Read() {
    Reply<v1::ImportModelResponse> reply;
    static_cast<Outcome&>(reply) = FinishCall(writer_->Finish(), context_);
    reply.response = response_;
    return reply;
  }
  Reply<v1::ImportModelResponse> Finish() {
    writer_->WritesDone();
    return Read();
  }

 private:
  grpc::ClientContext context_;
  v1::ImportModelResponse response_;
  std::unique_ptr<grpc::ClientWriter<v1::ImportModelRequest>> writer_;
};

class ImportModelTest : public ServerTest {
 protected:
  void SetUp() override {
    StartServer(DefaultOptions());
    MakeScene("a");
  }

  void MakeScene(const std::string& id) {
    v1::CreateSceneRequest request;
    request.set_scene_id(id);
    v1::BodySpec& ground = *request.mutable_spec()->add_bodies();
    ground.set_name("ground");
    ground.set_kind(v1::BODY_KIND_STATIC);
    ground.add_shapes()->mutable_plane()->mutable_normal()->set_z(1.0);
    request.mutable_spec()->mutable_settings()->mutable_solver()->set_solver(
        v1::CONTACT_SOLVER_NEWTON);
    ASSERT_TRUE(Call(*scenes_, &SceneStub::CreateScene, request).ok());
  }
  v1::CreateSceneRequest Robot(const std::string& id) {
    v1::CreateSceneRequest request;
    request.set_scene_id(id);
    v1::UrdfScene& urdf = *request.mutable_urdf();
    urdf.set_urdf(kArm);
    urdf.mutable_options()->set_base(v1::MODEL_BASE_FIXED);
    v1::BodySpec& ground = *urdf.mutable_scene()->add_bodies();
    ground.set_name("ground");
    ground.set_kind(v1::BODY_KIND_STATIC);
    ground.add_shapes()->mutable_plane()->mutable_normal()->set_z(1.0);
    return request;
  }
  Reply<v1::CreateSceneResponse> Create(const v1::CreateSceneRequest& request) {
    return Call(*scenes_, &SceneStub::CreateScene, request);
  }
  ::testing::AssertionResult IsBadField(const Outcome& outcome, const std::string& field) {
    const auto failed =
        FailedWith(outcome, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD);
    if (!failed || outcome.detail.field() == field) return failed;
    return ::testing::AssertionFailure() << "field " << outcome.detail.field();
  }
};

}  // namespace talus::testing
