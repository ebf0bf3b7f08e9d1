// ServerService and what every server has beside it: health, reflection, message limits, request
// ids.
#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>

#include "server/rpc/health_check.h"
#include "server/telemetry/process_usage.h"
#include "solver/contact/kernels/block_kernels.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

class ServerServiceTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    options.limits.contacts_per_scene = 123'456;
    options.limits.steps_per_second = 1'000'000;
    options.limits.memory_bytes = int64_t{1} << 50;
    options.limits.pipeline_depth = 3;
    options.limits.lease_seconds = 30;
    StartServer(options);
  }
};

TEST_F(ServerServiceTest, InfoTellsVersionMachineAndEveryLimit) {
  CreateScene("a", TenBalls());
  const auto reply =
      Call(*about_, &v1::ServerService::Stub::GetServerInfo, v1::GetServerInfoRequest());
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.response.version(), "0.0.0-test");
  EXPECT_EQ(reply.response.worker_threads(), 2);
  EXPECT_EQ(reply.response.worker_threads_per_scene(), 2);
  EXPECT_EQ(reply.response.scene_count(), 1);
  EXPECT_GE(reply.response.uptime_s(), 0.0);
  EXPECT_GT(reply.response.memory_bytes(), 1 << 20);
  EXPECT_NEAR(static_cast<double>(reply.response.heap_bytes()),
              static_cast<double>(telemetry::ReadProcessUsage().heap_bytes), 1e6);
  const Limits& limits = host_->options().limits;
  EXPECT_EQ(reply.response.limits().message_bytes(), limits.message_bytes);
  EXPECT_EQ(reply.response.limits().connections(), limits.connections);
  EXPECT_EQ(reply.response.limits().scenes(), limits.scenes);
  EXPECT_EQ(reply.response.limits().bodies_per_scene(), limits.bodies_per_scene);
  EXPECT_EQ(reply.response.limits().steps_per_call(), limits.steps_per_call);
  EXPECT_EQ(reply.response.limits().contacts_per_scene(), limits.contacts_per_scene);
  EXPECT_EQ(reply.response.limits().steps_per_second(), limits.steps_per_second);
  EXPECT_EQ(reply.response.limits().memory_bytes(), limits.memory_bytes);
  EXPECT_EQ(reply.response.limits().mailbox_depth(), limits.mailbox_depth);
  EXPECT_EQ(reply.response.limits().watchers_per_scene(), limits.watchers_per_scene);
  EXPECT_EQ(reply.response.limits().snapshot_bytes(), limits.snapshot_bytes);
  EXPECT_EQ(reply.response.limits().snapshots(), limits.snapshots);
  EXPECT_EQ(reply.response.limits().model_bytes(), limits.model_bytes);
  EXPECT_EQ(reply.response.limits().analyses(), limits.analyses);
  EXPECT_EQ(reply.response.limits().storage_bytes(), limits.storage_bytes);
  EXPECT_EQ(reply.response.limits().recordings(), limits.recordings);
  EXPECT_EQ(reply.response.limits().recording_bytes(), limits.recording_bytes);
  EXPECT_EQ(reply.response.limits().recordings_per_scene(), limits.recordings_per_scene);
  EXPECT_EQ(reply.response.limits().pipeline_depth(), limits.pipeline_depth);
  EXPECT_EQ(reply.response.limits().lease_seconds(), limits.lease_seconds);
  EXPECT_EQ(reply.response.limits().calls_per_second(), limits.calls_per_second);
  EXPECT_EQ(reply.response.limits().scenes_per_client(), limits.scenes_per_client);
  EXPECT_EQ(reply.response.limits().call_burst(), limits.call_burst);
  EXPECT_EQ(reply.response.simd(), KernelTargets().front());
}

TEST_F(ServerServiceTest, HealthTurnsNotServingWhenADrainIsAnnounced) {
  const std::string address = server_->addresses()[0];
  EXPECT_TRUE(rpc::CheckHealth(address, milliseconds(60'000)).ok());
  server_->AnnounceDrain();
  EXPECT_EQ(rpc::CheckHealth(address, milliseconds(60'000)).message(), "the server does not serve");
  StopServer();
  EXPECT_FALSE(rpc::CheckHealth(address, milliseconds(500)).ok());
}

TEST_F(ServerServiceTest, ReflectionListsEveryService) {
  grpc::GenericStub stub(channel_);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const auto next = [&] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  auto stream = stub.PrepareCall(
      &context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  stream->StartCall(nullptr);
  ASSERT_TRUE(next());
  // ServerReflectionRequest {list_services: ""}
  const grpc::Slice request(std::string("\x3A\x00", 2));
  stream->Write(grpc::ByteBuffer(&request, 1), nullptr);
  ASSERT_TRUE(next());
  grpc::ByteBuffer response;
  stream->Read(&response, nullptr);
  ASSERT_TRUE(next());
  grpc::Slice bytes;
  ASSERT_TRUE(response.DumpToSingleSlice(&bytes).ok());
  const std::string text(reinterpret_cast<const char*>(bytes.begin()), bytes.size());
  for (const char* service : {"SceneService", "SimulationService", "QueryService", "StreamService",
                              "SnapshotService", "ServerService"}) {
    EXPECT_THAT(text, ::testing::HasSubstr(std::string("talus.v1.").append(service)));
  }
  EXPECT_THAT(text, ::testing::HasSubstr("grpc.health.v1.Health"));
  context.TryCancel();
  grpc::Status status;
  stream->Finish(&status, nullptr);
  next();
  queue.Shutdown();
  while (next()) {
  }
}

TEST_F(ServerServiceTest, MessagesBeyondTheUsual4MibAreTakenUpToTheLimit) {
  v1::CreateSceneRequest request;
  request.set_snapshot_data(std::string(size_t{16} << 20, 'x'));
  EXPECT_TRUE(FailedWith(Call(*scenes_, &v1::SceneService::Stub::CreateScene, request),
                         grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_BAD_SNAPSHOT));
  StopServer();
  SceneHostOptions options = DefaultOptions();
  options.limits.message_bytes = int64_t{1} << 20;
  StartServer(options);
  EXPECT_EQ(Call(*scenes_, &v1::SceneService::Stub::CreateScene, request).status.error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_TRUE(CreateScene("a", TenBalls()).ok());
}

TEST_F(ServerServiceTest, AFailureCarriesTheRequestIdTheCallerChose) {
  grpc::ClientContext context;
  context.AddMetadata("x-request-id", "tick-42");
  v1::GetSceneRequest request;
  request.set_scene("scenes/none");
  v1::GetSceneResponse response;
  const grpc::Status status = scenes_->GetScene(&context, request, &response);
  EXPECT_EQ(FinishCall(status, context).request_id, "tick-42");
}

TEST_F(ServerServiceTest, AnAddressInUseIsRefusedByName) {
  const std::string address = server_->addresses()[0];
  const auto second = rpc::GrpcServer::Start(*host_, {*rpc::ParseListenAddress(address)}, "test");
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(std::string(second.status().message()), ::testing::HasSubstr(address));
}

}  // namespace
}  // namespace talus::testing
