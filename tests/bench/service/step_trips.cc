#include "tests/bench/service/step_trips.h"

#include <grpcpp/client_context.h>

#include <algorithm>
#include <chrono>
#include <semaphore>
#include <thread>
#include <utility>

#include "server/runtime/clock.h"
#include "server/runtime/core_budget.h"
#include "server/runtime/executor.h"
#include "server/runtime/scene_actor.h"
#include "solver/parallel/worker_arena.h"
#include "solver/world/world.h"
#include "talus/v1/scene_service.grpc.pb.h"
#include "talus/v1/simulation_service.grpc.pb.h"
#include "tests/bench/service/bench_scene.h"

namespace talus::bench {
namespace {

absl::Status Explain(const char* what, const grpc::Status& status) {
  return absl::UnavailableError(std::string(what) + ": " + status.error_message());
}

class StepUnaryTrip final : public RoundTrip {
 public:
  StepUnaryTrip(const std::shared_ptr<grpc::Channel>& channel, const std::string& name,
                const v1::FrameSelection& selection)
      : stub_(v1::SimulationService::NewStub(channel)) {
    request_.set_scene("scenes/" + name);
    *request_.mutable_selection() = selection;
  }

  absl::Status Make() override {
    grpc::ClientContext context;
    const grpc::Status status = stub_->Step(&context, request_, &response_);
    if (!status.ok()) return Explain("Step", status);
    if (response_.frame().step_index() == reached_.step_index + 1) {
      reached_ = {response_.frame().step_index(), response_.frame().state_hash()};
      return absl::OkStatus();
    }
    return absl::InternalError("Step went from " + std::to_string(reached_.step_index) + " to " +
                               std::to_string(response_.frame().step_index()));
  }
  absl::Status Check() override { return CheckTenBalls(reached_); }

 private:
  const std::unique_ptr<v1::SimulationService::Stub> stub_;
  v1::StepRequest request_;
  v1::StepResponse response_;
  StepGoal reached_;
};

class LibraryStep final : public RoundTrip {
 public:
  explicit LibraryStep(World world) : world_(std::move(world)) {}

  absl::Status Make() override { return world_.Step(worker_).status(); }
  absl::Status Check() override {
    return CheckTenBalls({world_.step_index(), world_.state_hash()});
  }

 private:
  World world_;
  WorkerArena worker_{1};
};

class RingStep final : public RoundTrip {
 public:
  explicit RingStep(World world)
      : cores_(std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
        budget_(cores_, cores_),
        executor_(cores_),
        scene_(SceneActor::Make("ten", std::move(world),
                                {executor_, budget_, clock_, limits_, kQuantum})) {}

  absl::Status Make() override {
    absl::StatusOr<StepAnswer> answer = absl::UnavailableError("not answered");
    std::binary_semaphore answered(0);
    scene_->Step({}, nullptr, [&](absl::StatusOr<StepAnswer> given) {
      answer = std::move(given);
      answered.release();
    });
    answered.acquire();
    if (!answer.ok()) return answer.status();
    reached_ = {answer->frame->step_index, answer->frame->state_hash};
    return absl::OkStatus();
  }
  absl::Status Check() override { return CheckTenBalls(reached_); }

 private:
  static constexpr std::chrono::microseconds kQuantum{5000};

  const int cores_;
  const Limits limits_;
  CoreBudget budget_;
  SystemClock clock_;
  Executor executor_;
  const std::shared_ptr<SceneActor> scene_;  // goes before what it runs on
  StepGoal reached_;
};

}  // namespace

absl::Status CheckTenBalls(const StepGoal& reached) {
  const absl::StatusOr<uint64_t> hash = FindHash(DescribeTenBalls(), reached.step_index);
  if (!hash.ok()) return hash.status();
  if (*hash == reached.state_hash) return absl::OkStatus();
  return absl::InternalError("after " + std::to_string(reached.step_index) +
                             " steps the state hash is " + std::to_string(reached.state_hash) +
                             ", the library's " + std::to_string(*hash));
}

absl::Status CreateTenBalls(const std::shared_ptr<grpc::Channel>& channel,
                            const std::string& name) {
  v1::CreateSceneRequest request;
  request.set_scene_id(name);
  *request.mutable_spec() = DescribeTenBalls();
  v1::CreateSceneResponse response;
  grpc::ClientContext context;
  const grpc::Status status =
      v1::SceneService::NewStub(channel)->CreateScene(&context, request, &response);
  return status.ok() ? absl::OkStatus() : Explain("CreateScene", status);
}

absl::StatusOr<std::unique_ptr<RoundTrip>> MakeStepUnary(
    const std::shared_ptr<grpc::Channel>& channel, const std::string& name,
    const v1::FrameSelection& selection) {
  absl::Status created = CreateTenBalls(channel, name);
  if (!created.ok()) return created;
  return std::unique_ptr<RoundTrip>(std::make_unique<StepUnaryTrip>(channel, name, selection));
}

absl::StatusOr<std::unique_ptr<RoundTrip>> MakeLibraryStep() {
  absl::StatusOr<World> world = MakeWorld(DescribeTenBalls());
  if (!world.ok()) return world.status();
  return std::unique_ptr<RoundTrip>(std::make_unique<LibraryStep>(*std::move(world)));
}

absl::StatusOr<std::unique_ptr<RoundTrip>> MakeRingStep() {
  absl::StatusOr<World> world = MakeWorld(DescribeTenBalls());
  if (!world.ok()) return world.status();
  return std::unique_ptr<RoundTrip>(std::make_unique<RingStep>(*std::move(world)));
}

}  // namespace talus::bench
