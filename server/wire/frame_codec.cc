#include "server/wire/frame_codec.h"

#include <vector>

#include "server/wire/quantized_codec.h"
#include "server/wire/report_codec.h"

namespace talus::wire {
namespace {

using Rows = std::vector<uint32_t>;
using WireColumn = google::protobuf::RepeatedField<uint32_t>;
template <typename Number>
using Column = google::protobuf::RepeatedField<Number>;

template <typename Number>
void AddVector(const Vec3& vector, Column<Number>& column) {
  column.AddAlreadyReserved(static_cast<Number>(vector.x()));
  column.AddAlreadyReserved(static_cast<Number>(vector.y()));
  column.AddAlreadyReserved(static_cast<Number>(vector.z()));
}

template <typename Get>
void FillIntegers(const std::vector<ContactRecord>& contacts, WireColumn& column, Get get) {
  column.Reserve(static_cast<int>(contacts.size()));
  for (const ContactRecord& contact : contacts) column.AddAlreadyReserved(get(contact));
}

template <typename Number, typename Get>
void FillVectors(const std::vector<ContactRecord>& contacts, Column<Number>& column, Get get) {
  column.Reserve(static_cast<int>(3 * contacts.size()));
  for (const ContactRecord& contact : contacts) AddVector(get(contact), column);
}

// Into v1::ContactColumns or v1::FloatContactColumns.
template <typename Number, typename Message>
void EncodeContacts(const std::vector<ContactRecord>& contacts, Message& message) {
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
  Column<Number>& gaps = *message.mutable_gaps_m();
  Column<Number>& wrenches = *message.mutable_wrenches_contact();
  gaps.Reserve(static_cast<int>(contacts.size()));
  wrenches.Reserve(static_cast<int>(6 * contacts.size()));
  for (const ContactRecord& contact : contacts) {
    gaps.AddAlreadyReserved(static_cast<Number>(contact.gap_m));
    for (const double component : contact.wrench_contact) {
      wrenches.AddAlreadyReserved(static_cast<Number>(component));
    }
  }
}

// Those of which either body stands in one of the rows.
std::vector<ContactRecord> SelectContacts(const FrameData& frame, const Rows& rows) {
  std::vector<char> selected(frame.layout->body_ids.size(), 0);
  for (const uint32_t row : rows) selected[row] = 1;
  std::vector<ContactRecord> contacts;
  for (const ContactRecord& contact : frame.contacts) {
    if (selected[contact.body_a_row] || selected[contact.body_b_row]) contacts.push_back(contact);
  }
  return contacts;
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

// `width` numbers a row, of the rows only unless they are null.
template <typename Number>
void FillColumn(const std::vector<double>& numbers, size_t width, const Rows* rows,
                Column<Number>& column) {
  if (rows == nullptr) {
    column.Assign(numbers.begin(), numbers.end());
    return;
  }
  column.Reserve(static_cast<int>(width * rows->size()));
  for (const uint32_t row : *rows) {
    for (size_t i = 0; i < width; ++i) {
      column.AddAlreadyReserved(static_cast<Number>(numbers[width * row + i]));
    }
  }
}

// Into v1::BodyColumns or v1::FloatBodyColumns.
template <typename Number, typename Message>
void EncodeBodies(const FrameData& frame, const FrameParts& parts, const Rows* rows,
                  Message& message) {
  if (parts.positions) {
    FillColumn<Number>(frame.positions_world_m, 3, rows, *message.mutable_positions_world_m());
  }
  if (parts.orientations) {
    FillColumn<Number>(frame.orientations_wxyz, 4, rows, *message.mutable_orientations_wxyz());
  }
  if (!parts.velocities) return;
  FillColumn<Number>(frame.linear_velocities_world_m_s, 3, rows,
                     *message.mutable_linear_velocities_world_m_s());
  FillColumn<Number>(frame.angular_velocities_world_rad_s, 3, rows,
                     *message.mutable_angular_velocities_world_rad_s());
}

void EncodeBodyParts(const FrameData& frame, const FrameView& view, const Rows* rows,
                     v1::Frame& message) {
  FrameParts parts = view.parts;
  if (view.profile == Profile::kQuantized) {
    if (parts.positions || parts.orientations) {
      EncodeQuantized(frame, view.base.get(), parts, rows, view.position_step_m,
                      *message.mutable_quantized_bodies());
    }
    parts.positions = parts.orientations = false;
  }
  if (!parts.positions && !parts.orientations && !parts.velocities) return;
  if (view.profile == Profile::kF64) {
    EncodeBodies<double>(frame, parts, rows, *message.mutable_bodies());
  } else {
    EncodeBodies<float>(frame, parts, rows, *message.mutable_float_bodies());
  }
}

void EncodeContactPart(const FrameData& frame, const FrameView& view, const Rows* rows,
                       v1::Frame& message) {
  std::vector<ContactRecord> selected;
  if (rows != nullptr) selected = SelectContacts(frame, *rows);
  const std::vector<ContactRecord>& contacts = rows != nullptr ? selected : frame.contacts;
  if (view.profile == Profile::kF64) {
    EncodeContacts<double>(contacts, *message.mutable_contacts());
  } else {
    EncodeContacts<float>(contacts, *message.mutable_float_contacts());
  }
}

}  // namespace

ViewKey FrameView::Key() const {
  const uint32_t bits =
      static_cast<uint32_t>(parts.positions) | static_cast<uint32_t>(parts.orientations) << 1 |
      static_cast<uint32_t>(parts.velocities) << 2 | static_cast<uint32_t>(parts.contacts) << 3 |
      static_cast<uint32_t>(parts.report) << 4 | static_cast<uint32_t>(layout) << 5 |
      static_cast<uint32_t>(profile) << 6;
  return {bits, bodies, position_step_m, base == nullptr ? -1 : base->moment};
}

FrameView DecodeView(const v1::FrameSelection& message) {
  FrameView view;
  view.parts = {message.positions(), message.orientations(), message.velocities(),
                message.contacts(), message.report()};
  view.layout = message.layout();
  return view;
}

BodySelection DecodeBodySelection(const v1::BodySelection& message) {
  BodySelection selection;
  selection.ids.assign(message.ids().begin(), message.ids().end());
  selection.names.assign(message.names().begin(), message.names().end());
  selection.every_kth_row = message.every_kth_row();
  return selection;
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
  SelectedBodies::Rows rows;
  if (view.bodies != nullptr) {
    rows = view.bodies->FindRows(*frame.layout);
    message.mutable_selected_rows()->mutable_rows()->Assign(rows->begin(), rows->end());
  }
  EncodeBodyParts(frame, view, rows.get(), message);
  if (view.parts.contacts) EncodeContactPart(frame, view, rows.get(), message);
  if (view.parts.report) EncodeReport(frame.report, *message.mutable_report());
  if (view.layout) EncodeLayout(*frame.layout, *message.mutable_layout());
}

}  // namespace talus::wire
