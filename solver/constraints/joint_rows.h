// The six rows of one joint in one step, along the axes of the joint frame as it stands at the
// step's start: three translations, three rotations.
//
//   u = Σ_sides directionᵀ v + bias,   u + E γ = 0 where lower < γ < upper, ≥ 0 at lower, ≤ 0 at
//   upper
//
// γ is the impulse on body B (N s, N m s), v = (ẋ, ω) in world axes. What the kinds of rows put
// into them stands in the files beside this one. Does not know who solves them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "solver/contact/wrench.h"

namespace talus {

inline constexpr uint32_t kWorldRow = std::numeric_limits<uint32_t>::max();

struct JointRows {
  std::array<uint32_t, 2> bodies = {kWorldRow, kWorldRow};  // rows of A and B; the world has none
  // What an impulse along each row gives the body, (linear, angular). Columns of free axes are
  // zero.
  std::array<Eigen::Matrix<double, 6, 6>, 2> directions;
  Wrench bias = Wrench::Zero();        // m/s, rad/s
  Wrench lower = Wrench::Zero();       // N s, N m s
  Wrench upper = Wrench::Zero();       // N s, N m s
  Wrench compliance = Wrench::Zero();  // E, m/s/(N s), rad/s/(N m s)
};

// What one row is made from and into.
struct JointRow {
  double bias = 0.0;
  double lower = 0.0;
  double upper = 0.0;
  double compliance = 0.0;
};

}  // namespace talus
