#include "server/app/monitor.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>

#include "server/rpc/access_table.h"
#include "server/rpc/call_counts.h"
#include "server/rpc/status.h"
#include "server/session/error.h"
#include "server/telemetry/process_usage.h"
#include "server/telemetry/stream_counts.h"
#include "solver/base/limits.h"
#include "tests/scenes/piles.h"
#include "tests/support/wait_until.h"

namespace talus::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What comes back when `request` is sent to the endpoint and nothing more.
std::string Ask(const std::string& address, const std::string& request) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  std::string answer;
  if (connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) {
    (void)!write(fd, request.data(), request.size());
    char part[4096];
    for (ssize_t got = 0; (got = read(fd, part, sizeof part)) > 0;) {
      answer.append(part, static_cast<size_t>(got));
    }
  }
  close(fd);
  return answer;
}

std::string Get(const std::string& address, const std::string& path) {
  return Ask(address, "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
}

// The value of the line that begins with `name` and a blank; -1 when there is none.
double ValueOf(const std::string& page, const std::string& name) {
  const size_t found = ("\n" + page).find("\n" + name + ' ');
  return found == std::string::npos ? -1.0 : std::stod(page.substr(found + name.size()));
}

class MonitorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    SceneHostOptions options;
    options.data_directory = folder_;
    auto host = SceneHost::Open(options);
    ASSERT_TRUE(host.ok()) << host.status();
    host_ = *std::move(host);
    const auto expires = std::chrono::system_clock::time_point(std::chrono::seconds(1'900'000'000));
    auto endpoint = StartMonitor("127.0.0.1:0", {*host_, "1.2.3", expires});
    ASSERT_TRUE(endpoint.ok()) << endpoint.status();
    endpoint_ = *std::move(endpoint);
  }
  ~MonitorTest() override { std::filesystem::remove_all(folder_); }
  void Make(const std::string& id, SceneDef scene) {
    std::promise<void> made;
    host_->registry().Create(
        {.scene_id = id, .source = std::move(scene), .request_id = {}, .fingerprint = {}},
        [&](const auto& answer) {
          EXPECT_TRUE(answer.ok()) << answer.status();
          made.set_value();
        });
    made.get_future().wait();
  }
  std::string Page() const { return Get(endpoint_->address(), "/metrics"); }

  const std::string folder_ = ::testing::TempDir() + "monitor_" +
                              ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::unique_ptr<SceneHost> host_;
  std::unique_ptr<telemetry::HttpEndpoint> endpoint_;
};

TEST_F(MonitorTest, StepsAndScenesShowOnThePage) {
  Make("a", scenes::PackedSpheres({.count = 20}));
  std::promise<void> stepped;
  const auto scene = *host_->registry().Find("a");
  StepCall call;
  call.step_count = 7;
  scene->Step(call, std::make_shared<CallControl>(), [&](const auto& answer) {
    EXPECT_TRUE(answer.ok()) << answer.status();
    stepped.set_value();
  });
  stepped.get_future().wait();
  const std::string page = Page();
  EXPECT_THAT(page, HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_THAT(page, HasSubstr("text/plain; version=0.0.4"));
  EXPECT_EQ(ValueOf(page, "talus_scenes"), 1);
  EXPECT_GE(ValueOf(page, "talus_bodies"), 20);
  EXPECT_EQ(ValueOf(page, "talus_step_seconds_count"), 7);
  EXPECT_GT(ValueOf(page, "talus_step_seconds_sum"), 0);
  EXPECT_EQ(ValueOf(page, "talus_step_seconds_bucket{le=\"+Inf\"}"), 7);
  EXPECT_EQ(ValueOf(page, "talus_step_stage_seconds_count{stage=\"solve_contacts\"}"), 7);
  EXPECT_GT(ValueOf(page, "talus_simulated_seconds_total"), 0);
  EXPECT_EQ(ValueOf(page, "talus_step_real_time_factor_count"), 7);
  EXPECT_EQ(ValueOf(page, "talus_steps_total{outcome=\"solved\"}") +
                ValueOf(page, "talus_steps_total{outcome=\"unconverged\"}") +
                ValueOf(page, "talus_steps_total{outcome=\"without_contacts\"}"),
            7);
  EXPECT_EQ(ValueOf(page, "talus_step_residual_count"),
            7 - ValueOf(page, "talus_steps_total{outcome=\"without_contacts\"}"));
  EXPECT_EQ(ValueOf(page, "talus_steps_made_ahead_total{part=\"nothing\"}"), 7) << "a single turn";
  EXPECT_EQ(ValueOf(page, "talus_steps_made_ahead_total{part=\"beginning\"}"), 0);
  EXPECT_EQ(ValueOf(page, "talus_steps_made_ahead_total{part=\"result\"}"), 0);
  EXPECT_EQ(ValueOf(page, "talus_mailbox_waiting"), 0);
  EXPECT_EQ(ValueOf(page, "talus_watchers"), 0);
  EXPECT_EQ(ValueOf(page, "talus_draining"), 0);
  EXPECT_EQ(ValueOf(page, "talus_build_info{version=\"1.2.3\"}"), 1);
  EXPECT_EQ(ValueOf(page, "talus_tls_certificate_expires_seconds"), 1'900'000'000);
  EXPECT_GT(ValueOf(page, "process_resident_memory_bytes"), 1e6);
  EXPECT_NEAR(ValueOf(page, "talus_heap_bytes"),
              static_cast<double>(telemetry::ReadProcessUsage().heap_bytes), 1e6);
  EXPECT_GT(ValueOf(page, "process_open_fds"), 2);
}

TEST_F(MonitorTest, WhatIsBusyAndWhatWaitsShowOnThePage) {
  Make("slow", scenes::PackedSpheres({.count = 2000}));
  const auto scene = *host_->registry().Find("slow");
  const auto control = std::make_shared<CallControl>();
  StepCall call;
  call.step_count = 1'000'000;
  std::promise<void> ended;
  scene->Step(call, control, [&](const auto&) { ended.set_value(); });
  std::atomic<int> answered = 0;
  for (int k = 0; k < 3; ++k) {
    scene->RemoveEmitters({"none"}, control, [&](const auto&) { ++answered; });
  }
  EXPECT_TRUE(testing::WaitUntil([&] {
    const std::string page = Page();
    return ValueOf(page, "talus_executor_busy") == 1 && ValueOf(page, "talus_cores_lent") >= 1 &&
           ValueOf(page, "talus_mailbox_waiting_most") == 3 &&
           ValueOf(page, "talus_mailbox_waiting") == 3;
  }));
  control->Cancel();
  ended.get_future().wait();
  EXPECT_TRUE(testing::WaitUntil([&] {
    const std::string page = Page();
    return answered == 3 && ValueOf(page, "talus_executor_busy") == 0 &&
           ValueOf(page, "talus_cores_lent") == 0 &&
           ValueOf(page, "talus_mailbox_waiting_most") == 0;
  }));
  std::promise<void> go_on;
  std::promise<void> analyzed;
  host_->analyses().Submit<int>(
      "somebody", nullptr,
      [&](const AnalysisQueue::Stop&) {
        go_on.get_future().wait();
        return 1;
      },
      [&](const auto&) { analyzed.set_value(); });
  EXPECT_EQ(ValueOf(Page(), "talus_analyses_held"), 1);
  go_on.set_value();
  analyzed.get_future().wait();
  EXPECT_EQ(ValueOf(Page(), "talus_analyses_held"), 0);
}

TEST_F(MonitorTest, JointsAndFaultsShowOnThePage) {
  SceneDef scene;
  scene.settings.time_step_s = kMaxTimeStepS;
  scene.settings.gravity_world_m_s2 = Vec3(0.0, 0.0, -kMaxAccelerationMS2);
  scene.bodies.resize(2);
  for (BodyDef& body : scene.bodies) {
    body.mass_kg = 1.0;
    body.inertia_body_kg_m2 = Mat3::Identity();
  }
  scene.bodies[0].name = "a";
  scene.bodies[1].name = "b";
  scene.joints.resize(1);
  scene.joints[0].body_a = "a";
  scene.joints[0].body_b = "b";
  scene.joints[0].axes[0] = JointAxis::Locked();
  Make("falls", scene);
  EXPECT_EQ(ValueOf(Page(), "talus_joints"), 1);
  EXPECT_EQ(ValueOf(Page(), "talus_scenes_faulted"), 0);
  std::promise<absl::Status> ended;
  StepCall call;
  call.step_count = 10'000;  // its speed is out of all bounds before
  (*host_->registry().Find("falls"))->Step(call, nullptr, [&](const auto& answer) {
    ended.set_value(answer.status());
  });
  EXPECT_EQ(ended.get_future().get().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(testing::WaitUntil([&] { return ValueOf(Page(), "talus_scenes_faulted") == 1; }));
  EXPECT_EQ(ValueOf(Page(), "talus_scene_faults_total"), 1);
}

TEST_F(MonitorTest, CallsAndFramesShowOnThePage) {
  // Counts are of the process, so that other tests may have counted before.
  const std::string line =
      "talus_calls_total{method=\"SceneService/ListScenes\",code=\"DATA_LOSS\"}";
  const std::string before = Page();
  EXPECT_EQ(ValueOf(before, line), -1) << "a code that never came has no line";
  rpc::CountCall("SceneService/ListScenes", absl::StatusCode::kDataLoss);
  telemetry::CountFrame(3);
  telemetry::CountFrame(0);
  const std::string page = Page();
  EXPECT_EQ(ValueOf(page, line), 1);
  EXPECT_EQ(ValueOf(page, "talus_frames_sent_total"),
            ValueOf(before, "talus_frames_sent_total") + 2);
  EXPECT_EQ(ValueOf(page, "talus_frames_dropped_total"),
            ValueOf(before, "talus_frames_dropped_total") + 3);
  for (const rpc::RpcAccess& rpc : rpc::AllRpcs()) {
    EXPECT_GE(
        ValueOf(page, "talus_calls_total{method=\"" + std::string(rpc.method) + "\",code=\"OK\"}"),
        0)
        << rpc.method;
  }
}

TEST_F(MonitorTest, RefusalsShowByTheirLimitAndNothingElseDoes) {
  const auto line = [](const std::string& limit) {
    return "talus_limit_refusals_total{limit=\"" + limit + "\"}";
  };
  const std::string before = Page();
  // As an answer of a stream or batch tells it.
  v1::ErrorStatus told;
  rpc::EncodeErrorStatus(LimitError("contacts_per_scene", 10, 11), told);
  EXPECT_EQ(told.detail().limit_name(), "contacts_per_scene");
  rpc::EncodeErrorStatus(LimitError("of_no_such_name", 10, 11), told);
  rpc::EncodeErrorStatus(NotFoundError("scene", "scenes/a"), told);
  const std::string page = Page();
  EXPECT_EQ(ValueOf(page, line("contacts_per_scene")),
            ValueOf(before, line("contacts_per_scene")) + 1);
  EXPECT_EQ(ValueOf(page, line("of_no_such_name")), -1);
  for (const char* limit : {"scenes", "steps_per_second", "memory_bytes", "calls_per_second"}) {
    EXPECT_GE(ValueOf(page, line(limit)), 0) << limit;
  }
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'),
            std::count(page.begin(), page.end(), '\n'));
}

TEST_F(MonitorTest, RecordingsAndMissedTicksShowOnThePage) {
  const std::string page = Page();
  for (const char* line :
       {"talus_recordings_under_way", "talus_recordings_total{outcome=\"complete\"}",
        "talus_recordings_total{outcome=\"failed\"}", "talus_recorded_bytes_total",
        "talus_missed_ticks_total"}) {
    EXPECT_EQ(ValueOf(page, line), 0) << line;
  }
  Make("a", SceneDef());
  (*host_->registry().Find("a"))->CountMissedTicks(3);
  EXPECT_EQ(ValueOf(Page(), "talus_missed_ticks_total"), 3);
}

TEST_F(MonitorTest, ThePageDoesNotGrowWithScenes) {
  const std::string before = Page();
  for (int i = 0; i < 20; ++i) Make("scene-" + std::to_string(i), SceneDef());
  const std::string after = Page();
  EXPECT_EQ(ValueOf(after, "talus_scenes"), 20);
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'),
            std::count(after.begin(), after.end(), '\n'));
  EXPECT_THAT(after, Not(HasSubstr("scene-1")));
}

TEST_F(MonitorTest, ReadyUntilItDrainsOrCannotStore) {
  EXPECT_THAT(Get(endpoint_->address(), "/healthz"), HasSubstr("200 OK"));
  EXPECT_THAT(Get(endpoint_->address(), "/readyz"), HasSubstr("200 OK"));
  std::filesystem::remove_all(folder_);
  EXPECT_THAT(Get(endpoint_->address(), "/readyz"),
              AllOf(HasSubstr("503"), HasSubstr("data directory " + folder_)));
  std::filesystem::create_directories(folder_);
  EXPECT_THAT(Get(endpoint_->address(), "/readyz"), HasSubstr("200 OK"));
  host_->Drain(std::chrono::seconds(10));
  EXPECT_THAT(Get(endpoint_->address(), "/readyz"), AllOf(HasSubstr("503"), HasSubstr("draining")));
  EXPECT_THAT(Get(endpoint_->address(), "/healthz"), HasSubstr("200 OK"));
  EXPECT_EQ(ValueOf(Page(), "talus_draining"), 1);
}

TEST_F(MonitorTest, ServesNothingElse) {
  for (const char* path : {"/", "/etc/passwd", "/../../etc/passwd", "/metrics/../etc/passwd",
                           "/%2e%2e/etc/passwd", "/metricsx"}) {
    const std::string answer = Get(endpoint_->address(), path);
    EXPECT_THAT(answer, Not(HasSubstr("200 OK"))) << path;
    EXPECT_THAT(answer, Not(HasSubstr("root:"))) << path;
  }
  EXPECT_THAT(Ask(endpoint_->address(), "POST /metrics HTTP/1.1\r\nContent-Length: 0\r\n\r\n"),
              HasSubstr("405"));
  EXPECT_THAT(Ask(endpoint_->address(), "HEAD /healthz HTTP/1.1\r\n\r\n"),
              AllOf(HasSubstr("200 OK"), Not(HasSubstr("ok\n"))));
}

TEST_F(MonitorTest, NobodyGetsAWebSocketAndTheServerLivesOn) {
  const auto upgrade = [this](const std::string& path) {
    return Ask(endpoint_->address(), "GET " + path +
                                         " HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
                                         "Connection: Upgrade, close\r\n"
                                         "Sec-WebSocket-Version: 13\r\n"
                                         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  };
  EXPECT_THAT(upgrade("/"), HasSubstr("404"));
  EXPECT_THAT(upgrade("/metrics"), Not(HasSubstr("101 Switching")));
  EXPECT_THAT(Get(endpoint_->address(), "/healthz"), HasSubstr("200 OK"));
}

TEST_F(MonitorTest, AnAddressInUseIsRefusedByName) {
  const auto second = StartMonitor(endpoint_->address(), {*host_, "", {}});
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(endpoint_->address()));
}

}  // namespace
}  // namespace talus::app
