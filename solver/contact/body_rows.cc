#include "solver/contact/body_rows.h"

#include <algorithm>

#include "solver/base/slack.h"

namespace talus {

void NumberRows(const Strands& strands, std::span<const ContactInput> contacts,
                std::span<const double> inverse_masses, BodyRows& rows) {
  ResizeBuffer(rows.row, inverse_masses.size());
  std::ranges::fill(rows.row, kNoRow);
  ResizeBuffer(rows.body, inverse_masses.size());
  rows.strand_begin.assign(1, 0);
  uint32_t count = 0;
  const auto number = [&](uint32_t body) {
    if (rows.row[body] != kNoRow) return;
    rows.body[count] = body;
    rows.row[body] = count++;
  };
  for (size_t strand = 0; strand < strands.count(); ++strand) {
    for (const uint32_t i : strands.Get(strand)) {
      for (const uint32_t body : {contacts[i].body_a, contacts[i].body_b}) {
        if (inverse_masses[body] > 0.0) number(body);
      }
    }
    rows.strand_begin.push_back(count);
  }
  for (const ContactInput& contact : contacts) {
    number(contact.body_a);
    number(contact.body_b);
  }
  rows.body.resize(count);
}

}  // namespace talus
