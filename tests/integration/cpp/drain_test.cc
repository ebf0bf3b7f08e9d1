// SIGTERM through the C++ client: what runs ends at a step boundary and says so, and the process
// exits with 0.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <future>
#include <thread>

#include "tests/integration/cpp/live_server.h"
#include "tests/support/wait_until.h"

namespace talus::client::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kDraining[] = "UNAVAILABLE ERROR_REASON_DRAINING";

class Drain : public LiveServerTest {
 protected:
  void SetUp() override { StartServer({"--drain-seconds", "60"}); }

  // A box of many thousands of contacts whose steps take a good part of so long on this machine,
  // what a probe spends beside its sweeps being the rest: the tolerance is out of reach, so it is
  // the limit of sweeps that ends them. In a smaller box solves stall long before.
  v1::SceneSpec HeavyBox(std::chrono::duration<double> step_time) {
    constexpr int kProbeSweeps = 50;
    v1::SceneSpec spec = PackedBox(32);
    spec.mutable_settings()->mutable_solver()->set_tolerance(1e-14);
    spec.mutable_settings()->mutable_solver()->set_max_sweeps(kProbeSweeps);
    Scene probe = Create("probe", spec);
    std::chrono::duration<double> fastest = step_time;
    for (int i = 0; i < 4; ++i) {
      const Clock::time_point start = Clock::now();
      EXPECT_TRUE(probe.Step(1));
      fastest = std::min<std::chrono::duration<double>>(fastest, Clock::now() - start);
    }
    EXPECT_TRUE(probe.Delete());
    const auto sweeps = static_cast<int32_t>(kProbeSweeps * (step_time / fastest));
    spec.mutable_settings()->mutable_solver()->set_max_sweeps(std::min(sweeps, 1'000'000));
    return spec;
  }
};

// Why the stream ended. Somebody has to be reading while the server drains: what nobody has read
// when it closes the connection, gRPC may throw away.
std::future<std::string> ReadToEnd(Stream<v1::WatchStateResponse>& stream) {
  return std::async(std::launch::async, [&stream] {
    while (stream.Read()) {
    }
    return Outcome(stream.Finish());
  });
}

// grpc.health.v1 over a connection of its own, which stands before the drain begins. The answer has
// one field, so its bytes are compared rather than read.
class HealthProbe {
 public:
  explicit HealthProbe(const std::string& address)
      : stub_(grpc::CreateChannel(address, grpc::InsecureChannelCredentials())) {}

  std::string Check() {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes{1});
    const grpc::Slice whole_server;
    const grpc::ByteBuffer request(&whole_server, 1);
    grpc::ByteBuffer response;
    std::promise<grpc::Status> finished;
    stub_.UnaryCall(&context, "/grpc.health.v1.Health/Check", grpc::StubOptions(), &request,
                    &response, [&](grpc::Status status) { finished.set_value(std::move(status)); });
    const grpc::Status status = finished.get_future().get();
    if (!status.ok()) return "code " + std::to_string(status.error_code());
    grpc::Slice bytes;
    if (!response.DumpToSingleSlice(&bytes).ok()) return "no bytes";
    const std::string text(reinterpret_cast<const char*>(bytes.begin()), bytes.size());
    if (text == "\x08\x01") return "SERVING";
    if (text == "\x08\x02") return "NOT_SERVING";
    return "other bytes";
  }

 private:
  grpc::GenericStub stub_;
};

TEST_F(Drain, EndsStepsAndStreamsWithTheReason) {
  Scene scene = Create("stones", PouringStones(60));
  StepOptions endless;
  endless.call.timeout = milliseconds{0};
  auto running = std::async(std::launch::async,
                            [scene, endless]() mutable { return scene.Step(kEndless, endless); });
  AwaitStep(scene, 5);
  v1::WatchStateRequest request;
  request.set_scene(scene.name());
  request.set_every_n_steps(1'000'000);
  auto stream = client().WatchState(request);
  ASSERT_TRUE(stream.Read());
  auto watching = ReadToEnd(stream);
  // 0: the scene came to rest before the drain's time was over, so nobody waited for all the steps.
  EXPECT_EQ(StopServer(), 0);
  auto ended = running.get();
  EXPECT_EQ(Outcome(ended), kDraining);
  EXPECT_GT(ended.error().detail.steps_done(), 5);
  EXPECT_LT(ended.error().detail.steps_done(), kEndless);
  EXPECT_EQ(watching.get(), kDraining);
  EXPECT_EQ(client().GetServerInfo().code(), Code::kUnavailable);
}

TEST_F(Drain, RefusesNewCallsWhileAStepIsStillRunning) {
  Scene scene = Create("box", HeavyBox(std::chrono::seconds{4}));
  HealthProbe health(server().address());
  ASSERT_EQ(health.Check(), "SERVING");
  auto running = std::async(std::launch::async, [scene]() mutable { return scene.Step(kEndless); });
  // Once the first step is known to be done the second begins, even if its thread has to wait for a
  // core, and leaves a second or two to ask.
  AwaitStep(scene, 0);
  std::this_thread::sleep_for(milliseconds{200});
  ASSERT_EQ(::kill(server().pid(), SIGTERM), 0);
  EXPECT_TRUE(talus::testing::WaitUntil([&] { return health.Check() == "NOT_SERVING"; }));
  // Health turns first, a moment later the server, then its scenes. What a scene took before waits
  // for the step; such a call is given up and made again.
  auto refused = Scene::Create(client(), FallingBall());
  while (refused) refused = Scene::Create(client(), FallingBall());
  ASSERT_EQ(Outcome(refused), kDraining);
  EXPECT_GT(refused.error().detail.retry_after_ms(), 0);
  const CallOptions brief{milliseconds{200}, {}};
  auto state = scene.State(SelectState(), brief);
  while (state.code() == Code::kDeadlineExceeded) state = scene.State(SelectState(), brief);
  EXPECT_EQ(Outcome(state), kDraining);
  v1::WatchStateRequest request;
  request.set_scene(scene.name());
  auto stream = client().WatchState(request);
  auto watching = ReadToEnd(stream);
  EXPECT_EQ(Outcome(scene.Step(1)), kDraining);
  EXPECT_EQ(Outcome(scene.Fork({"fork"})), kDraining);
  EXPECT_EQ(running.wait_for(milliseconds{0}), std::future_status::timeout)
      << "the step was over before all this was asked";
  auto ended = running.get();
  EXPECT_EQ(Outcome(ended), kDraining);
  EXPECT_GE(ended.error().detail.steps_done(), 2);
  // Watchers join and leave between two steps, so this one hears it last.
  EXPECT_EQ(watching.get(), kDraining);
  EXPECT_EQ(StopServer(), 0);
}

TEST_F(Drain, IsImmediateWhenIdle) {
  ASSERT_TRUE(client().GetServerInfo());
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(StopServer(), 0);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds{30}) << "half the time a drain may take";
}

}  // namespace
}  // namespace talus::client::testing
