#include "solver/rays/validate_rays.h"

#include <cstdint>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"

namespace talus {
namespace {

absl::Status ValidateRay(const FieldPath& path, Ray& ray) {
  TALUS_RETURN_IF_ERROR(
      CheckMagnitude(FieldPath(path, "origin_world_m"), ray.origin, kMaxPositionM));
  TALUS_RETURN_IF_ERROR(NormalizeDirection(FieldPath(path, "direction_world"), ray.direction));
  if (ray.reach_m > 0.0) return absl::OkStatus();
  return FieldError(FieldPath(path, "max_distance_m").ToString(), FormatValue(ray.reach_m),
                    "must be > 0");
}

}  // namespace

absl::Status CheckRayCounts(size_t ray_count, size_t ignored_count) {
  TALUS_RETURN_IF_ERROR(CheckRange(FieldPath("size(rays)"), static_cast<int64_t>(ray_count), 1,
                                   static_cast<int64_t>(kMaxRays)));
  return CheckRange(FieldPath("size(ignored_body_ids)"), static_cast<int64_t>(ignored_count), 0,
                    static_cast<int64_t>(kMaxRays));
}

absl::Status ValidateRays(RayQuery& query) {
  TALUS_RETURN_IF_ERROR(CheckRayCounts(query.rays.size(), query.ignored.size()));
  for (size_t index = 0; index < query.rays.size(); ++index) {
    TALUS_RETURN_IF_ERROR(ValidateRay(FieldPath("rays", index), query.rays[index]));
  }
  return absl::OkStatus();
}

}  // namespace talus
