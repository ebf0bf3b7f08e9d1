#include "server/rpc/scene_service.h"

#include <utility>

#include "server/rpc/field_names.h"
#include "server/rpc/import_reactor.h"
#include "server/rpc/info_encoding.h"
#include "server/rpc/robot_scene.h"
#include "server/rpc/unary_call.h"
#include "server/session/error.h"
#include "server/session/page.h"
#include "server/wire/body_codec.h"
#include "server/wire/body_update_codec.h"
#include "server/wire/frame_codec.h"
#include "server/wire/joint_codec.h"
#include "server/wire/scene_codec.h"
#include "solver/base/state_hash.h"

namespace talus::rpc {
namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

// Equal for equal requests. The messages hold no maps, so their bytes are a function of their
// content.
std::string ComputeFingerprint(const v1::CreateSceneRequest& request) {
  const std::string bytes = request.SerializeAsString();
  return std::to_string(bytes.size()) + ':' + std::to_string(HashBytes(bytes));
}

Completion<CreateSceneAnswer> AnswerCreate(UnaryCall<v1::CreateSceneResponse>* call,
                                           std::string prefix) {
  return [call, prefix](absl::StatusOr<CreateSceneAnswer> answer) {
    if (!answer.ok()) return call->End(PrefixField(answer.status(), prefix));
    EncodeSceneInfo(answer->info, *call->response().mutable_scene());
    wire::EncodeLayout(*answer->layout, *call->response().mutable_layout());
    call->End(absl::OkStatus());
  };
}

void EncodeBodyPage(const BodyPage& page, v1::ListBodiesResponse& out) {
  for (size_t index = 0; index < page.ids.size(); ++index) {
    v1::ListedBody& listed = *out.add_bodies();
    listed.set_body_id(ToInteger(page.ids[index]));
    wire::EncodeBody(page.bodies[index], *listed.mutable_spec());
  }
  wire::EncodeMaterials(page.materials, *out.mutable_materials());
  out.set_step_index(page.step_index);
  out.set_layout_version(page.layout_version);
  if (!page.last) out.set_next_page_token(std::to_string(ToInteger(page.ids.back())));
}

void EncodeJointPage(const JointPage& page, v1::ListJointsResponse& out) {
  for (size_t index = 0; index < page.ids.size(); ++index) {
    v1::ListedJoint& listed = *out.add_joints();
    listed.set_joint_id(ToInteger(page.ids[index]));
    wire::EncodeJoint(page.joints[index], *listed.mutable_spec());
  }
  out.set_step_index(page.step_index);
  out.set_layout_version(page.layout_version);
  if (!page.last) out.set_next_page_token(std::to_string(ToInteger(page.ids.back())));
}

Completion<AddBodiesAnswer> AnswerAdd(UnaryCall<v1::AddBodiesResponse>* call) {
  return [call](absl::StatusOr<AddBodiesAnswer> answer) {
    if (!answer.ok()) return call->End(answer.status());
    v1::AddBodiesResponse& response = call->response();
    for (const BodyId id : answer->body_ids) response.add_body_ids(ToInteger(id));
    for (const JointId id : answer->joint_ids) response.add_joint_ids(ToInteger(id));
    wire::EncodeLayout(*answer->layout, *response.mutable_layout());
    call->End(absl::OkStatus());
  };
}

// Ends a call whose answer is the scene as it is now.
template <typename Response>
Completion<SceneInfo> AnswerInfo(UnaryCall<Response>* call) {
  return [call](absl::StatusOr<SceneInfo> info) {
    if (info.ok()) EncodeSceneInfo(*info, *call->response().mutable_scene());
    call->End(info.status());
  };
}

}  // namespace

ServerUnaryReactor* SceneService::CreateScene(CallbackServerContext* call_context,
                                              const v1::CreateSceneRequest* request,
                                              v1::CreateSceneResponse* response) {
  auto* call = new UnaryCall("SceneService/CreateScene", *call_context, *response);
  CreateSceneCall create;
  create.scene_id = request->scene_id();
  create.request_id = request->request_id();
  create.idle_ttl_s = request->idle_ttl_s();
  create.client = context_.gate.NameClient(*call_context);
  if (!create.request_id.empty()) create.fingerprint = ComputeFingerprint(*request);
  switch (request->source_case()) {
    case v1::CreateSceneRequest::kSpec: {
      absl::StatusOr<SceneDef> scene = wire::DecodeScene(request->spec(), "spec");
      if (!scene.ok()) {
        call->End(scene.status());
        break;
      }
      create.source = *std::move(scene);
      context_.host.registry().Create(std::move(create), AnswerCreate(call, "spec"));
      break;
    }
    case v1::CreateSceneRequest::kSnapshotData:
      create.source = request->snapshot_data();
      context_.host.registry().Create(std::move(create), AnswerCreate(call, ""));
      break;
    case v1::CreateSceneRequest::kSnapshot: {
      absl::StatusOr<std::string> snapshot = ParseSnapshotName(request->snapshot());
      if (!snapshot.ok()) {
        call->End(snapshot.status());
        break;
      }
      context_.host.archive().CreateScene(std::move(create), *snapshot, AnswerCreate(call, ""));
      break;
    }
    case v1::CreateSceneRequest::kUrdf:
      CreateFromUrdf(context_.host, std::move(create), request->urdf(), call);
      break;
    case v1::CreateSceneRequest::kNamedScene: {
      auto scene = context_.host.library().Find(request->named_scene(), "named_scene");
      if (!scene.ok()) {
        call->End(scene.status());
        break;
      }
      create.source = **scene;
      context_.host.registry().Create(std::move(create), AnswerCreate(call, "named_scene"));
      break;
    }
    case v1::CreateSceneRequest::SOURCE_NOT_SET:
      call->End(InvalidFieldError(
          "source", "", "must be set: spec, snapshot_data, snapshot, urdf or named_scene"));
      break;
  }
  return call;
}

