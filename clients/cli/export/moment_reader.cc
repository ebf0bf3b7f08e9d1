#include "clients/cli/export/moment_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace talus::cli {
namespace {

constexpr int kOtherTopic = -1;
constexpr int kLayoutTopic = 0;

// A moment's messages come in this order.
int RankOf(const std::string& topic) {
  static constexpr std::array<std::string_view, 4> ranks = {"/layout", "/frames", "/contacts",
                                                            "/diagnostics"};
  const auto found = std::find(ranks.begin(), ranks.end(), topic);
  return found == ranks.end() ? kOtherTopic : static_cast<int>(found - ranks.begin());
}

client::Error Damaged(const std::string& what) {
  return MakeError(client::Code::kDataLoss, "the recording is damaged: " + what);
}

template <typename Column>
void KeepRows(const std::vector<int>& rows, int width, Column* column) {
  if (column->empty()) return;
  Column kept;
  kept.Reserve(static_cast<int>(rows.size()) * width);
  for (const int row : rows) {
    for (int part = 0; part < width; ++part) kept.Add(column->Get(row * width + part));
  }
  column->Swap(&kept);
}

void KeepContacts(const std::vector<int>& rows, v1::ContactColumns* contacts) {
  KeepRows(rows, 1, contacts->mutable_body_a_rows());
  KeepRows(rows, 1, contacts->mutable_body_b_rows());
  KeepRows(rows, 1, contacts->mutable_shape_a());
  KeepRows(rows, 1, contacts->mutable_shape_b());
  KeepRows(rows, 1, contacts->mutable_features());
  KeepRows(rows, 1, contacts->mutable_modes());
  KeepRows(rows, 3, contacts->mutable_points_world_m());
  KeepRows(rows, 3, contacts->mutable_normals_world());
  KeepRows(rows, 1, contacts->mutable_gaps_m());
  KeepRows(rows, 3, contacts->mutable_forces_world_n());
  KeepRows(rows, 3, contacts->mutable_torques_world_n_m());
  KeepRows(rows, 6, contacts->mutable_wrenches_contact());
}

bool FitsBodies(const v1::BodyColumns& bodies, int count) {
  const auto fits = [count](int size, int width) { return size == 0 || size == width * count; };
  return fits(bodies.positions_world_m_size(), 3) && fits(bodies.orientations_wxyz_size(), 4) &&
         fits(bodies.linear_velocities_world_m_s_size(), 3) &&
         fits(bodies.angular_velocities_world_rad_s_size(), 3);
}

bool FitsContacts(const v1::ContactColumns& contacts, int bodies) {
  const int count = contacts.body_a_rows_size();
  const auto inside = [bodies](uint32_t row) { return row < static_cast<uint32_t>(bodies); };
  return contacts.body_b_rows_size() == count && contacts.shape_a_size() == count &&
         contacts.shape_b_size() == count && contacts.features_size() == count &&
         contacts.modes_size() == count && contacts.gaps_m_size() == count &&
         contacts.points_world_m_size() == 3 * count &&
         contacts.normals_world_size() == 3 * count &&
         contacts.forces_world_n_size() == 3 * count &&
         contacts.torques_world_n_m_size() == 3 * count &&
         contacts.wrenches_contact_size() == 6 * count &&
         std::all_of(contacts.body_a_rows().begin(), contacts.body_a_rows().end(), inside) &&
         std::all_of(contacts.body_b_rows().begin(), contacts.body_b_rows().end(), inside);
}

}  // namespace

MomentReader::MomentReader(RecordingReader& recording, MomentChoice choice)
    : recording_(recording), choice_(std::move(choice)) {
  const auto parts = recording.about().find("parts");
  if (parts == recording.about().end()) return;
  const auto has = [&parts](const char* name) {
    return parts->second.find(name) != std::string::npos;
  };
  last_rank_ = RankOf(has("diagnostics") ? "/diagnostics"
                      : has("contacts")  ? "/contacts"
                                         : "/frames");
}

client::Result<bool> MomentReader::Next(Moment* moment) {
  while (true) {
    const auto read = ReadWhole(moment);
    if (!read || !*read) return read;
    if (moment->time_s < choice_.from_s || moment->time_s > choice_.to_s) continue;
    if (count_++ % choice_.every != 0) continue;
    ChooseBodies(moment);
    return true;
  }
}

