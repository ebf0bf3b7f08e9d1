// Views of a frame's columns as spans, without a copy: row i of a column with k numbers a row
// starts at k * i. A view lives as long as the message it was made of. It does not check that
// columns of one frame agree in length: the server promises that; a column that was not selected is
// empty.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "talus/v1/frame.pb.h"

namespace talus::client {

// Poses and velocities; rows follow the layout.
struct BodiesView {
  std::span<const double> positions_world_m;               // 3 a body
  std::span<const double> orientations_wxyz;               // 4 a body, world <- body
  std::span<const double> linear_velocities_world_m_s;     // 3 a body
  std::span<const double> angular_velocities_world_rad_s;  // 3 a body

  std::array<double, 3> position(size_t row) const { return Row(positions_world_m, row); }
  std::array<double, 3> linear_velocity(size_t row) const {
    return Row(linear_velocities_world_m_s, row);
  }
  std::array<double, 3> angular_velocity(size_t row) const {
    return Row(angular_velocities_world_rad_s, row);
  }
  std::array<double, 4> orientation(size_t row) const {
    const auto q = orientations_wxyz.subspan(4 * row, 4);
    return {q[0], q[1], q[2], q[3]};
  }

 private:
  static std::array<double, 3> Row(std::span<const double> column, size_t row) {
    const auto v = column.subspan(3 * row, 3);
    return {v[0], v[1], v[2]};
  }
};

// Contacts of one step; the wrench is what body b receives. frame.proto says it in full.
struct ContactsView {
  std::span<const uint32_t> body_a_rows;
  std::span<const uint32_t> body_b_rows;
  std::span<const uint32_t> shape_a;
  std::span<const uint32_t> shape_b;
  std::span<const uint32_t> features;
  std::span<const uint32_t> modes;            // ContactModeBits
  std::span<const double> points_world_m;     // 3 a contact
  std::span<const double> normals_world;      // 3 a contact, from a to b
  std::span<const double> gaps_m;             // 1 a contact
  std::span<const double> forces_world_n;     // 3 a contact
  std::span<const double> torques_world_n_m;  // 3 a contact
  std::span<const double> wrenches_contact;   // 6 a contact

  size_t size() const { return body_a_rows.size(); }
};

namespace internal {
template <typename Field>
auto Column(const Field& field) {
  return std::span(field.data(), static_cast<size_t>(field.size()));
}
}  // namespace internal

inline BodiesView ViewBodies(const v1::Frame& frame) {
  const v1::BodyColumns& bodies = frame.bodies();
  return {internal::Column(bodies.positions_world_m()),
          internal::Column(bodies.orientations_wxyz()),
          internal::Column(bodies.linear_velocities_world_m_s()),
          internal::Column(bodies.angular_velocities_world_rad_s())};
}

inline ContactsView ViewContacts(const v1::Frame& frame) {
  const v1::ContactColumns& contacts = frame.contacts();
  return {internal::Column(contacts.body_a_rows()),
          internal::Column(contacts.body_b_rows()),
          internal::Column(contacts.shape_a()),
          internal::Column(contacts.shape_b()),
          internal::Column(contacts.features()),
          internal::Column(contacts.modes()),
          internal::Column(contacts.points_world_m()),
          internal::Column(contacts.normals_world()),
          internal::Column(contacts.gaps_m()),
          internal::Column(contacts.forces_world_n()),
          internal::Column(contacts.torques_world_n_m()),
          internal::Column(contacts.wrenches_contact())};
}

}  // namespace talus::client
