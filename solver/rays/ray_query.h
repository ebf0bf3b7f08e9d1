// What rays hit first among the bodies of a scene.
//
// Planes are looked at one by one for every ray, other shapes through a tree of their bounds that
// is made for the call: n shapes and r rays take about n log r + r log n steps where bodies do not
// all overlap (10 000 rays into 100 000 balls 0.1 s), up to r n where they do. The answer is a
// function of bodies and rays alone, and nothing is changed.
#pragma once

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "solver/rays/ray.h"
#include "solver/state/body_store.h"

namespace talus {

// `query` is valid (rays/validate_rays.h). One hit a ray, in their order: the nearest; of several
// at one distance, to the last bit, that of the lowest body id and then of the lowest shape.
// NOT_FOUND names the first body to ignore that is not there. `stop`, where given, is asked now and
// then: CANCELLED.
absl::StatusOr<std::vector<RayHit>> CastRays(const BodyStore& bodies, const RayQuery& query,
                                             const std::function<bool()>& stop = {});

}  // namespace talus
