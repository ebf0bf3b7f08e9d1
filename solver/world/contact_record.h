// One contact of the last step as a user sees it: where, between whom, with what wrench and in
// which mode.
#pragma once

#include <cstdint>

#include "solver/base/math.h"

namespace talus {

// Bits; see CONTACT_MODE_BITS in the wire schema.
inline constexpr uint32_t kContactClosed = 1;
inline constexpr uint32_t kContactSliding = 2;
inline constexpr uint32_t kContactRolling = 4;
inline constexpr uint32_t kContactSpinning = 8;

struct ContactRecord {
  uint32_t body_a_row = 0;
  uint32_t body_b_row = 0;
  uint32_t shape_a = 0;  // index of the shape on its body, containers expanded
  uint32_t shape_b = 0;
  uint32_t feature = 0;  // persistent key within the shape pair
  uint32_t mode = 0;
  Vec3 point_world;       // metres
  Vec3 normal_world;      // unit, from a to b
  double gap_m = 0.0;     // at the start of the step, < 0 when overlapping
  Vec3 force_world_n;     // on body b
  Vec3 torque_world_n_m;  // on body b about the contact point
  // The same wrench in the contact frame (n, u, w): f_n, f_u, f_w in N; about n, u, w in N m.
  double wrench_contact[6] = {};
};

}  // namespace talus
