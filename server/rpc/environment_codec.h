// The specs, actions and observations of the environment face between dm_env_rpc and the session.
//
// Actions are numbered from 1 in the order of the world. Observations have the numbers of the table
// in environment_codec.cc, of which a world has those that are not empty. The rows of bodies and
// joints are those of the moment the world was joined or reset; one that has gone since is NaN.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "dm_env_rpc/v1/dm_env_rpc.pb.h"
#include "server/runtime/environment_session.h"
#include "server/wire/tensor_codec.h"

namespace talus::rpc {

namespace env = ::dm_env_rpc::v1;

void EncodeSpecs(const EnvironmentWorld& world, env::ActionObservationSpecs& specs);

// Sorted by action. INVALID_ARGUMENT: no such action, or a tensor of another type, shape or range.
absl::StatusOr<std::vector<EnvironmentAct>> DecodeActs(const env::StepRequest& request,
                                                       const EnvironmentWorld& world);

// What a step is asked to tell: sorted, each once.
struct RequestedObservations {
  std::vector<uint64_t> uids;
  bool joints = false;  // whether one of them is of joints
};

// INVALID_ARGUMENT: no such observation.
absl::StatusOr<RequestedObservations> DecodeRequested(const env::StepRequest& request,
                                                      const EnvironmentWorld& world);

void EncodeMoment(const EnvironmentMoment& moment, const EnvironmentWorld& world,
                  const RequestedObservations& requested, env::StepResponse& response);

}  // namespace talus::rpc
