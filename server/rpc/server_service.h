// talus.v1.ServerService: version, machine, limits and features. Answers at once from values that
// are fixed when the server starts.
#pragma once

#include "server/rpc/service_context.h"
#include "talus/v1/server_service.grpc.pb.h"

namespace talus::rpc {

class ServerService : public v1::ServerService::CallbackService {
 public:
  explicit ServerService(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* GetServerInfo(grpc::CallbackServerContext* call_context,
                                          const v1::GetServerInfoRequest* request,
                                          v1::GetServerInfoResponse* response) override;
  grpc::ServerUnaryReactor* GetFeatures(grpc::CallbackServerContext* call_context,
                                        const v1::GetFeaturesRequest* request,
                                        v1::GetFeaturesResponse* response) override;

 private:
  const ServiceContext& context_;
};

}  // namespace talus::rpc
