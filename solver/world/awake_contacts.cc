#include "solver/world/awake_contacts.h"

#include "solver/base/slack.h"
#include "solver/world/contact_record.h"

namespace talus {

void AwakeContacts::Take(const ContactSet& set, const WarmStart& warm, const Sleepers& sleepers) {
  places_.clear();
  contacts_.clear();
  kept_rows_.clear();
  asleep_.clear();
  for (size_t place = 0; place < set.contacts.size(); ++place) {
    const ContactInput& contact = set.contacts[place];
    const uint32_t row = warm.entries[place];
    // The dynamic bodies of a contact are in one island: both sleep or neither.
    if (!sleepers.asleep(contact.body_a) && !sleepers.asleep(contact.body_b)) {
      places_.push_back(static_cast<uint32_t>(place));
      contacts_.push_back(contact);
      kept_rows_.push_back(row);
    } else if (row == kNotKept) {
      asleep_.emplace_back();
    } else {
      asleep_.push_back({warm.impulses[row].linear, warm.impulses[row].angular});
    }
  }
}

void AwakeContacts::PutBack(ContactSet& set) {
  ContactSolution& all = set.solution;
  all.Clear();
  all.impulse_blocks.swap(solution_.impulse_blocks);
  ResizeBuffer(all.slots, set.contacts.size());
  ResizeBuffer(all.modes, set.contacts.size());
  size_t awake = 0;
  for (size_t place = 0; place < set.contacts.size(); ++place) {
    if (awake < places_.size() && places_[awake] == place) {
      all.slots[place] = solution_.slots[awake];
      all.modes[place] = solution_.modes[awake];
      ++awake;
      continue;
    }
    const ContactImpulse& impulse = asleep_[place - awake];
    all.slots[place] = all.Keep(impulse, set.contacts[place].normal);
    all.modes[place] = impulse.IsZero() ? 0 : kContactClosed;
  }
}

}  // namespace talus
