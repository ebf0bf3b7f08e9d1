// A rigid body that touches two surfaces, one point each, at one moment: what an analysis of its
// rolling and slipping is given.
//
// The surfaces are smooth at the contact points, at rest or moved in a prescribed way, and the body
// rolls on both at this moment: its slip velocities are zero. No wheel or ball is assumed: mass and
// inertia are any, and the curvatures enter by one tensor a contact. Everything is in one world
// frame and in SI units. It knows nothing of scenes, shapes or time steps.
#pragma once

#include <array>

#include "absl/status/status.h"
#include "solver/base/math.h"

namespace talus {

// One of the two contacts, and the motion of the surface there.
struct TwoPointContact {
  Vec3 arm_world_m = Vec3::Zero();    // contact point minus centre of mass
  Vec3 normal_world = Vec3::UnitZ();  // unit, out of the surface and into the body
  double sliding_friction = 0.0;      // μ, no unit, >= 0
  // C = (S_surface + S_body)⁻¹ on the tangent plane, zero along the normal, symmetric; S are the
  // curvatures, positive where convex. While the body rolls with angular velocity ω relative to the
  // surface, the contact point runs over the surface at C (ω × n). A ball of radius r on a plane:
  // r (1 − n nᵀ); on a convex cylinder of radius R: r R / (r + R) across it and r along it; a sharp
  // tip on any surface: 0. It matters only while the body moves.
  Mat3 rolling_radius_world_m = Mat3::Zero();
  // Of the surface's material at the contact point, and its rotation.
  Vec3 surface_velocity_world_m_s = Vec3::Zero();
  Vec3 surface_acceleration_world_m_s2 = Vec3::Zero();
  Vec3 surface_angular_velocity_world_rad_s = Vec3::Zero();
};

// Of a component of a load, N or N m.
inline constexpr double kMaxLoad = 1e15;

struct TwoPointBody {
  double mass_kg = 0.0;                     // > 0
  Mat3 inertia_world_kg_m2 = Mat3::Zero();  // about the centre of mass
  Vec3 force_world_n = Vec3::Zero();        // all but contact forces, gravity included
  Vec3 torque_world_n_m = Vec3::Zero();     // about the centre of mass
  Vec3 velocity_world_m_s = Vec3::Zero();   // of the centre of mass
  Vec3 angular_velocity_world_rad_s = Vec3::Zero();
  std::array<TwoPointContact, 2> contacts;
};

// INVALID_ARGUMENT names the field, its value and what is allowed. Beyond single fields: the
// inertia is one that a body can have, with radii of gyration within 10⁻⁴ and 10⁴ of the larger
// arm; the contact points are apart, neither normal lies along the line through them (within 10⁻⁶
// rad); both slip velocities are zero, within 10⁻⁶ of the speeds they are differences of.
absl::Status ValidateTwoPointBody(const TwoPointBody& body);

}  // namespace talus
