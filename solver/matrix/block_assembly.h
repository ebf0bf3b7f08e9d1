// Matrices from blocks that act on bodies: what contacts and joints have in common once their laws
// are taken apart.
//
// Velocities beneath W: six for each dynamic body that stands in the list, (ẋ, ω) in world axes;
// what prescribed bodies do is in w.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "solver/matrix/matrix_problem.h"

namespace talus {

inline constexpr uint32_t kNoBody = std::numeric_limits<uint32_t>::max();

// One block: u = Σ_sides directionᵀ v + E γ + offset.
struct ActingBlock {
  BlockLaw law;
  std::array<uint32_t, 2> bodies = {kNoBody, kNoBody};  // places in the list of bodies
  // D of each side: what the impulse gives the body, (linear, angular) in world axes.
  std::array<Matrix6, 2> directions = {Matrix6::Zero(), Matrix6::Zero()};
  Wrench offset = Wrench::Zero();      // m/s, rad/s
  Wrench compliance = Wrench::Zero();  // the diagonal of E
};

struct ActedBody {
  Matrix6 inverse_mass = Matrix6::Zero();  // zero where the velocity is prescribed
  Wrench velocity = Wrench::Zero();        // without impulses

  bool dynamic() const { return inverse_mass(0, 0) > 0.0; }
};

MatrixProblem AssembleMatrices(std::span<const ActingBlock> blocks,
                               std::span<const ActedBody> bodies);

}  // namespace talus
