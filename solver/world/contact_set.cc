#include "solver/world/contact_set.h"

namespace talus {

std::vector<ContactRecord> MakeContactRecords(const ContactSet& set, const BodyStore& bodies,
                                              double time_step_s) {
  std::vector<ContactRecord> records;
  records.reserve(set.contacts.size());
  for (size_t index = 0; index < set.contacts.size(); ++index) {
    const ContactKey& key = set.keys[index];
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
    record.force_world_n = set.solution.impulses[index].linear / time_step_s;
    record.torque_world_n_m = set.solution.impulses[index].angular / time_step_s;
    for (int row = 0; row < 6; ++row) {
      record.wrench_contact[row] = set.solution.wrenches[index][row] / time_step_s;
    }
  }
  return records;
}

}  // namespace talus
