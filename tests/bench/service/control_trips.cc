#include "tests/bench/service/control_trips.h"

#include <array>
#include <utility>
#include <vector>

#include "solver/parallel/worker_arena.h"
#include "solver/world/world.h"
#include "talus/v1/simulation_service.grpc.pb.h"
#include "tests/bench/service/bench_scene.h"
#include "tests/bench/service/lock_step.h"
#include "tests/bench/service/step_trips.h"

namespace talus::bench {
namespace {

constexpr uint64_t kTopBall = 11;  // the ground and nine balls come before it

// What acts on the top ball in the step after `step_index`, N and N m.
std::array<double, 6> FindLoad(int64_t step_index) {
  return {0.0, 0.0, -0.1 * static_cast<double>(1 + step_index % 7), 0.0, 0.0, 0.0};
}

absl::Status CheckDrivenBalls(const StepGoal& reached) {
  absl::StatusOr<World> world = MakeWorld(DescribeTenBalls());
  if (!world.ok()) return world.status();
  ActuatorDef top;
  top.kind = ActuatorKind::kBodyWrench;
  top.id = kTopBall;
  const absl::StatusOr<ActuatorTargets> targets = world->FindActuators(std::vector{top});
  if (!targets.ok()) return targets.status();
  WorkerArena worker(1);
  while (world->step_index() < reached.step_index) {
    absl::Status status = world->Actuate(*targets, FindLoad(world->step_index()));
    if (status.ok()) status = world->Step(worker).status();
    if (!status.ok()) return status;
  }
  if (world->state_hash() == reached.state_hash) return absl::OkStatus();
  return absl::InternalError("the driven scene's state hash is not the library's after " +
                             std::to_string(reached.step_index) + " steps");
}

class ControlStepTrip final : public LockStep<v1::ControlRequest, v1::ControlResponse> {
 public:
  ControlStepTrip(v1::SimulationService::Stub& stub, const std::string& name,
                  const v1::FrameSelection& selection, bool driven)
      : LockStep([&](grpc::ClientContext* context) { return stub.Control(context); }),
        driven_(driven) {
    v1::ControlOpen& open = *request_.mutable_open();
    open.set_scene("scenes/" + name);
    *open.mutable_selection() = selection;
    if (!driven_) return;
    v1::Actuator& top = *open.add_actuators();
    top.set_kind(v1::ACTUATOR_KIND_BODY_WRENCH);
    top.set_id(kTopBall);
  }

  // Before the first trip.
  absl::Status Open() {
    absl::Status opened = Make();
    request_.mutable_step();
    return opened;
  }
  absl::Status Check() override {
    return driven_ ? CheckDrivenBalls(reached_) : CheckTenBalls(reached_);
  }

 private:
  const v1::ControlRequest& NextRequest() override {
    if (!driven_ || !request_.has_step()) return request_;
    const std::array<double, 6> load = FindLoad(reached_.step_index);
    request_.mutable_step()->mutable_values()->Assign(load.begin(), load.end());
    return request_;
  }
  absl::Status Take(const v1::ControlResponse& response) override {
    if (response.has_opened()) return absl::OkStatus();
    if (response.has_error()) return absl::InternalError(response.error().message());
    const v1::Frame& frame = response.stepped().frame();
    if (frame.step_index() != reached_.step_index + 1) {
      return absl::InternalError("Control went from " + std::to_string(reached_.step_index) +
                                 " to " + std::to_string(frame.step_index()));
    }
    reached_ = {frame.step_index(), frame.state_hash()};
    return absl::OkStatus();
  }

  const bool driven_;
  v1::ControlRequest request_;
  StepGoal reached_;
};

absl::StatusOr<std::unique_ptr<RoundTrip>> MakeTrip(const std::shared_ptr<grpc::Channel>& channel,
                                                    const std::string& name,
                                                    const v1::FrameSelection& selection,
                                                    bool driven) {
  absl::Status created = CreateTenBalls(channel, name);
  if (!created.ok()) return created;
  const auto stub = v1::SimulationService::NewStub(channel);
  auto trip = std::make_unique<ControlStepTrip>(*stub, name, selection, driven);
  absl::Status opened = trip->Open();
  if (!opened.ok()) return opened;
  return std::unique_ptr<RoundTrip>(std::move(trip));
}

}  // namespace

absl::StatusOr<std::unique_ptr<RoundTrip>> MakeControlStep(
    const std::shared_ptr<grpc::Channel>& channel, const std::string& name,
    const v1::FrameSelection& selection) {
  return MakeTrip(channel, name, selection, false);
}

absl::StatusOr<std::unique_ptr<RoundTrip>> MakeDrivenControlStep(
    const std::shared_ptr<grpc::Channel>& channel, const std::string& name,
    const v1::FrameSelection& selection) {
  return MakeTrip(channel, name, selection, true);
}

}  // namespace talus::bench
