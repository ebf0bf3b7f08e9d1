#include "solver/contact/coloring.h"

#include <algorithm>
#include <bit>

#include "solver/base/slack.h"

namespace talus {

void ColorContacts(std::span<const ContactInput> contacts, std::span<const double> inverse_masses,
                   Coloring& coloring) {
  coloring.body_colors.assign(inverse_masses.size(), 0);
  ResizeBuffer(coloring.color, contacts.size());
  for (size_t i = 0; i < contacts.size(); ++i) {
    const uint32_t a = contacts[i].body_a;
    const uint32_t b = contacts[i].body_b;
    const bool a_dynamic = inverse_masses[a] > 0.0;
    const bool b_dynamic = inverse_masses[b] > 0.0;
    const uint64_t used =
        (a_dynamic ? coloring.body_colors[a] : 0) | (b_dynamic ? coloring.body_colors[b] : 0);
    const auto color = std::min(static_cast<uint32_t>(std::countr_one(used)), kParallelColors);
    if (color < kParallelColors) {
      if (a_dynamic) coloring.body_colors[a] |= uint64_t{1} << color;
      if (b_dynamic) coloring.body_colors[b] |= uint64_t{1} << color;
    }
    coloring.color[i] = static_cast<uint8_t>(color);
  }
}

}  // namespace talus