client::Result<bool> MomentReader::ReadWhole(Moment* moment) {
  *moment = Moment();
  int rank = kOtherTopic;
  bool begun = false;
  RecordedMessage message;
  while (true) {
    if (waiting_) {
      message = *std::exchange(waiting_, std::nullopt);
    } else {
      const auto more = recording_.Next(&message);
      if (!more) return more;
      if (!*more) break;
    }
    const int next = RankOf(message.topic);
    if (next == kOtherTopic) continue;
    if (begun && next <= rank) {
      waiting_ = message;
      break;
    }
    const auto added = Add(message, moment);
    if (!added) return added;
    // A layout alone is no moment: the one behind it replaces it.
    begun = begun || next != kLayoutTopic;
    rank = next;
  }
  // Where a file was cut off, half a moment may stand.
  if (!moment->bodies && !moment->contacts && !moment->report) return false;
  if (recording_.truncated() && !waiting_ && rank < last_rank_) return false;
  moment->layout = &layout_;
  return Check(*moment);
}

client::Result<bool> MomentReader::Add(const RecordedMessage& message, Moment* moment) {
  const auto parse = [&message](google::protobuf::Message& into) {
    return into.ParseFromArray(message.data.data(), static_cast<int>(message.data.size()));
  };
  bool parsed = false;
  if (message.topic == "/layout") {
    parsed = parse(layout_);
  } else if (message.topic == "/diagnostics") {
    v1::StepReport& report = moment->report.emplace();
    parsed = parse(report);
    if (!moment->bodies && !moment->contacts) {
      moment->step_index = report.step_index();
      moment->time_s = report.time_s();
      moment->state_hash = report.state_hash();
    }
  } else {
    v1::Frame& frame =
        message.topic == "/frames" ? moment->bodies.emplace() : moment->contacts.emplace();
    parsed = parse(frame);
    moment->step_index = frame.step_index();
    moment->time_s = frame.time_s();
    moment->state_hash = frame.state_hash();
  }
  if (!parsed) return Damaged("a message of " + message.topic + " does not parse");
  return true;
}

client::Result<bool> MomentReader::Check(const Moment& moment) const {
  const int count = moment.layout->body_ids_size();
  const std::string where = " at step " + std::to_string(moment.step_index);
  if (moment.layout->body_names_size() != count || moment.layout->body_kinds_size() != count ||
      moment.layout->sphere_radii_m_size() != count) {
    return Damaged("the columns of the layout" + where + " differ in length");
  }
  for (const auto* frame : {&moment.bodies, &moment.contacts}) {
    if (*frame && (*frame)->layout_version() != layout_.layout_version()) {
      return Damaged("the layout of the frame" + where + " is not there");
    }
  }
  if (moment.bodies && !FitsBodies(moment.bodies->bodies(), count)) {
    return Damaged("the columns of the bodies" + where + " differ in length");
  }
  if (moment.contacts && !FitsContacts(moment.contacts->contacts(), count)) {
    return Damaged("the columns of the contacts" + where + " do not fit together");
  }
  if (!std::isfinite(moment.time_s)) return Damaged("the time" + where + " is not finite");
  return true;
}

void MomentReader::ChooseBodies(Moment* moment) {
  const v1::Layout& layout = *moment->layout;
  const std::set<std::string> chosen(choice_.bodies.begin(), choice_.bodies.end());
  std::vector<bool> is_chosen(static_cast<size_t>(layout.body_ids_size()), chosen.empty());
  for (int row = 0; row < layout.body_ids_size(); ++row) {
    for (const std::string& key : {layout.body_names(row), std::to_string(layout.body_ids(row))}) {
      if (key.empty() || !chosen.contains(key)) continue;
      seen_.insert(key);
      is_chosen[static_cast<size_t>(row)] = true;
    }
    if (is_chosen[static_cast<size_t>(row)]) moment->rows.push_back(row);
  }
  if (chosen.empty()) return;
  if (moment->bodies) {
    v1::BodyColumns& bodies = *moment->bodies->mutable_bodies();
    KeepRows(moment->rows, 3, bodies.mutable_positions_world_m());
    KeepRows(moment->rows, 4, bodies.mutable_orientations_wxyz());
    KeepRows(moment->rows, 3, bodies.mutable_linear_velocities_world_m_s());
    KeepRows(moment->rows, 3, bodies.mutable_angular_velocities_world_rad_s());
  }
  if (moment->contacts) {
    v1::ContactColumns& contacts = *moment->contacts->mutable_contacts();
    std::vector<int> kept;
    for (int contact = 0; contact < contacts.body_a_rows_size(); ++contact) {
      if (is_chosen[contacts.body_a_rows(contact)] || is_chosen[contacts.body_b_rows(contact)]) {
        kept.push_back(contact);
      }
    }
    KeepContacts(kept, &contacts);
  }
}

std::vector<std::string> MomentReader::FindUnseenBodies() const {
  std::vector<std::string> unseen;
  for (const std::string& body : choice_.bodies) {
    if (!seen_.contains(body)) unseen.push_back(body);
  }
  return unseen;
}

}  // namespace talus::cli
