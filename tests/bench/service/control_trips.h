// Round trips over Control that step a scene of ten balls, one step a request, with nothing new in
// it or with a load that is another in every step.
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "talus/v1/frame.pb.h"
#include "tests/bench/service/round_trip.h"

namespace talus::bench {

// The scene `name` is made first and must be new; the answers hold the parts of `selection`.
absl::StatusOr<std::unique_ptr<RoundTrip>> MakeControlStep(
    const std::shared_ptr<grpc::Channel>& channel, const std::string& name,
    const v1::FrameSelection& selection);
// The same with a force on the topmost ball, set anew by each request.
absl::StatusOr<std::unique_ptr<RoundTrip>> MakeDrivenControlStep(
    const std::shared_ptr<grpc::Channel>& channel, const std::string& name,
    const v1::FrameSelection& selection);

}  // namespace talus::bench
