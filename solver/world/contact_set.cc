#include "solver/world/contact_set.h"

namespace talus {

void ContactSet::Clear() {
  contacts.clear();
  marks.clear();
  solution.Clear();
  old_ids.clear();
}

std::vector<ContactRecord> MakeContactRecords(const ContactSet& set, const BodyStore& bodies,
                                              double time_step_s) {
  std::vector<ContactRecord> records;
  records.reserve(set.contacts.size());
  const std::span<const BodyId> ids = set.old_ids.empty() ? bodies.ids() : set.old_ids;
  for (size_t index = 0; index < set.contacts.size(); ++index) {
    const ContactKey key = set.key(index, ids);
    const auto row_a = bodies.FindRow(key.body_a);
    const auto row_b = bodies.FindRow(key.body_b);
    if (!row_a.has_value() || !row_b.has_value()) continue;
    const ContactInput& contact = set.contacts[index];
    ContactRecord& record = records.emplace_back();
    record.body_a_row = static_cast<uint32_t>(*row_a);
    record.body_b_row = static_cast<uint32_t>(*row_b);
    record.shape_a = key.shape_a;
    record.shape_b = key.shape_b;
    record.feature = key.feature;
    record.mode = set.solution.modes[index];
    record.point_world = contact.point;
    record.normal_world = contact.normal;
    record.gap_m = contact.gap;
    const ContactImpulse impulse = set.solution.impulse(index, contact.normal);
    record.force_world_n = impulse.linear / time_step_s;
    record.torque_world_n_m = impulse.angular / time_step_s;
    const Wrench wrench = set.solution.wrench(index);
    for (int row = 0; row < 6; ++row) record.wrench_contact[row] = wrench[row] / time_step_s;
  }
  return records;
}

}  // namespace talus
