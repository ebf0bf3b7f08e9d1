// What rays must be before they are cast: few enough, finite, with a direction. Beyond these bounds
// formulas could overflow, and a query could hold a scene up for longer than a step takes.
#pragma once

#include "absl/status/status.h"
#include "solver/rays/ray.h"

namespace talus {

// Makes directions of any length unit. INVALID_ARGUMENT names the field as a request has it:
// `size(rays)` and `size(ignored_body_ids)` beyond kMaxRays, no rays, `rays[3].origin_world_m.x`
// beyond the bound of positions (base/limits.h), `rays[3].direction_world` that is 0 or not finite,
// `rays[3].max_distance_m` that is not > 0.
absl::Status ValidateRays(RayQuery& query);

// The same of the lists' lengths, before they are read.
absl::Status CheckRayCounts(size_t ray_count, size_t ignored_count);

}  // namespace talus
