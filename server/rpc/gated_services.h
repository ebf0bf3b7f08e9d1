// The services as they are registered: each RPC passes the gate before the service sees the call.
//
// Made line by line from the table of access, so that a handler cannot forget the check and none
// has to make it. A refused call ends at once, with the reason in its trailer.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <string>
#include <string_view>

#include "server/rpc/access_table.h"
#include "server/rpc/analysis_service.h"
#include "server/rpc/call_gate.h"
#include "server/rpc/environment_service.h"
#include "server/rpc/query_service.h"
#include "server/rpc/recording_service.h"
#include "server/rpc/scene_service.h"
#include "server/rpc/server_service.h"
#include "server/rpc/simulation_service.h"
#include "server/rpc/snapshot_service.h"
#include "server/rpc/status.h"
#include "server/rpc/stream_service.h"
#include "server/rpc/watch_request.h"

namespace talus::rpc {

// A call that was refused before its service saw it.
template <typename Reactor>
class RefusedCall final : public Reactor {
 public:
  explicit RefusedCall(grpc::Status status) { this->Finish(std::move(status)); }

 private:
  void OnDone() override { delete this; }
};

// The name of what a request is about: of its scene, else of its snapshot, else nothing.
template <typename Request>
std::string ResourceOf(const Request& request) {
  std::string name;
  if constexpr (requires { std::string(request.scene()); }) name = request.scene();
  if constexpr (requires { std::string(request.snapshot()); }) {
    if (name.empty()) name = request.snapshot();
  }
  if constexpr (requires { std::string(request.scene_id()); }) {
    if (name.empty() && !request.scene_id().empty()) name = "scenes/" + request.scene_id();
  }
  return name;
}

// Null when the call goes on.
template <typename Reactor, typename... Request>
Reactor* RefuseUnlessAdmitted(const CallGate& gate, const RpcAccess& rpc,
                              grpc::CallbackServerContext& context, const Request&... request) {
  if (gate.open() && rpc.note == AuditNote::kQuiet) return nullptr;
  std::string resource;
  if (rpc.note == AuditNote::kAudited) ((resource = ResourceOf(request)), ...);
  const absl::Status status = gate.Admit(rpc, context, resource);
  if (status.ok()) return nullptr;
  return new RefusedCall<Reactor>(EncodeStatus(status, rpc.method, context));
}

// Null when the call goes on. A watcher that can hold its scene up changes it in a way, so reading
// rights do not do.
template <typename Reactor>
Reactor* RefuseUnlessMayHold(const CallGate& gate, const RpcAccess& rpc,
                             grpc::CallbackServerContext& context,
                             const grpc::ByteBuffer& request) {
  if (gate.open() || !HoldsScene(request)) return nullptr;
  const absl::Status status = gate.RequireScope(rpc, Scope::kControl, context);
  if (status.ok()) return nullptr;
  return new RefusedCall<Reactor>(EncodeStatus(status, rpc.method, context));
}

// One override for each kind of RPC.
#define TALUS_PASS_GATE(service, name, Reactor, ...)                                  \
  static const RpcAccess& rpc = *FindRpc(#service "/" #name);                         \
  Reactor* refused =                                                                  \
      RefuseUnlessAdmitted<Reactor>(gate_, rpc, *context __VA_OPT__(, ) __VA_ARGS__); \
  if (refused != nullptr) return refused

#define TALUS_GATED_UNARY(service, name)                                                         \
  grpc::ServerUnaryReactor* name(grpc::CallbackServerContext* context,                           \
                                 const v1::name##Request* request, v1::name##Response* response) \
      override {                                                                                 \
    TALUS_PASS_GATE(service, name, grpc::ServerUnaryReactor, *request);                          \
    return service::name(context, request, response);                                            \
  }
#define TALUS_GATED_STREAM(service, name)                                                         \
  grpc::ServerWriteReactor<v1::name##Response>* name(grpc::CallbackServerContext* context,        \
                                                     const v1::name##Request* request) override { \
    TALUS_PASS_GATE(service, name, grpc::ServerWriteReactor<v1::name##Response>, *request);       \
    return service::name(context, request);                                                       \
  }
// Served as bytes.
#define TALUS_GATED_RAW_STREAM(service, name)                                                  \
  grpc::ServerWriteReactor<grpc::ByteBuffer>* name(grpc::CallbackServerContext* context,       \
                                                   const grpc::ByteBuffer* request) override { \
    TALUS_PASS_GATE(service, name, grpc::ServerWriteReactor<grpc::ByteBuffer>);                \
    return service::name(context, request);                                                    \
  }
#define TALUS_GATED_WATCH(service, name)                                                       \
  grpc::ServerWriteReactor<grpc::ByteBuffer>* name(grpc::CallbackServerContext* context,       \
                                                   const grpc::ByteBuffer* request) override { \
    using Reactor = grpc::ServerWriteReactor<grpc::ByteBuffer>;                                \
    TALUS_PASS_GATE(service, name, Reactor);                                                   \
    refused = RefuseUnlessMayHold<Reactor>(gate_, rpc, *context, *request);                    \
    return refused != nullptr ? refused : service::name(context, request);                     \
  }
#define TALUS_GATED_UPLOAD(service, name)                                                   \
  grpc::ServerReadReactor<v1::name##Request>* name(grpc::CallbackServerContext* context,    \
                                                   v1::name##Response* response) override { \
    TALUS_PASS_GATE(service, name, grpc::ServerReadReactor<v1::name##Request>);             \
    return service::name(context, response);                                                \
  }
#define TALUS_GATED_BIDI(service, name)                                             \
  grpc::ServerBidiReactor<v1::name##Request, v1::name##Response>* name(             \
      grpc::CallbackServerContext* context) override {                              \
    using Reactor = grpc::ServerBidiReactor<v1::name##Request, v1::name##Response>; \
    TALUS_PASS_GATE(service, name, Reactor);                                        \
    return service::name(context);                                                  \
  }
// The face of another protocol, whose messages have names of their own.
#define TALUS_GATED_ENVIRONMENT(service, name)                                                  \
  grpc::ServerBidiReactor<env::EnvironmentRequest, env::EnvironmentResponse>* name(             \
      grpc::CallbackServerContext* context) override {                                          \
    using Reactor = grpc::ServerBidiReactor<env::EnvironmentRequest, env::EnvironmentResponse>; \
    TALUS_PASS_GATE(service, name, Reactor);                                                    \
    return service::name(context);                                                              \
  }
#define TALUS_GATED_RPC(kind, service, name, scope, note) TALUS_GATED_##kind(service, name)
#define TALUS_GATED_SERVICE(service, RPCS)                              \
  class Gated##service final : public service {                         \
   public:                                                              \
    Gated##service(const ServiceContext& context, const CallGate& gate) \
        : service(context), gate_(gate) {}                              \
    RPCS(TALUS_GATED_RPC)                                               \
                                                                        \
   private:                                                             \
    const CallGate& gate_;                                              \
  }

TALUS_GATED_SERVICE(SceneService, TALUS_SCENE_RPCS);
TALUS_GATED_SERVICE(SimulationService, TALUS_SIMULATION_RPCS);
TALUS_GATED_SERVICE(QueryService, TALUS_QUERY_RPCS);
TALUS_GATED_SERVICE(StreamService, TALUS_STREAM_RPCS);
TALUS_GATED_SERVICE(SnapshotService, TALUS_SNAPSHOT_RPCS);
TALUS_GATED_SERVICE(RecordingService, TALUS_RECORDING_RPCS);
TALUS_GATED_SERVICE(AnalysisService, TALUS_ANALYSIS_RPCS);
TALUS_GATED_SERVICE(ServerService, TALUS_SERVER_RPCS);
TALUS_GATED_SERVICE(Environment, TALUS_ENVIRONMENT_RPCS);

#undef TALUS_GATED_SERVICE
#undef TALUS_GATED_RPC
#undef TALUS_GATED_ENVIRONMENT
#undef TALUS_GATED_BIDI
#undef TALUS_GATED_UPLOAD
#undef TALUS_GATED_WATCH
#undef TALUS_GATED_RAW_STREAM
#undef TALUS_GATED_STREAM
#undef TALUS_GATED_UNARY
#undef TALUS_PASS_GATE

}  // namespace talus::rpc
