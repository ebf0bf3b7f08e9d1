#include "clients/cli/contact_table.h"

#include <charconv>
#include <span>

#include "clients/cpp/columns.h"

namespace talus::cli {

const char kContactHeader[] =
    "step_index,body_a_id,body_b_id,body_a_name,body_b_name,shape_a,shape_b,feature,closed,sliding,"
    "rolling,spinning,"
    "point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z,gap_m,force_x_n,force_y_n,force_z_n,"
    "torque_x_n_m,torque_y_n_m,torque_z_n_m,normal_force_n,tangential_u_n,tangential_w_n,"
    "spin_torque_n_m,rolling_u_n_m,rolling_w_n_m\n";

namespace {

void AppendNumbers(std::span<const double> numbers, std::string* line) {
  for (const double number : numbers) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    *line += ',';
    line->append(text, end);
  }
}

}  // namespace

std::string ContactTable(const v1::Frame& frame, const v1::Layout& layout) {
  std::string table = kContactHeader;
  AppendContactLines(frame, layout, "", &table);
  return table;
}

void AppendContactLines(const v1::Frame& frame, const v1::Layout& layout, const std::string& prefix,
                        std::string* lines) {
  const client::ContactsView contacts = client::ViewContacts(frame);
  std::string& table = *lines;
  for (size_t i = 0; i < contacts.size(); ++i) {
    const auto count = static_cast<uint32_t>(layout.body_ids_size());
    if (contacts.body_a_rows[i] >= count || contacts.body_b_rows[i] >= count) continue;
    const int a = static_cast<int>(contacts.body_a_rows[i]);
    const int b = static_cast<int>(contacts.body_b_rows[i]);
    table += prefix + std::to_string(frame.step_index()) + ',' +
             std::to_string(layout.body_ids(a)) + ',' + std::to_string(layout.body_ids(b)) + ',' +
             QuoteCell(layout.body_names(a)) + ',' + QuoteCell(layout.body_names(b)) + ',' +
             std::to_string(contacts.shape_a[i]) + ',' + std::to_string(contacts.shape_b[i]) + ',' +
             std::to_string(contacts.features[i]);
    for (const v1::ContactModeBits bit :
         {v1::CONTACT_MODE_BITS_CLOSED, v1::CONTACT_MODE_BITS_SLIDING,
          v1::CONTACT_MODE_BITS_ROLLING, v1::CONTACT_MODE_BITS_SPINNING}) {
      table += (contacts.modes[i] & static_cast<uint32_t>(bit)) != 0 ? ",1" : ",0";
    }
    AppendNumbers(contacts.points_world_m.subspan(3 * i, 3), &table);
    AppendNumbers(contacts.normals_world.subspan(3 * i, 3), &table);
    AppendNumbers(contacts.gaps_m.subspan(i, 1), &table);
    AppendNumbers(contacts.forces_world_n.subspan(3 * i, 3), &table);
    AppendNumbers(contacts.torques_world_n_m.subspan(3 * i, 3), &table);
    AppendNumbers(contacts.wrenches_contact.subspan(6 * i, 6), &table);
    table += '\n';
  }
}

std::string QuoteCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + '"';
}

}  // namespace talus::cli
