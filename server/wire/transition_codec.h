// The analysis of two contact points between the wire and the solver's structs.
#pragma once

#include <array>

#include "absl/status/statusor.h"
#include "solver/analysis/realizability_mesh.h"
#include "solver/analysis/rolling_load_mesh.h"
#include "solver/analysis/rolling_transition.h"
#include "solver/analysis/two_point_body.h"
#include "talus/v1/analysis_service.pb.h"

namespace talus::wire {

// INVALID_ARGUMENT where lists have another length; whether the body makes sense is the solver's to
// say, whose fields have the same names.
absl::StatusOr<TwoPointBody> DecodeTwoPointBody(const v1::AnalyzeRollingTransitionRequest& request);
void EncodeTransition(const RollingTransition& transition,
                      v1::AnalyzeRollingTransitionResponse& response);

// What MeshRollingLoads takes beside the body.
struct LoadSpace {
  std::array<LoadAxis, 3> axes;
  LoadMeshSettings settings;
};

// As DecodeTwoPointBody.
absl::StatusOr<LoadSpace> DecodeLoadSpace(const v1::MeshRollingLoadsRequest& request);
void EncodeMesh(const RealizabilityMesh& mesh, v1::MeshRollingLoadsResponse& response);

// What MeshRealizability takes.
struct TroughSurface {
  TroughBall ball;
  TroughBody body = TroughBody::kLimitDirections;
  int cells = 16;
};

// INVALID_ARGUMENT: an unknown body, or more cells than fit into an answer; the rest is the
// solver's to say.
absl::StatusOr<TroughSurface> DecodeTroughSurface(const v1::MeshTroughSurfaceRequest& request);
void EncodeMesh(const RealizabilityMesh& mesh, v1::MeshTroughSurfaceResponse& response);

}  // namespace talus::wire
