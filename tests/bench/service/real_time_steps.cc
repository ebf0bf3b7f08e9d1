#include "tests/bench/service/real_time_steps.h"

#include <grpcpp/client_context.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "talus/v1/simulation_service.grpc.pb.h"
#include "tests/bench/service/echo_trips.h"
#include "tests/bench/service/step_trips.h"

namespace talus::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kTickedScene[] = "ten";
constexpr double kPeriodS = 1e-3;
constexpr double kTickedTurnSeconds = 5.0;

// Something that is to be done once in every period.
class Ticker {
 public:
  virtual ~Ticker() = default;

  // Returns when the work of a tick is done.
  virtual absl::Status MakeTick() = 0;
  // How long after its tick that was.
  virtual double lateness_us() const = 0;
  // Ticks that came before the work of an earlier one was done.
  virtual int64_t missed() const = 0;
};

// A round trip to the echo at every tick of this process' clock: what timer, scheduler and gRPC
// need on this machine, whoever is asked.
class EchoTicker final : public Ticker {
 public:
  explicit EchoTicker(const std::shared_ptr<grpc::Channel>& channel)
      : trip_(MakeEchoStream(channel, 0)) {}

  // Connects; the first tick is a period later.
  absl::Status Open() {
    absl::Status status = trip_->Make();
    start_ = Clock::now();
    return status;
  }

  absl::Status MakeTick() override {
    ++tick_;
    const double due_s = static_cast<double>(tick_) * kPeriodS;
    std::this_thread::sleep_until(
        start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(due_s)));
    absl::Status status = trip_->Make();
    const double late_s = SecondsSince(start_) - due_s;
    const auto missed = static_cast<int64_t>(late_s / kPeriodS);
    tick_ += missed;
    missed_ += missed;
    lateness_us_ = 1e6 * late_s;
    return status;
  }

  double lateness_us() const override { return lateness_us_; }
  int64_t missed() const override { return missed_; }

 private:
  const std::unique_ptr<RoundTrip> trip_;
  Clock::time_point start_;
  int64_t tick_ = 0;
  int64_t missed_ = 0;
  double lateness_us_ = 0.0;
};

class Controller final : public Ticker {
 public:
  Controller(const std::shared_ptr<grpc::Channel>& channel, int ahead)
      : ahead_(ahead),
        stub_(v1::SimulationService::NewStub(channel)),
        stream_(stub_->Control(&context_)) {}
  ~Controller() override {
    context_.TryCancel();
    stream_->Finish();
  }

  absl::Status Open() {
    v1::ControlRequest request;
    v1::ControlOpen& open = *request.mutable_open();
    open.set_scene(std::string("scenes/") + kTickedScene);
    open.mutable_selection();
    open.set_pacing(v1::CONTROL_PACING_REAL_TIME);
    open.set_period_s(kPeriodS);
    absl::Status status = Ask(request);
    for (int k = 0; k < ahead_ && status.ok(); ++k) status = Send(StepOnce());
    return status;
  }

  // One request, and the answer of the next tick that one came to.
  absl::Status MakeTick() override {
    absl::Status status = Ask(StepOnce());
    if (!status.ok()) return status;
    const v1::ControlStepped& stepped = response_.stepped();
    ++answered_;
    missed_ += stepped.missed();
    if (stepped.tick() == answered_ + missed_) return absl::OkStatus();
    return absl::InternalError("tick " + std::to_string(stepped.tick()) + " after " +
                               std::to_string(answered_) + " answers and " +
                               std::to_string(missed_) + " misses");
  }

  double lateness_us() const override { return 1e6 * response_.stepped().lateness_s(); }
  int64_t missed() const override { return missed_; }
  StepGoal reached() const {
    const v1::Frame& frame = response_.stepped().frame();
    return {frame.step_index(), frame.state_hash()};
  }

 private:
  static const v1::ControlRequest& StepOnce() {
    static const v1::ControlRequest kRequest = [] {
      v1::ControlRequest request;
      request.mutable_step();
      return request;
    }();
    return kRequest;
  }

  absl::Status Send(const v1::ControlRequest& request) {
    if (stream_->Write(request)) return absl::OkStatus();
    return absl::UnavailableError("the stream of control ended");
  }

  absl::Status Ask(const v1::ControlRequest& request) {
    absl::Status status = Send(request);
    if (!status.ok()) return status;
    if (!stream_->Read(&response_)) {
      return absl::UnavailableError("the stream of control ended");
    }
    if (!response_.has_error()) return absl::OkStatus();
    return absl::InternalError(response_.error().message());
  }

  const int ahead_;
  grpc::ClientContext context_;
  const std::unique_ptr<v1::SimulationService::Stub> stub_;
  const std::unique_ptr<grpc::ClientReaderWriter<v1::ControlRequest, v1::ControlResponse>> stream_;
  v1::ControlResponse response_;
  int64_t answered_ = 0;
  int64_t missed_ = 0;
};

struct TickTally {
  TripTimes times;  // latenesses
  int64_t missed = 0;
};

// Ticks for a turn, or until there are `most` when that is not 0.
absl::Status TakeTurn(Ticker& ticker, int64_t most, TickTally& tally) {
  const Clock::time_point start = Clock::now();
  absl::Status status;
  while (status.ok() &&
         (most > 0 ? tally.times.count() < most : SecondsSince(start) < kTickedTurnSeconds)) {
    status = ticker.MakeTick();
    tally.times.Add(ticker.lateness_us());
  }
  tally.times.AddBusy(SecondsSince(start));
  tally.missed += ticker.missed();
  return status;
}

absl::Status TakeEchoTurn(const ServerPair& servers, int64_t most, TickTally& tally) {
  EchoTicker ticker(servers.OpenEcho());
  absl::Status status = ticker.Open();
  return status.ok() ? TakeTurn(ticker, most, tally) : status;
}

absl::Status TakeControlTurn(const ServerPair& servers, int ahead, int64_t most, TickTally& tally,
                             StepGoal& reached) {
  Controller controller(servers.OpenTalus(), ahead);
  absl::Status status = controller.Open();
  if (status.ok()) status = TakeTurn(controller, most, tally);
  reached = controller.reached();
  return status;
}

}  // namespace

absl::StatusOr<ServiceRow> MeasureRealTimeSteps(const std::string& id, const std::string& transport,
                                                const ServerPair& servers, int ahead,
                                                const Effort& effort) {
  absl::Status status = CreateTenBalls(servers.OpenTalus(), kTickedScene);
  TickTally bare;
  TickTally controlled;
  StepGoal reached;
  const Clock::time_point start = Clock::now();
  while (status.ok() && (effort.count > 0 ? controlled.times.count() < effort.count
                                          : SecondsSince(start) < effort.seconds)) {
    status = TakeEchoTurn(servers, effort.count, bare);
    if (status.ok()) status = TakeControlTurn(servers, ahead, effort.count, controlled, reached);
  }
  if (status.ok()) status = CheckTenBalls(reached);
  if (!status.ok()) return status;
  ServiceRow row = MakeRow(id, "cpp", transport, controlled.times, bare.times);
  row.missed = controlled.missed;
  row.echo_missed = bare.missed;
  row.server_mib = servers.ReadTalusMib();
  return row;
}

}  // namespace talus::bench
