#include "tests/bench/service/crowded_steps.h"

#include <grpcpp/client_context.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "talus/v1/scene_service.grpc.pb.h"
#include "talus/v1/simulation_service.grpc.pb.h"
#include "tests/bench/service/bench_scene.h"
#include "tests/bench/service/control_trips.h"

namespace talus::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kCrowdScene[] = "crowd";
constexpr int kCrowdSide = 316;     // 99 856 balls
constexpr int kFewTripsSide = 100;  // where a few trips are to show that it runs
constexpr double kCrowdedTurnSeconds = 1.0;
constexpr std::chrono::seconds kPatience{60};

// The scene that wants all there is.
class Crowd {
 public:
  explicit Crowd(const std::shared_ptr<grpc::Channel>& channel)
      : scenes_(v1::SceneService::NewStub(channel)),
        simulation_(v1::SimulationService::NewStub(channel)) {}

  absl::Status Create(int side) {
    v1::CreateSceneRequest request;
    request.set_scene_id(kCrowdScene);
    *request.mutable_spec() = DescribeField(side);
    v1::CreateSceneResponse response;
    grpc::ClientContext context;
    return Tell(scenes_->CreateScene(&context, request, &response));
  }
  // Returns when it has begun: a step of it is done.
  absl::Status Run() {
    v1::RunRequest request;
    request.set_scene(std::string("scenes/") + kCrowdScene);
    v1::RunResponse response;
    grpc::ClientContext context;
    absl::Status status = Tell(simulation_->Run(&context, request, &response));
    return status.ok() ? AwaitStep() : status;
  }
  absl::Status Pause() {
    v1::PauseRequest request;
    request.set_scene(std::string("scenes/") + kCrowdScene);
    v1::PauseResponse response;
    grpc::ClientContext context;
    absl::Status status = Tell(simulation_->Pause(&context, request, &response));
    step_index_ = response.scene().step_index();
    return status;
  }

 private:
  absl::Status AwaitStep() {
    v1::GetSceneRequest request;
    request.set_scene(std::string("scenes/") + kCrowdScene);
    const Clock::time_point start = Clock::now();
    while (Clock::now() - start < kPatience) {
      v1::GetSceneResponse response;
      grpc::ClientContext context;
      absl::Status status = Tell(scenes_->GetScene(&context, request, &response));
      if (!status.ok()) return status;
      if (response.scene().step_index() > step_index_) return absl::OkStatus();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return absl::InternalError("the crowd made no step");
  }

  static absl::Status Tell(const grpc::Status& status) {
    return status.ok() ? absl::OkStatus()
                       : absl::UnavailableError("crowd: " + status.error_message());
  }

  const std::unique_ptr<v1::SceneService::Stub> scenes_;
  const std::unique_ptr<v1::SimulationService::Stub> simulation_;
  int64_t step_index_ = 0;
};

absl::Status TakeCrowdedTurn(RoundTrip& trip, const Effort& effort, TripTimes* times) {
  const Clock::time_point start = Clock::now();
  Clock::time_point before = start;
  double passed = 0.0;
  absl::Status status;
  for (int64_t made = 0;
       status.ok() && (effort.count > 0 ? made < effort.count : passed < kCrowdedTurnSeconds);
       ++made) {
    status = trip.Make();
    const Clock::time_point after = Clock::now();
    times->Add(std::chrono::duration<double, std::micro>(after - before).count());
    before = after;
    passed = std::chrono::duration<double>(after - start).count();
  }
  times->AddBusy(passed);
  return status;
}

}  // namespace

absl::StatusOr<ServiceRow> MeasureCrowdedSteps(const std::string& id, const std::string& transport,
                                               const ServerPair& servers, const Effort& effort) {
  Crowd crowd(servers.OpenTalus());
  absl::Status status = crowd.Create(effort.count > 0 ? kFewTripsSide : kCrowdSide);
  if (!status.ok()) return status;
  auto trip = MakeControlStep(servers.OpenTalus(), "ten", {});
  if (!trip.ok()) return trip.status();
  TripTimes unmeasured;
  TripTimes alone;
  TripTimes crowded;
  status = TakeCrowdedTurn(**trip, effort, &unmeasured);
  const Clock::time_point start = Clock::now();
  for (bool more = true; more && status.ok();) {
    status = TakeCrowdedTurn(**trip, effort, &alone);
    if (status.ok()) status = crowd.Run();
    if (status.ok()) status = TakeCrowdedTurn(**trip, effort, &crowded);
    if (status.ok()) status = crowd.Pause();
    const double passed = std::chrono::duration<double>(Clock::now() - start).count();
    more = effort.count == 0 && passed < effort.seconds;
  }
  if (status.ok()) status = (*trip)->Check();
  if (!status.ok()) return status;
  ServiceRow row = MakeRow(id, "cpp", transport, crowded, alone);
  row.server_mib = servers.ReadTalusMib();
  return row;
}

}  // namespace talus::bench
