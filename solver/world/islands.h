// The islands of a step: dynamic bodies that are connected by contacts or joints. Static and
// kinematic bodies connect nothing.
//
// An island is named by its smallest row, so its name does not depend on the order of the contacts.
// The memory is kept from step to step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/contact_input.h"
#include "solver/scene/body_def.h"
#include "solver/world/joint_links.h"

namespace talus {

class Islands {
 public:
  // One entry of `kinds` a body row.
  void Find(std::span<const BodyKind> kinds, std::span<const ContactInput> contacts,
            std::span<const JointLink> joints = {});

  // The smallest row of the island that the row is in; a body without contacts is its own.
  uint32_t of(size_t row) const { return first_rows_[row]; }

 private:
  uint32_t FindFirst(uint32_t row);
  void Join(std::span<const BodyKind> kinds, uint32_t row_a, uint32_t row_b);

  std::vector<uint32_t> first_rows_;  // while joining: a row of the same island, at most as large
};

}  // namespace talus
