#include "solver/contact/layout_key.h"

#include <algorithm>

#include "solver/base/slack.h"
#include "solver/contact/strands.h"

namespace talus {

bool LayoutKey::Matches(std::span<const ContactInput> contacts, size_t body_count,
                        const ContactKinds& kinds) {
  if (contacts.size() > kOneStrandContacts) {
    bodies_.clear();
    return false;
  }
  const auto bodies_of = [](const ContactInput& contact) {
    return Bodies{contact.body_a, contact.body_b};
  };
  if (!contacts.empty() && body_count_ == body_count && kinds_ == kinds &&
      std::ranges::equal(contacts, bodies_, {}, bodies_of)) {
    return true;
  }
  body_count_ = body_count;
  ResizeBuffer(bodies_, contacts.size());
  std::ranges::transform(contacts, bodies_.begin(), bodies_of);
  kinds_ = kinds;
  return false;
}

}  // namespace talus
