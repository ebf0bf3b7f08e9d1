#include "tests/validation/runs/body_columns.h"

#include <cstdint>
#include <vector>

#include "solver/world/contact_record.h"

namespace talus::validation {

void AddSphereColumns(const World& world, RunSheet& sheet) {
  const BodyStateView bodies = world.bodies();
  std::vector<int64_t> number(bodies.positions.size(), -1);
  int64_t count = 0;
  // Asked for by name first: a pile that is empty has columns too.
  std::vector<double>&x = sheet.columns["x_m"], &y = sheet.columns["y_m"],
  &z = sheet.columns["z_m"], &radius = sheet.columns["radius_m"];
  for (size_t row = 0; row < bodies.positions.size(); ++row) {
    if (bodies.kinds[row] != BodyKind::kDynamic) continue;
    number[row] = count++;
    x.push_back(bodies.positions[row].x());
    y.push_back(bodies.positions[row].y());
    z.push_back(bodies.positions[row].z());
    radius.push_back(world.sphere_radius_m(row));
  }
  std::vector<double>&a = sheet.columns["contact_a"], &b = sheet.columns["contact_b"];
  for (const ContactRecord& contact : world.Contacts()) {
    const int64_t first = number[contact.body_a_row];
    const int64_t second = number[contact.body_b_row];
    if (first < 0 || second < 0 || contact.wrench_contact[0] <= 0.0) continue;
    a.push_back(static_cast<double>(first));
    b.push_back(static_cast<double>(second));
  }
  sheet.values["body_count"] = static_cast<double>(count);
}

}  // namespace talus::validation
