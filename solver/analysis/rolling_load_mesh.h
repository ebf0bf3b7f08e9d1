// The surface between the loads under which a body rolls on at both its contact points and those
// under which it does not, for any body [AS §6, where it is drawn for the ball in a trough]: a
// closed triangle mesh in the space of three loads.
//
// It is found along rays from the load that the body is given with, under which it must roll on: on
// each a load at which AnalyzeRollingTransition begins to say otherwise, within a part of 10⁻⁸ of
// its distance. Where rolling ends and goes on again along a ray, one of its ends is found. Edges
// between faces are not edges of the mesh, as they are where there is a closed form
// (realizability_mesh.h).
//
// The result depends on the input alone. A vertex takes some twenty analyses, 1 to 9 ms each, a
// triangle one or two.
#pragma once

#include <array>
#include <functional>

#include "absl/status/statusor.h"
#include "solver/analysis/realizability_mesh.h"
#include "solver/analysis/two_point_body.h"
#include "solver/base/math.h"

namespace talus {

// What one coordinate of 1 adds to the load on the body.
struct LoadAxis {
  Vec3 force_world_n = Vec3::Zero();
  Vec3 torque_world_n_m = Vec3::Zero();  // about the centre of mass
};

struct LoadMeshSettings {
  // The largest |(x, y, z)| of a vertex, in coordinates, > 0; beyond it, up to four times as far,
  // it is looked only what happens across a triangle. Loads there must be within kMaxLoad.
  double reach = 1.0;
  int cells = 8;                    // 1 to 32: 4 cells² + 2 rays, 8 cells² triangles
  std::function<bool()> stop = {};  // asked before every analysis; true ends it
};

// Vertices are coordinates (x, y, z): the load is that of `body` and x axes[0] + y axes[1] +
// z axes[2]. INVALID_ARGUMENT: as AnalyzeRollingTransition, of `body.`; axes of which one is a
// combination of the others; a body that does not roll on under the load it is given with; settings
// out of range. CANCELLED: stopped.
absl::StatusOr<RealizabilityMesh> MeshRollingLoads(const TwoPointBody& body,
                                                   const std::array<LoadAxis, 3>& axes,
                                                   const LoadMeshSettings& settings);

}  // namespace talus
