// talus.v1.SimulationService: makes time pass in a scene. The gRPC thread only submits; the scene's
// actor steps.
#pragma once

#include "server/rpc/control_reactor.h"
#include "server/rpc/open_streams.h"
#include "server/rpc/service_context.h"
#include "talus/v1/simulation_service.grpc.pb.h"

namespace talus::rpc {

class SimulationService : public v1::SimulationService::CallbackService {
 public:
  explicit SimulationService(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* Step(grpc::CallbackServerContext* call_context,
                                 const v1::StepRequest* request,
                                 v1::StepResponse* response) override;
  grpc::ServerUnaryReactor* StepUntil(grpc::CallbackServerContext* call_context,
                                      const v1::StepUntilRequest* request,
                                      v1::StepUntilResponse* response) override;
  grpc::ServerUnaryReactor* BatchStep(grpc::CallbackServerContext* call_context,
                                      const v1::BatchStepRequest* request,
                                      v1::BatchStepResponse* response) override;
  grpc::ServerBidiReactor<v1::ControlRequest, v1::ControlResponse>* Control(
      grpc::CallbackServerContext* call_context) override;
  grpc::ServerUnaryReactor* Run(grpc::CallbackServerContext* call_context,
                                const v1::RunRequest* request, v1::RunResponse* response) override;
  grpc::ServerUnaryReactor* Pause(grpc::CallbackServerContext* call_context,
                                  const v1::PauseRequest* request,
                                  v1::PauseResponse* response) override;
  grpc::ServerUnaryReactor* ResetScene(grpc::CallbackServerContext* call_context,
                                       const v1::ResetSceneRequest* request,
                                       v1::ResetSceneResponse* response) override;

  // All Control streams, and those that come later, end with UNAVAILABLE (DRAINING) once what they
  // were asked is answered; one that holds a scene ends with that.
  void EndStreams() { streams_.EndAll(); }

 private:
  const ServiceContext& context_;
  OpenStreams<ControlReactor> streams_;
};

}  // namespace talus::rpc
