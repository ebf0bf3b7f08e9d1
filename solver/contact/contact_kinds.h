// What each contact is, for its place in a layout: the geometry its kernel may count on, which of
// its bodies move, how many steps a sweep takes there; and whether it begins open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/contact_input.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

struct ContactKinds {
  std::vector<uint8_t> codes;  // by contact: its BlockKind (block_layout.h)
  std::vector<uint8_t> open;   // not 0: carries nothing at first

  bool operator==(const ContactKinds&) const = default;
};

// Local steps: of central contacts 4 where only one body moves, 2 where the rows couple strongly
// (the largest row sum of the scaled block exceeds 1.5); else 1. Contacts with the ground are few
// in a heap and one step leaves most there, sliding and rolling being coupled with 0.845 in the
// metric; between bodies a second step pays only where the rows couple strongly (docs/TRIED.md).
// Where the normal row couples too, as at the corners of a box, the first of several corners would
// take the load of all before the others are asked.
void FindKinds(WorkerArena& workers, const DynamicsView& bodies,
               std::span<const ContactInput> contacts, const WarmStart& warm, ContactKinds& kinds);

// Whether no body has an inertia that is not a multiple of the identity.
bool AreAllRound(const DynamicsView& bodies);
// Of a dynamic body that is round, 1/(kg m²); of any other the first entry of its tensor.
double RoundInverseInertia(const DynamicsView& bodies, size_t body);

}  // namespace talus
