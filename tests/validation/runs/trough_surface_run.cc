// [AS] Fig. 11: the surface between the loads under which a solid ball in a trough (j = 2/5) rolls
// on and those under which it starts to slip, as triangles.
#include "solver/analysis/realizability_mesh.h"
#include "solver/analysis/trough_ball.h"
#include "solver/base/status.h"
#include "tests/validation/runs/runs.h"

namespace talus::validation {

absl::Status RunTroughSurface(RunParameters& parameters, WorkerArena& /*workers*/,
                              RunSheet& sheet) {
  TroughBall ball;
  TALUS_ASSIGN_OR_RETURN(ball.sliding_friction, parameters.Number("sliding", 0.3, 0.001, 0.999));
  TALUS_ASSIGN_OR_RETURN(const int64_t cells, parameters.Count("cells", 12, 1, 256));
  TALUS_ASSIGN_OR_RETURN(const int64_t all_faces, parameters.Count("all_faces", 0, 0, 1));
  TALUS_RETURN_IF_ERROR(parameters.CheckAllUsed());
  const TroughBody body = all_faces == 1 ? TroughBody::kAllFaces : TroughBody::kLimitDirections;
  TALUS_ASSIGN_OR_RETURN(const RealizabilityMesh mesh,
                         MeshRealizability(ball, body, static_cast<int>(cells)));
  constexpr const char* kLoads[] = {"m_x", "m_y", "m_z"};
  constexpr const char* kCorners[] = {"corner_a", "corner_b", "corner_c"};
  for (const Vec3& load : mesh.vertices) {
    for (int axis = 0; axis < 3; ++axis) sheet.columns[kLoads[axis]].push_back(load[axis]);
  }
  for (const RealizabilityMesh::Triangle& triangle : mesh.triangles) {
    for (int corner = 0; corner < 3; ++corner) {
      sheet.columns[kCorners[corner]].push_back(triangle.vertices[corner]);
    }
    // 1, 2, 3: RS, SR, SS, what happens beyond.
    sheet.columns["exit"].push_back(static_cast<double>(triangle.exit));
  }
  sheet.values["inertia_ratio"] = ball.inertia_ratio;
  sheet.values["gravity_m_s2"] = ball.gravity_m_s2;
  sheet.HashColumns();
  return absl::OkStatus();
}

}  // namespace talus::validation
