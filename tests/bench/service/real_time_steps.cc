#include "tests/bench/service/real_time_steps.h"

#include <grpcpp/client_context.h>

#include <chrono>
#include <memory>

#include "talus/v1/simulation_service.grpc.pb.h"
#include "tests/bench/service/step_trips.h"

namespace talus::bench {
namespace {

constexpr char kScene[] = "ten";
constexpr double kPeriodS = 1e-3;

class Controller {
 public:
  explicit Controller(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(v1::SimulationService::NewStub(channel)), stream_(stub_->Control(&context_)) {}
  ~Controller() {
    context_.TryCancel();
    stream_->Finish();
  }

  absl::Status Open() {
    v1::ControlRequest request;
    v1::ControlOpen& open = *request.mutable_open();
    open.set_scene(std::string("scenes/") + kScene);
    open.mutable_selection();
    open.set_pacing(v1::CONTROL_PACING_REAL_TIME);
    open.set_period_s(kPeriodS);
    return Ask(request);
  }

  // One request and the answer of the tick that it came to.
  absl::Status MakeTick() {
    static const v1::ControlRequest kRequest = [] {
      v1::ControlRequest request;
      request.mutable_step();
      return request;
    }();
    absl::Status status = Ask(kRequest);
    if (!status.ok()) return status;
    const v1::ControlStepped& stepped = response_.stepped();
    ++answered_;
    missed_ += stepped.missed();
    if (stepped.tick() == answered_ + missed_) return absl::OkStatus();
    return absl::InternalError("tick " + std::to_string(stepped.tick()) + " after " +
                               std::to_string(answered_) + " answers and " +
                               std::to_string(missed_) + " misses");
  }

  double lateness_us() const { return 1e6 * response_.stepped().lateness_s(); }
  int64_t missed() const { return missed_; }
  StepGoal reached() const {
    const v1::Frame& frame = response_.stepped().frame();
    return {frame.step_index(), frame.state_hash()};
  }

 private:
  absl::Status Ask(const v1::ControlRequest& request) {
    if (!stream_->Write(request) || !stream_->Read(&response_)) {
      return absl::UnavailableError("the stream of control ended");
    }
    if (!response_.has_error()) return absl::OkStatus();
    return absl::InternalError(response_.error().message());
  }

  grpc::ClientContext context_;
  const std::unique_ptr<v1::SimulationService::Stub> stub_;
  const std::unique_ptr<grpc::ClientReaderWriter<v1::ControlRequest, v1::ControlResponse>> stream_;
  v1::ControlResponse response_;
  int64_t answered_ = 0;
  int64_t missed_ = 0;
};

}  // namespace

absl::StatusOr<ServiceRow> MeasureRealTimeSteps(const std::string& id, const std::string& transport,
                                                const ServerPair& servers, const Effort& effort) {
  using Clock = std::chrono::steady_clock;
  absl::Status status = CreateTenBalls(servers.OpenTalus(), kScene);
  if (!status.ok()) return status;
  Controller controller(servers.OpenTalus());
  status = controller.Open();
  TripTimes times;
  const Clock::time_point start = Clock::now();
  double passed = 0.0;
  while (status.ok() &&
         (effort.count > 0 ? times.count() < effort.count : passed < effort.seconds)) {
    status = controller.MakeTick();
    times.Add(controller.lateness_us());
    passed = std::chrono::duration<double>(Clock::now() - start).count();
  }
  times.AddBusy(passed);
  if (status.ok()) status = CheckTenBalls(controller.reached());
  if (!status.ok()) return status;
  ServiceRow row = MakeRow(id, "cpp", transport, times, {});
  row.missed = controller.missed();
  row.server_mib = servers.ReadTalusMib();
  return row;
}

}  // namespace talus::bench
