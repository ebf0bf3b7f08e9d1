// Rays from the wire, checked, and what they hit back to it, as columns. Numbers pass bit for bit,
// but for directions, which are made unit.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "solver/rays/ray.h"
#include "talus/v1/query_service.pb.h"

namespace talus::wire {

// Valid, with unit directions. INVALID_ARGUMENT as of ValidateRays (solver/rays/validate_rays.h).
absl::StatusOr<RayQuery> DecodeRayQuery(const v1::CastRaysRequest& request);

void EncodeRayHits(const std::vector<RayHit>& hits, v1::RayHitColumns& message);

}  // namespace talus::wire
