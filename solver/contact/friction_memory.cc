#include "solver/contact/friction_memory.h"

namespace talus {
namespace {

// A normal that turned by more than 60° in a step is another contact's.
constexpr double kLeastCosine = 0.5;

}  // namespace

Wrench RecallImpulse(const CachedImpulse& impulse, const Vec3& old_normal,
                     const ContactInput& contact, const DynamicsView& bodies, double time_step_s) {
  const Vec3& n = contact.normal;
  const double cosine = old_normal.dot(n);
  Wrench recalled = Wrench::Zero();
  if (cosine < kLeastCosine) return recalled;
  const Vec3 axis = old_normal.cross(n);
  const auto spin = [&](uint32_t body) { return bodies.old_angular_velocities[body].dot(n); };
  const Quat twist =
      ExpRotation(0.5 * time_step_s * (spin(contact.body_a) + spin(contact.body_b)) * n);
  const auto turn = [&](const Vec3& v) -> Vec3 {
    const Vec3 moved = axis.cross(v);
    return twist * (v + moved + axis.cross(moved) / (1.0 + cosine));
  };
  const double pushing = old_normal.dot(impulse.linear);
  const double spinning = old_normal.dot(impulse.angular);
  const Vec3 sliding = turn(impulse.linear - pushing * old_normal);
  const Vec3 rolling = turn(impulse.angular - spinning * old_normal);
  const ContactFrame frame = MakeContactFrame(n);
  recalled << pushing, frame.u.dot(sliding), frame.w.dot(sliding), spinning, frame.u.dot(rolling),
      frame.w.dot(rolling);
  return recalled;
}

}  // namespace talus
