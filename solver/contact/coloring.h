// Colours of the contact graph of a strand: contacts of one colour share no dynamic body, so they
// may stand side by side in the lanes of a block.
//
// Greedy: first the contacts of one dynamic body, which then fill few colours, then the others, in
// the order of the strand each. Prescribed bodies do not constrain it. A body with more contacts
// than kFullColors sends the surplus to one last colour, whose contacts stand alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/strands.h"

namespace talus {

inline constexpr uint32_t kFullColors = 63;

struct Coloring {
  std::vector<uint8_t> color;         // contact -> colour within its strand; kFullColors: the last
  std::vector<uint64_t> body_colors;  // scratch: colours in use at each body
};

void ColorContacts(WorkerArena& workers, const Strands& strands,
                   std::span<const ContactInput> contacts, std::span<const double> inverse_masses,
                   Coloring& coloring);

}  // namespace talus
