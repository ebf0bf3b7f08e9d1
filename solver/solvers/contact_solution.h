// What the contacts of a problem carry, once it is solved.
//
// The impulses stay where the solver made them, in blocks; contacts are numbered in the caller's
// order. Contacts that were not solved, because their bodies sleep, may be added behind them with
// what they carried before.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/base/math.h"
#include "solver/contact/contact_block.h"
#include "solver/contact/contact_input.h"
#include "solver/contact/wrench.h"

namespace talus {

struct ContactSolution {
  std::vector<WrenchBlock> impulse_blocks;  // in the contact frame
  std::vector<uint32_t> slots;              // contact -> its block times kLanes, and lane
  std::vector<uint8_t> modes;               // bits: 1 closed, 2 sliding, 4 rolling, 8 spinning
  // In world axes, of the contacts that were not solved: their slots begin at `kept_begin`, one
  // after the other.
  std::vector<ContactImpulse> kept;
  uint32_t kept_begin = 0;

  // Of laws with flat sides: γ of the step before in the frames of this one, six a contact and then
  // six a joint; empty where the solve started cold.
  Eigen::VectorXd old_impulse;

  // In the contact frame.
  Wrench wrench(size_t contact) const {
    return impulse_blocks[slots[contact] / kLanes].Get(slots[contact] % kLanes);
  }
  // In world axes; `normal` is the contact's. What was kept comes out to the bit.
  ContactImpulse impulse(size_t contact, const Vec3& normal) const;
  // Adds a contact that was not solved: its slot.
  uint32_t Keep(const ContactImpulse& impulse, const Vec3& normal);
  void Clear();
};

}  // namespace talus
