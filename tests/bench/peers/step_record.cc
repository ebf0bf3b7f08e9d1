#include "tests/bench/peers/step_record.h"

#include <exception>

#include "tests/bench/peers/json_vectors.h"

namespace talus::peers {
namespace {

constexpr char kStepFormat[] = "talus-peer-step/1";

Json ContactJson(const RecordContact& contact) {
  Json json;
  json["a"] = contact.body_a;
  json["b"] = contact.body_b;
  json["point_m"] = ToJson(contact.point);
  json["normal"] = ToJson(contact.normal);
  json["gap_m"] = contact.gap_m;
  json["linear_n_s"] = ToJson(contact.linear_impulse);
  json["angular_n_m_s"] = ToJson(contact.angular_impulse);
  return json;
}

RecordContact ParseContact(const Json& json, size_t body_count) {
  RecordContact contact;
  contact.body_a = json.at("a").get<uint32_t>();
  contact.body_b = json.at("b").get<uint32_t>();
  if (contact.body_a >= body_count || contact.body_b >= body_count) {
    throw std::runtime_error("a contact names a body that is not there");
  }
  contact.point = ParseVec3(json.at("point_m"));
  contact.normal = ParseVec3(json.at("normal"));
  contact.gap_m = json.at("gap_m").get<double>();
  contact.linear_impulse = ParseVec3(json.at("linear_n_s"));
  contact.angular_impulse = ParseVec3(json.at("angular_n_m_s"));
  return contact;
}

}  // namespace

std::string ToJson(const StepRecord& record) {
  Json json;
  json["format"] = kStepFormat;
  json["before"] = Json::parse(ToJson(record.before));
  json["contacts"] = Json::array();
  for (const RecordContact& contact : record.contacts) {
    json["contacts"].push_back(ContactJson(contact));
  }
  json["linear_after_m_s"] = Json::array();
  for (const Vec3& v : record.linear_after) json["linear_after_m_s"].push_back(ToJson(v));
  json["angular_after_rad_s"] = Json::array();
  for (const Vec3& v : record.angular_after) json["angular_after_rad_s"].push_back(ToJson(v));
  return json.dump() + "\n";
}

absl::StatusOr<StepRecord> ParseStepRecord(const std::string& text) try {
  const Json json = Json::parse(text);
  if (json.at("format") != kStepFormat) throw std::runtime_error("format is not talus-peer-step/1");
  absl::StatusOr<PeerState> before = ParsePeerState(json.at("before").dump());
  if (!before.ok()) return before.status();
  StepRecord record;
  record.before = *std::move(before);
  const size_t body_count = record.before.bodies.size();
  for (const Json& contact : json.at("contacts")) {
    record.contacts.push_back(ParseContact(contact, body_count));
  }
  for (const Json& v : json.at("linear_after_m_s")) record.linear_after.push_back(ParseVec3(v));
  for (const Json& v : json.at("angular_after_rad_s")) record.angular_after.push_back(ParseVec3(v));
  if (record.linear_after.size() != body_count || record.angular_after.size() != body_count) {
    throw std::runtime_error("velocities after the step: not one a body");
  }
  return record;
} catch (const std::exception& error) {
  return absl::InvalidArgumentError(std::string("step record: ") + error.what());
}

}  // namespace talus::peers
