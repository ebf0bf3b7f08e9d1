#include "server/rpc/server_service.h"

#include <chrono>
#include <thread>

#include "server/rpc/features.h"
#include "server/rpc/info_encoding.h"
#include "server/rpc/unary_call.h"
#include "server/telemetry/process_usage.h"

namespace talus::rpc {

grpc::ServerUnaryReactor* ServerService::GetServerInfo(grpc::CallbackServerContext* call_context,
                                                       const v1::GetServerInfoRequest*,
                                                       v1::GetServerInfoResponse* response) {
  auto* call = new UnaryCall("ServerService/GetServerInfo", *call_context, *response);
  const SceneHostOptions& options = context_.host.options();
  response->set_version(context_.version);
  response->set_worker_threads(options.workers);
  response->set_worker_threads_per_scene(options.workers_per_scene);
  EncodeLimits(options.limits, *response->mutable_limits());
  response->set_scene_count(context_.host.registry().scene_count());
  const std::chrono::duration<double> uptime = context_.host.clock().Now() - context_.start;
  response->set_uptime_s(uptime.count());
  const std::chrono::duration<double> clock = std::chrono::system_clock::now().time_since_epoch();
  response->set_clock_s(clock.count());
  response->set_machine_cores(static_cast<int32_t>(std::thread::hardware_concurrency()));
  const telemetry::ProcessUsage usage = telemetry::ReadProcessUsage();
  response->set_memory_bytes(usage.resident_bytes);
  response->set_heap_bytes(usage.heap_bytes);
  response->set_open_files(usage.open_descriptors);
  response->set_open_files_limit(usage.most_descriptors);
  response->set_simd(std::string(SceneHost::instruction_set()));
  response->set_evict_after_s(std::chrono::duration<double>(options.evict_after).count());
  call->End(absl::OkStatus());
  return call;
}

grpc::ServerUnaryReactor* ServerService::GetFeatures(grpc::CallbackServerContext* call_context,
                                                     const v1::GetFeaturesRequest*,
                                                     v1::GetFeaturesResponse* response) {
  auto* call = new UnaryCall("ServerService/GetFeatures", *call_context, *response);
  EncodeFeatures(!context_.host.options().data_directory.empty(),
                 context_.host.library().size() > 0, *response);
  call->End(absl::OkStatus());
  return call;
}

}  // namespace talus::rpc
