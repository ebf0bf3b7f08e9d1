// The surface between the loads under which the ball in a trough rolls on at both walls and those
// under which it starts to slip [AS Fig. 11]: a closed triangle mesh in the space of m_x, m_y, m_z
// (no unit), each triangle with the transition that happens across it.
//
// It is made slice by slice from the closed form, with slices at every height where a face begins
// or ends, so that the faces' edges are edges of the mesh. All vertices lie on the surface; every
// edge belongs to two triangles, which are turned counter-clockwise as seen from outside.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "solver/analysis/trough_ball.h"
#include "solver/base/math.h"

namespace talus {

// What happens across the surface, at contacts[0], then at contacts[1].
enum class RollingExit : uint8_t {
  kNone = 0,  // the body rolls on there too: no further was looked
  kRollSlip = 1,
  kSlipRoll = 2,
  kSlipSlip = 3,
  kOpening = 4  // no motion keeps both contacts closed
};

struct RealizabilityMesh {
  struct Triangle {
    std::array<uint32_t, 3> vertices;
    RollingExit exit;
  };
  std::vector<Vec3> vertices;  // loads m
  std::vector<Triangle> triangles;
};

// `cells`: 1 to 256, of each face's side. Of `ball` only μ and j matter. INVALID_ARGUMENT: the ball
// as ValidateTroughBall, or the cells.
absl::StatusOr<RealizabilityMesh> MeshRealizability(const TroughBall& ball, TroughBody body,
                                                    int cells);

// Wavefront OBJ: `v x y z` lines, then one group `g none`, `g RS`, `g SR`, `g SS`, `g opening` a
// kind of face that there is, with its `f a b c` lines, counted from 1. Numbers read back to the
// same bits.
std::string EncodeObj(const RealizabilityMesh& mesh);

}  // namespace talus
