#include "solver/world/told_contacts.h"

#include "absl/status/status.h"
#include "solver/state/byte_stream.h"

namespace talus {
namespace {

constexpr size_t kRecordBytes = 6 * sizeof(uint32_t) + 19 * sizeof(double);

void WriteRecord(const ContactRecord& contact, ByteWriter& out) {
  for (const uint32_t number : {contact.body_a_row, contact.body_b_row, contact.shape_a,
                                contact.shape_b, contact.feature, contact.mode}) {
    out.Write(number);
  }
  out.WriteVector(contact.point_world);
  out.WriteVector(contact.normal_world);
  out.Write(contact.gap_m);
  out.WriteVector(contact.force_world_n);
  out.WriteVector(contact.torque_world_n_m);
  for (const double part : contact.wrench_contact) out.Write(part);
}

ContactRecord ReadRecord(ByteReader& in) {
  ContactRecord contact;
  for (uint32_t* number : {&contact.body_a_row, &contact.body_b_row, &contact.shape_a,
                           &contact.shape_b, &contact.feature, &contact.mode}) {
    *number = in.Read<uint32_t>();
  }
  contact.point_world = in.ReadVector();
  contact.normal_world = in.ReadVector();
  contact.gap_m = in.Read<double>();
  contact.force_world_n = in.ReadVector();
  contact.torque_world_n_m = in.ReadVector();
  for (double& part : contact.wrench_contact) part = in.Read<double>();
  return contact;
}

}  // namespace

std::string EncodeRecords(std::span<const ContactRecord> contacts) {
  ByteWriter out;
  out.Write(static_cast<uint64_t>(contacts.size()));
  for (const ContactRecord& contact : contacts) WriteRecord(contact, out);
  return out.Take();
}

absl::StatusOr<std::vector<ContactRecord>> DecodeRecords(std::string_view bytes,
                                                         size_t body_count) {
  ByteReader in(bytes);
  std::vector<ContactRecord> contacts(in.ReadCount(kRecordBytes));
  bool in_range = true;
  for (ContactRecord& contact : contacts) {
    contact = ReadRecord(in);
    in_range = in_range && contact.body_a_row < body_count && contact.body_b_row < body_count;
  }
  if (in.ok() && in.at_end() && in_range) return contacts;
  return absl::InvalidArgumentError("the contacts of the last step do not parse");
}

std::vector<ContactRecord> ToldContacts::Tell(const BodyStore& bodies) const {
  std::vector<ContactRecord> present;
  present.reserve(contacts_.size());
  for (const ContactRecord& contact : contacts_) {
    const auto row_a = bodies.FindRow(ids_[contact.body_a_row]);
    const auto row_b = bodies.FindRow(ids_[contact.body_b_row]);
    if (!row_a.has_value() || !row_b.has_value()) continue;
    ContactRecord& now = present.emplace_back(contact);
    now.body_a_row = static_cast<uint32_t>(*row_a);
    now.body_b_row = static_cast<uint32_t>(*row_b);
  }
  return present;
}

}  // namespace talus
