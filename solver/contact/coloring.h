// Colours of the contact graph: contacts of one colour share no dynamic body, so a sweep may treat
// them at once.
//
// Greedy in the order given, so the result depends on that order alone. Prescribed bodies do not
// constrain it. A body with more contacts than kParallelColors sends the surplus to one last colour
// that is swept in order on one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/contact_input.h"

namespace talus {

inline constexpr uint32_t kParallelColors = 63;

struct Coloring {
  std::vector<uint8_t> color;         // contact -> colour; kParallelColors: the serial one
  std::vector<uint64_t> body_colors;  // scratch: colours in use at each body
};

void ColorContacts(std::span<const ContactInput> contacts, std::span<const double> inverse_masses,
                   Coloring& coloring);

}  // namespace talus
