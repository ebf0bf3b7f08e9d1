// The limit directions of slipping at both contacts: angles φ₀, φ₁ for which slip accelerations are
// parallel to slip velocities.
//
// Rigidity ties the two slip velocities by c₀ u₀ sin φ₀ = c₁ u₁ sin φ₁ (their lengths are u₀, u₁),
// so that the sines have one sign: two squares of angles, (0, π)² and (−π, 0)², are all directions
// [AS]. On each the two equations u̇₁ sin φ − u̇₂ cos φ = 0 are looked at on 160 × 160 cells; a
// Newton iteration starts in every cell where neither keeps its sign by more than it varies within
// the cell. Roots with a normal force ≤ 0 are left out.
#pragma once

#include <vector>

#include "solver/analysis/pair_dynamics.h"
#include "solver/analysis/rolling_transition.h"

namespace talus {

struct LimitDirectionSearch {
  std::vector<LimitDirection> directions;  // fastest growth first
  bool normal_forces_unique = true;        // at every corner of a cell
};

// A growth R within LeastGrowth of zero is neither repelling nor attracting: this part of what
// load and friction can make slip velocities grow by.
inline constexpr double kMinGrowth = 1e-9;
double LeastGrowth(const PairDynamics& pair);

LimitDirectionSearch FindLimitDirections(const PairDynamics& pair);

}  // namespace talus
