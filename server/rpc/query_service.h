// talus.v1.QueryService: looks at a scene between two steps without changing it.
#pragma once

#include "server/rpc/service_context.h"
#include "talus/v1/query_service.grpc.pb.h"

namespace talus::rpc {

class QueryService : public v1::QueryService::CallbackService {
 public:
  explicit QueryService(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* GetLayout(grpc::CallbackServerContext* call_context,
                                      const v1::GetLayoutRequest* request,
                                      v1::GetLayoutResponse* response) override;
  grpc::ServerUnaryReactor* GetState(grpc::CallbackServerContext* call_context,
                                     const v1::GetStateRequest* request,
                                     v1::GetStateResponse* response) override;
  grpc::ServerUnaryReactor* GetContacts(grpc::CallbackServerContext* call_context,
                                        const v1::GetContactsRequest* request,
                                        v1::GetContactsResponse* response) override;
  grpc::ServerUnaryReactor* GetJoints(grpc::CallbackServerContext* call_context,
                                      const v1::GetJointsRequest* request,
                                      v1::GetJointsResponse* response) override;
  grpc::ServerUnaryReactor* GetEnergy(grpc::CallbackServerContext* call_context,
                                      const v1::GetEnergyRequest* request,
                                      v1::GetEnergyResponse* response) override;
  grpc::ServerUnaryReactor* GetDiagnostics(grpc::CallbackServerContext* call_context,
                                           const v1::GetDiagnosticsRequest* request,
                                           v1::GetDiagnosticsResponse* response) override;
  grpc::ServerUnaryReactor* GetStepProblem(grpc::CallbackServerContext* call_context,
                                           const v1::GetStepProblemRequest* request,
                                           v1::GetStepProblemResponse* response) override;
  grpc::ServerUnaryReactor* CastRays(grpc::CallbackServerContext* call_context,
                                     const v1::CastRaysRequest* request,
                                     v1::CastRaysResponse* response) override;

 private:
  const ServiceContext& context_;
};

}  // namespace talus::rpc
