#include "solver/contact/coloring.h"

#include <algorithm>
#include <bit>

#include "solver/base/slack.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

// One strand. Nobody else writes its dynamic bodies meanwhile.
class StrandColoring {
 public:
  StrandColoring(std::span<const ContactInput> contacts, std::span<const double> inverse_masses,
                 Coloring& coloring)
      : contacts_(contacts), inverse_masses_(inverse_masses), coloring_(coloring) {}

  void Color(std::span<const uint32_t> strand) {
    for (const uint32_t i : strand) {
      for (const uint32_t body : {contacts_[i].body_a, contacts_[i].body_b}) {
        if (IsDynamic(body)) coloring_.body_colors[body] = 0;
      }
    }
    for (const bool both : {false, true}) {
      for (const uint32_t i : strand) {
        if ((IsDynamic(contacts_[i].body_a) && IsDynamic(contacts_[i].body_b)) == both) {
          ColorOne(i);
        }
      }
    }
  }

 private:
  bool IsDynamic(uint32_t body) const { return inverse_masses_[body] > 0.0; }

  void ColorOne(uint32_t i) {
    uint64_t& used_a = coloring_.body_colors[contacts_[i].body_a];
    uint64_t& used_b = coloring_.body_colors[contacts_[i].body_b];
    const bool a_dynamic = IsDynamic(contacts_[i].body_a);
    const bool b_dynamic = IsDynamic(contacts_[i].body_b);
    const uint64_t used = (a_dynamic ? used_a : 0) | (b_dynamic ? used_b : 0);
    const auto color = std::min(static_cast<uint32_t>(std::countr_one(used)), kFullColors);
    if (color < kFullColors) {
      if (a_dynamic) used_a |= uint64_t{1} << color;
      if (b_dynamic) used_b |= uint64_t{1} << color;
    }
    coloring_.color[i] = static_cast<uint8_t>(color);
  }

  std::span<const ContactInput> contacts_;
  std::span<const double> inverse_masses_;
  Coloring& coloring_;
};

}  // namespace

void ColorContacts(WorkerArena& workers, const Strands& strands,
                   std::span<const ContactInput> contacts, std::span<const double> inverse_masses,
                   Coloring& coloring) {
  ResizeBuffer(coloring.body_colors, inverse_masses.size());
  ResizeBuffer(coloring.color, contacts.size());
  for (size_t phase = 0; phase + 1 < strands.phase_begin.size(); ++phase) {
    const size_t first = strands.phase_begin[phase];
    ParallelFor(workers, strands.phase_begin[phase + 1] - first, 1, [&](size_t k) {
      StrandColoring(contacts, inverse_masses, coloring).Color(strands.Get(first + k));
    });
  }
}

}  // namespace talus
