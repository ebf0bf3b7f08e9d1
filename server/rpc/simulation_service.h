// talus.v1.SimulationService: makes time pass in a scene. The gRPC thread only submits; the scene's
// actor steps.
#pragma once

#include "server/rpc/service_context.h"
#include "talus/v1/simulation_service.grpc.pb.h"

namespace talus::rpc {

class SimulationService : public v1::SimulationService::CallbackService {
 public:
  explicit SimulationService(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* Step(grpc::CallbackServerContext* call_context,
                                 const v1::StepRequest* request,
                                 v1::StepResponse* response) override;

 private:
  const ServiceContext& context_;
};

}  // namespace talus::rpc
