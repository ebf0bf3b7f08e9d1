// The Delassus operator N = Dᵀ M⁻¹ D one contact at a time: gather the local velocity, scatter an
// impulse.
//
// Sign: the impulse acts on body B and its opposite on body A; the velocity is B's relative to A's
// at the contact point.
#pragma once

#include "solver/contact/contact_problem.h"

namespace talus {

// D_iᵀ v + b_i.
inline Wrench LocalVelocity(const ContactRow& c, const BodyVelocity& a, const BodyVelocity& b) {
  const Vec3 linear = b.linear + b.angular.cross(c.arm_b) - a.linear - a.angular.cross(c.arm_a);
  const Vec3 angular = b.angular - a.angular;
  Wrench u;
  u << c.frame.n.dot(linear) + c.bias, c.frame.u.dot(linear), c.frame.w.dot(linear),
      c.frame.n.dot(angular), c.frame.u.dot(angular), c.frame.w.dot(angular);
  return u;
}

inline Vec3 ForcePart(const ContactRow& c, const Wrench& g) {
  return g[0] * c.frame.n + g[1] * c.frame.u + g[2] * c.frame.w;
}
inline Vec3 TorquePart(const ContactRow& c, const Wrench& g) {
  return g[3] * c.frame.n + g[4] * c.frame.u + g[5] * c.frame.w;
}

// v += M⁻¹ D_i g. Prescribed bodies are not written: several contacts may touch them at once.
inline void AddImpulse(const ContactProblem& problem, const ContactRow& c, const Wrench& g,
                       std::vector<BodyVelocity>& velocity) {
  const Vec3 force = ForcePart(c, g);
  const Vec3 torque = TorquePart(c, g);
  const BodyMobility& a = problem.mobility[c.body_a];
  const BodyMobility& b = problem.mobility[c.body_b];
  if (a.dynamic()) {
    BodyVelocity& v = velocity[c.body_a];
    v.linear -= a.inverse_mass * force;
    v.angular -= a.InverseInertiaTimes(c.arm_a.cross(force) + torque);
  }
  if (b.dynamic()) {
    BodyVelocity& v = velocity[c.body_b];
    v.linear += b.inverse_mass * force;
    v.angular += b.InverseInertiaTimes(c.arm_b.cross(force) + torque);
  }
}

}  // namespace talus
