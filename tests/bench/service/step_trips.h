// Round trips that step a scene of ten balls: through the service, through its middle ring, and in
// the library alone. Each trip is one step, and answers with the index and the hash of the state it
// led to.
#pragma once

#include <grpcpp/channel.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "talus/v1/frame.pb.h"
#include "tests/bench/service/round_trip.h"

namespace talus::bench {

// How far a scene of ten balls has come; the hash must be the library's.
struct StepGoal {
  int64_t step_index = 0;
  uint64_t state_hash = 0;
};

// INTERNAL unless the library reaches the same hash in as many steps.
absl::Status CheckTenBalls(const StepGoal& reached);

// Makes the scene `name` of ten balls.
absl::Status CreateTenBalls(const std::shared_ptr<grpc::Channel>& channel, const std::string& name);

// SimulationService.Step of one step; the answer holds the parts of `selection`. The scene is made
// first and must be new.
absl::StatusOr<std::unique_ptr<RoundTrip>> MakeStepUnary(
    const std::shared_ptr<grpc::Channel>& channel, const std::string& name,
    const v1::FrameSelection& selection);

// World::Step in this process on one thread: no server.
absl::StatusOr<std::unique_ptr<RoundTrip>> MakeLibraryStep();
// A scene actor in this process, on as many executor threads as there are cores, asked and waited
// for by this thread: the middle ring without gRPC.
absl::StatusOr<std::unique_ptr<RoundTrip>> MakeRingStep();

}  // namespace talus::bench
