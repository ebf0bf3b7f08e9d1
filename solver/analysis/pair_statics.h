// Forces within both friction cones that hold both contact points rolling: a line of them, cut to
// what the cones admit.
#pragma once

#include "solver/analysis/pair_dynamics.h"

namespace talus {

// Of the friction that rolling asks for, as a part that is rounding: a point without friction may
// roll where it needs none.
inline constexpr double kFrictionTolerance = 1e-12;

struct PairStatics {
  bool possible = false;
  PairRows forces = PairRows::Zero();  // the smallest admitted ones
  // What of PairDynamics::line_force may be added to the smallest forces without cones, N.
  double least_line_force_n = 0.0;
  double largest_line_force_n = 0.0;
};

// Forces larger than 10⁶ times the smallest ones without cones count as infinite.
PairStatics FindPairStatics(const PairDynamics& pair);

}  // namespace talus
