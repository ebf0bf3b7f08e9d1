// talus.v1.SceneService: makes, describes and deletes scenes, changes and lists what is in them.
// Decodes, submits to the registry or the scene, encodes; every rule is theirs.
#pragma once

#include "server/rpc/import_reactor.h"
#include "server/rpc/open_streams.h"
#include "server/rpc/service_context.h"
#include "talus/v1/scene_service.grpc.pb.h"

namespace talus::rpc {

class SceneService : public v1::SceneService::CallbackService {
 public:
  explicit SceneService(const ServiceContext& context)
      : context_(context), importing_{"model_bytes", context.host.options().limits.model_bytes} {}

  grpc::ServerUnaryReactor* CreateScene(grpc::CallbackServerContext* call_context,
                                        const v1::CreateSceneRequest* request,
                                        v1::CreateSceneResponse* response) override;
  grpc::ServerReadReactor<v1::ImportModelRequest>* ImportModel(
      grpc::CallbackServerContext* call_context, v1::ImportModelResponse* response) override;
  grpc::ServerUnaryReactor* GetScene(grpc::CallbackServerContext* call_context,
                                     const v1::GetSceneRequest* request,
                                     v1::GetSceneResponse* response) override;
  grpc::ServerUnaryReactor* ListScenes(grpc::CallbackServerContext* call_context,
                                       const v1::ListScenesRequest* request,
                                       v1::ListScenesResponse* response) override;
  grpc::ServerUnaryReactor* ListNamedScenes(grpc::CallbackServerContext* call_context,
                                            const v1::ListNamedScenesRequest* request,
                                            v1::ListNamedScenesResponse* response) override;
  grpc::ServerUnaryReactor* DeleteScene(grpc::CallbackServerContext* call_context,
                                        const v1::DeleteSceneRequest* request,
                                        v1::DeleteSceneResponse* response) override;
  grpc::ServerUnaryReactor* AddBodies(grpc::CallbackServerContext* call_context,
                                      const v1::AddBodiesRequest* request,
                                      v1::AddBodiesResponse* response) override;
  grpc::ServerUnaryReactor* RemoveBodies(grpc::CallbackServerContext* call_context,
                                         const v1::RemoveBodiesRequest* request,
                                         v1::RemoveBodiesResponse* response) override;
  grpc::ServerUnaryReactor* UpdateBodies(grpc::CallbackServerContext* call_context,
                                         const v1::UpdateBodiesRequest* request,
                                         v1::UpdateBodiesResponse* response) override;
  grpc::ServerUnaryReactor* ListBodies(grpc::CallbackServerContext* call_context,
                                       const v1::ListBodiesRequest* request,
                                       v1::ListBodiesResponse* response) override;
  grpc::ServerUnaryReactor* AddEmitters(grpc::CallbackServerContext* call_context,
                                        const v1::AddEmittersRequest* request,
                                        v1::AddEmittersResponse* response) override;
  grpc::ServerUnaryReactor* RemoveEmitters(grpc::CallbackServerContext* call_context,
                                           const v1::RemoveEmittersRequest* request,
                                           v1::RemoveEmittersResponse* response) override;
  grpc::ServerUnaryReactor* AddJoints(grpc::CallbackServerContext* call_context,
                                      const v1::AddJointsRequest* request,
                                      v1::AddJointsResponse* response) override;
  grpc::ServerUnaryReactor* RemoveJoints(grpc::CallbackServerContext* call_context,
                                         const v1::RemoveJointsRequest* request,
                                         v1::RemoveJointsResponse* response) override;
  grpc::ServerUnaryReactor* ListJoints(grpc::CallbackServerContext* call_context,
                                       const v1::ListJointsRequest* request,
                                       v1::ListJointsResponse* response) override;

  // Imports under way, and those that come later, end with UNAVAILABLE (DRAINING) unless all of one
  // has come.
  void EndStreams() { imports_.EndAll(); }

 private:
  const ServiceContext& context_;
  ImportReactor::Room importing_;
  OpenStreams<ChunkReactor<v1::ImportModelRequest>> imports_;
};

}  // namespace talus::rpc