grpc::ServerReadReactor<v1::ImportModelRequest>* SceneService::ImportModel(
    CallbackServerContext* call_context, v1::ImportModelResponse* response) {
  return ImportReactor::Make(*call_context, context_, importing_, imports_, *response);
}

ServerUnaryReactor* SceneService::GetScene(CallbackServerContext* call_context,
                                           const v1::GetSceneRequest* request,
                                           v1::GetSceneResponse* response) {
  auto* call = new UnaryCall("SceneService/GetScene", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  if (scene.ok()) EncodeSceneInfo((*scene)->info(), *response->mutable_scene());
  call->End(scene.status());
  return call;
}

ServerUnaryReactor* SceneService::ListScenes(CallbackServerContext* call_context,
                                             const v1::ListScenesRequest* request,
                                             v1::ListScenesResponse* response) {
  auto* call = new UnaryCall("SceneService/ListScenes", *call_context, *response);
  auto page = context_.host.registry().List(request->page_size(), request->page_token());
  if (page.ok()) {
    for (const SceneInfo& info : page->scenes) EncodeSceneInfo(info, *response->add_scenes());
    response->set_next_page_token(page->next_page_token);
  }
  call->End(page.status());
  return call;
}

ServerUnaryReactor* SceneService::ListNamedScenes(CallbackServerContext* call_context,
                                                  const v1::ListNamedScenesRequest* request,
                                                  v1::ListNamedScenesResponse* response) {
  auto* call = new UnaryCall("SceneService/ListNamedScenes", *call_context, *response);
  auto page = context_.host.library().List(request->page_size(), request->page_token());
  if (page.ok()) {
    for (const NamedSceneInfo& info : page->scenes) {
      v1::NamedSceneInfo& listed = *response->add_scenes();
      listed.set_name(info.name);
      listed.set_body_count(info.body_count);
      listed.set_joint_count(info.joint_count);
      listed.set_time_step_s(info.time_step_s);
    }
    response->set_next_page_token(page->next_page_token);
  }
  call->End(page.status());
  return call;
}

ServerUnaryReactor* SceneService::DeleteScene(CallbackServerContext* call_context,
                                              const v1::DeleteSceneRequest* request,
                                              v1::DeleteSceneResponse* response) {
  auto* call = new UnaryCall("SceneService/DeleteScene", *call_context, *response);
  absl::StatusOr<std::string> id = ParseSceneName(request->scene());
  if (id.ok()) {
    context_.host.registry().Delete(*id, [call](const absl::Status& status) { call->End(status); });
  } else {
    call->End(id.status());
  }
  return call;
}

ServerUnaryReactor* SceneService::AddBodies(CallbackServerContext* call_context,
                                            const v1::AddBodiesRequest* request,
                                            v1::AddBodiesResponse* response) {
  auto* call = new UnaryCall("SceneService/AddBodies", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  auto bodies = wire::DecodeBodies(request->bodies(), nullptr);
  auto joints = wire::DecodeJoints(request->joints(), nullptr);
  absl::Status status = scene.status();
  if (status.ok()) status = bodies.status();
  if (status.ok()) status = joints.status();
  if (!status.ok()) {
    call->End(status);
    return call;
  }
  (*scene)->AddBodies(
      {*std::move(bodies), wire::DecodeMaterials(request->materials()), *std::move(joints)},
      call->control(), AnswerAdd(call));
  return call;
}

ServerUnaryReactor* SceneService::RemoveBodies(CallbackServerContext* call_context,
                                               const v1::RemoveBodiesRequest* request,
                                               v1::RemoveBodiesResponse* response) {
  auto* call = new UnaryCall("SceneService/RemoveBodies", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  RemoveBodiesCall remove;
  remove.body_ids.reserve(static_cast<size_t>(request->body_ids_size()));
  for (const uint64_t id : request->body_ids()) remove.body_ids.push_back(BodyId{id});
  remove.body_names.assign(request->body_names().begin(), request->body_names().end());
  (*scene)->RemoveBodies(std::move(remove), call->control(),
                         [call](absl::StatusOr<std::shared_ptr<const Layout>> layout) {
                           if (layout.ok()) {
                             wire::EncodeLayout(**layout, *call->response().mutable_layout());
                           }
                           call->End(layout.status());
                         });
  return call;
}

ServerUnaryReactor* SceneService::UpdateBodies(CallbackServerContext* call_context,
                                               const v1::UpdateBodiesRequest* request,
                                               v1::UpdateBodiesResponse* response) {
  auto* call = new UnaryCall("SceneService/UpdateBodies", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  auto updates = wire::DecodeUpdates(request->updates());
  if (!scene.ok() || !updates.ok()) {
    call->End(scene.ok() ? updates.status() : scene.status());
    return call;
  }
  (*scene)->UpdateBodies(*std::move(updates), call->control(), AnswerInfo(call));
  return call;
}

ServerUnaryReactor* SceneService::ListBodies(CallbackServerContext* call_context,
                                             const v1::ListBodiesRequest* request,
                                             v1::ListBodiesResponse* response) {
  auto* call = new UnaryCall("SceneService/ListBodies", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  auto page = FindNumberPage(request->page_size(), request->page_token());
  if (!scene.ok() || !page.ok()) {
    call->End(scene.ok() ? page.status() : scene.status());
    return call;
  }
  (*scene)->ListBodies(*page, call->control(), [call](absl::StatusOr<BodyPage> answer) {
    if (answer.ok()) EncodeBodyPage(*answer, call->response());
    call->End(answer.status());
  });
  return call;
}

ServerUnaryReactor* SceneService::AddEmitters(CallbackServerContext* call_context,
                                              const v1::AddEmittersRequest* request,
                                              v1::AddEmittersResponse* response) {
  auto* call = new UnaryCall("SceneService/AddEmitters", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  (*scene)->AddEmitters(
      {wire::DecodeEmitters(request->emitters()), wire::DecodeMaterials(request->materials())},
      call->control(), AnswerInfo(call));
  return call;
}

ServerUnaryReactor* SceneService::RemoveEmitters(CallbackServerContext* call_context,
                                                 const v1::RemoveEmittersRequest* request,
                                                 v1::RemoveEmittersResponse* response) {
  auto* call = new UnaryCall("SceneService/RemoveEmitters", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  (*scene)->RemoveEmitters({request->emitter_names().begin(), request->emitter_names().end()},
                           call->control(), AnswerInfo(call));
  return call;
}

ServerUnaryReactor* SceneService::AddJoints(CallbackServerContext* call_context,
                                            const v1::AddJointsRequest* request,
                                            v1::AddJointsResponse* response) {
  auto* call = new UnaryCall("SceneService/AddJoints", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  auto joints = wire::DecodeJoints(request->joints(), nullptr);
  if (!scene.ok() || !joints.ok()) {
    call->End(scene.ok() ? joints.status() : scene.status());
    return call;
  }
  (*scene)->AddJoints(*std::move(joints), call->control(),
                      [call](absl::StatusOr<AddJointsAnswer> answer) {
                        if (!answer.ok()) return call->End(answer.status());
                        for (const JointId id : answer->joint_ids)
                          call->response().add_joint_ids(ToInteger(id));
                        EncodeSceneInfo(answer->info, *call->response().mutable_scene());
                        call->End(absl::OkStatus());
                      });
  return call;
}

ServerUnaryReactor* SceneService::RemoveJoints(CallbackServerContext* call_context,
                                               const v1::RemoveJointsRequest* request,
                                               v1::RemoveJointsResponse* response) {
  auto* call = new UnaryCall("SceneService/RemoveJoints", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  RemoveJointsCall remove;
  remove.joint_ids.reserve(static_cast<size_t>(request->joint_ids_size()));
  for (const uint64_t id : request->joint_ids()) remove.joint_ids.push_back(JointId{id});
  remove.joint_names.assign(request->joint_names().begin(), request->joint_names().end());
  (*scene)->RemoveJoints(std::move(remove), call->control(), AnswerInfo(call));
  return call;
}

ServerUnaryReactor* SceneService::ListJoints(CallbackServerContext* call_context,
                                             const v1::ListJointsRequest* request,
                                             v1::ListJointsResponse* response) {
  auto* call = new UnaryCall("SceneService/ListJoints", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  auto page = FindNumberPage(request->page_size(), request->page_token());
  if (!scene.ok() || !page.ok()) {
    call->End(scene.ok() ? page.status() : scene.status());
    return call;
  }
  (*scene)->ListJoints(*page, call->control(), [call](absl::StatusOr<JointPage> answer) {
    if (answer.ok()) EncodeJointPage(*answer, call->response());
    call->End(answer.status());
  });
  return call;
}

}  // namespace talus::rpc
