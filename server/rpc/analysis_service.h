// talus.v1.AnalysisService: contact mechanics without a scene, in the host's analyses.
#pragma once

#include "server/rpc/service_context.h"
#include "talus/v1/analysis_service.grpc.pb.h"

namespace talus::rpc {

class AnalysisService : public v1::AnalysisService::CallbackService {
 public:
  explicit AnalysisService(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* SolveContactProblem(grpc::CallbackServerContext* call_context,
                                                const v1::SolveContactProblemRequest* request,
                                                v1::SolveContactProblemResponse* response) override;
  grpc::ServerUnaryReactor* AnalyzeRollingTransition(
      grpc::CallbackServerContext* call_context, const v1::AnalyzeRollingTransitionRequest* request,
      v1::AnalyzeRollingTransitionResponse* response) override;
  grpc::ServerUnaryReactor* MeshRollingLoads(grpc::CallbackServerContext* call_context,
                                             const v1::MeshRollingLoadsRequest* request,
                                             v1::MeshRollingLoadsResponse* response) override;
  grpc::ServerUnaryReactor* MeshTroughSurface(grpc::CallbackServerContext* call_context,
                                              const v1::MeshTroughSurfaceRequest* request,
                                              v1::MeshTroughSurfaceResponse* response) override;

 private:
  const ServiceContext& context_;
};

}  // namespace talus::rpc
