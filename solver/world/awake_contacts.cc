#include "solver/world/awake_contacts.h"

#include "solver/contact/contact_frame.h"
#include "solver/world/contact_record.h"

namespace talus {
namespace {

Wrench InContactFrame(const ContactImpulse& impulse, const Vec3& normal) {
  const ContactFrame f = MakeContactFrame(normal);
  Wrench wrench;
  wrench << f.n.dot(impulse.linear), f.u.dot(impulse.linear), f.w.dot(impulse.linear),
      f.n.dot(impulse.angular), f.u.dot(impulse.angular), f.w.dot(impulse.angular);
  return wrench;
}

}  // namespace

void AwakeContacts::Take(const ContactSet& set, const Sleepers& sleepers) {
  places_.clear();
  contacts_.clear();
  solution_.impulses.clear();
  for (size_t place = 0; place < set.contacts.size(); ++place) {
    const ContactInput& contact = set.contacts[place];
    // The dynamic bodies of a contact are in one island: both sleep or neither.
    if (sleepers.asleep(contact.body_a) || sleepers.asleep(contact.body_b)) continue;
    places_.push_back(static_cast<uint32_t>(place));
    contacts_.push_back(contact);
    solution_.impulses.push_back(set.solution.impulses[place]);
  }
}

void AwakeContacts::PutBack(ContactSet& set) {
  ContactSolution& all = set.solution;
  all.wrenches.resize(set.contacts.size());
  all.modes.resize(set.contacts.size());
  size_t awake = 0;
  for (size_t place = 0; place < set.contacts.size(); ++place) {
    if (awake < places_.size() && places_[awake] == place) {
      all.impulses[place] = solution_.impulses[awake];
      all.wrenches[place] = solution_.wrenches[awake];
      all.modes[place] = solution_.modes[awake];
      ++awake;
      continue;
    }
    all.wrenches[place] = InContactFrame(all.impulses[place], set.contacts[place].normal);
    all.modes[place] = all.impulses[place].IsZero() ? 0 : kContactClosed;
  }
  all.linear_velocities.swap(solution_.linear_velocities);
  all.angular_velocities.swap(solution_.angular_velocities);
}

}  // namespace talus
