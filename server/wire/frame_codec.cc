#include "server/wire/frame_codec.h"

#include "server/wire/report_codec.h"

namespace talus::wire {
namespace {

using DoubleColumn = google::protobuf::RepeatedField<double>;
using IntegerColumn = google::protobuf::RepeatedField<uint32_t>;

void AddVector(const Vec3& vector, DoubleColumn& column) {
  column.AddAlreadyReserved(vector.x());
  column.AddAlreadyReserved(vector.y());
  column.AddAlreadyReserved(vector.z());
}

template <typename Get>
void FillIntegers(const std::vector<ContactRecord>& contacts, IntegerColumn& column, Get get) {
  column.Reserve(static_cast<int>(contacts.size()));
  for (const ContactRecord& contact : contacts) column.AddAlreadyReserved(get(contact));
}

template <typename Get>
void FillVectors(const std::vector<ContactRecord>& contacts, DoubleColumn& column, Get get) {
  column.Reserve(static_cast<int>(3 * contacts.size()));
  for (const ContactRecord& contact : contacts) AddVector(get(contact), column);
}

void EncodeContacts(const std::vector<ContactRecord>& contacts, v1::ContactColumns& message) {
  FillIntegers(contacts, *message.mutable_body_a_rows(), [](auto& c) { return c.body_a_row; });
  FillIntegers(contacts, *message.mutable_body_b_rows(), [](auto& c) { return c.body_b_row; });
  FillIntegers(contacts, *message.mutable_shape_a(), [](auto& c) { return c.shape_a; });
  FillIntegers(contacts, *message.mutable_shape_b(), [](auto& c) { return c.shape_b; });
  FillIntegers(contacts, *message.mutable_features(), [](auto& c) { return c.feature; });
  FillIntegers(contacts, *message.mutable_modes(), [](auto& c) { return c.mode; });
  FillVectors(contacts, *message.mutable_points_world_m(), [](auto& c) { return c.point_world; });
  FillVectors(contacts, *message.mutable_normals_world(), [](auto& c) { return c.normal_world; });
  FillVectors(contacts, *message.mutable_forces_world_n(), [](auto& c) { return c.force_world_n; });
  FillVectors(contacts, *message.mutable_torques_world_n_m(),
              [](auto& c) { return c.torque_world_n_m; });
  DoubleColumn& gaps = *message.mutable_gaps_m();
  DoubleColumn& wrenches = *message.mutable_wrenches_contact();
  gaps.Reserve(static_cast<int>(contacts.size()));
  wrenches.Reserve(static_cast<int>(6 * contacts.size()));
  for (const ContactRecord& contact : contacts) {
    gaps.AddAlreadyReserved(contact.gap_m);
    for (const double component : contact.wrench_contact) wrenches.AddAlreadyReserved(component);
  }
}

v1::BodyKindCode EncodeKindCode(BodyKind kind) {
  switch (kind) {
    case BodyKind::kDynamic:
      return v1::BODY_KIND_CODE_DYNAMIC;
    case BodyKind::kStatic:
      return v1::BODY_KIND_CODE_STATIC;
    case BodyKind::kKinematic:
      return v1::BODY_KIND_CODE_KINEMATIC;
  }
  return v1::BODY_KIND_CODE_UNSPECIFIED;
}

void EncodeBodies(const FrameData& frame, const FrameParts& parts, v1::BodyColumns& message) {
  const auto fill = [](const std::vector<double>& column, DoubleColumn* out) {
    out->Assign(column.begin(), column.end());
  };
  if (parts.positions) fill(frame.positions_world_m, message.mutable_positions_world_m());
  if (parts.orientations) fill(frame.orientations_wxyz, message.mutable_orientations_wxyz());
  if (parts.velocities) {
    fill(frame.linear_velocities_world_m_s, message.mutable_linear_velocities_world_m_s());
    fill(frame.angular_velocities_world_rad_s, message.mutable_angular_velocities_world_rad_s());
  }
}

}  // namespace

uint32_t FrameView::Key() const {
  return static_cast<uint32_t>(parts.positions) | static_cast<uint32_t>(parts.orientations) << 1 |
         static_cast<uint32_t>(parts.velocities) << 2 | static_cast<uint32_t>(parts.contacts) << 3 |
         static_cast<uint32_t>(parts.report) << 4 | static_cast<uint32_t>(layout) << 5;
}

FrameView DecodeView(const v1::FrameSelection& message) {
  FrameView view;
  view.parts = {message.positions(), message.orientations(), message.velocities(),
                message.contacts(), message.report()};
  view.layout = message.layout();
  return view;
}

void EncodeLayout(const Layout& layout, v1::Layout& message) {
  message.set_layout_version(layout.version);
  message.mutable_body_ids()->Assign(layout.body_ids.begin(), layout.body_ids.end());
  message.mutable_body_names()->Reserve(static_cast<int>(layout.body_names.size()));
  for (const std::string& name : layout.body_names) message.add_body_names(name);
  message.mutable_body_kinds()->Reserve(static_cast<int>(layout.body_kinds.size()));
  for (const BodyKind kind : layout.body_kinds) message.add_body_kinds(EncodeKindCode(kind));
  message.mutable_sphere_radii_m()->Assign(layout.sphere_radii_m.begin(),
                                           layout.sphere_radii_m.end());
}

void EncodeFrame(const FrameData& frame, const FrameView& view, v1::Frame& message) {
  message.set_step_index(frame.step_index);
  message.set_time_s(frame.time_s);
  message.set_layout_version(frame.layout_version());
  message.set_state_hash(frame.state_hash);
  if (view.parts.positions || view.parts.orientations || view.parts.velocities) {
    EncodeBodies(frame, view.parts, *message.mutable_bodies());
  }
  if (view.parts.contacts) EncodeContacts(frame.contacts, *message.mutable_contacts());
  if (view.parts.report) EncodeReport(frame.report, *message.mutable_report());
  if (view.layout) EncodeLayout(*frame.layout, *message.mutable_layout());
}

}  // namespace talus::wire
