// What a block of six rows obeys: the law of a contact, or bounds row by row.
//
// Rows are those of a Wrench (contact/wrench.h). A contact's impulses stand in the cone of its
// coefficients and pair with velocities as the ContactLaw says (contact/residual.h). A block of
// bounds: lower ≤ γ ≤ upper, and in each row u ≥ 0 where γ is at its lower bound, u ≤ 0 at its
// upper, u = 0 between them. Bilateral rows have bounds of ∓∞, limits 0 and ∞, seals and motors
// ∓ h F; a row of no meaning has both 0.
#pragma once

#include <cstdint>
#include <limits>

#include "solver/contact/wrench.h"
#include "solver/matrix/friction_cone.h"

namespace talus {

inline constexpr double kNoBound = std::numeric_limits<double>::infinity();  // beside its negative

enum class BlockLawKind : uint8_t { kContact = 0, kBounds = 1 };

struct BlockLaw {
  BlockLawKind kind = BlockLawKind::kContact;
  FrictionCone cone;              // of a contact
  Wrench lower = Wrench::Zero();  // of bounds: N s and N m s
  Wrench upper = Wrench::Zero();
};

}  // namespace talus
