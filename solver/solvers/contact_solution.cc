#include "solver/solvers/contact_solution.h"

#include "solver/contact/contact_frame.h"

namespace talus {

ContactImpulse ContactSolution::impulse(size_t contact, const Vec3& normal) const {
  if (!kept.empty() && slots[contact] >= kept_begin) return kept[slots[contact] - kept_begin];
  const ContactFrame f = MakeContactFrame(normal);
  const Wrench g = wrench(contact);
  return {g[0] * f.n + g[1] * f.u + g[2] * f.w, g[3] * f.n + g[4] * f.u + g[5] * f.w};
}

uint32_t ContactSolution::Keep(const ContactImpulse& impulse, const Vec3& normal) {
  if (kept.empty()) kept_begin = static_cast<uint32_t>(impulse_blocks.size() * kLanes);
  const auto slot = static_cast<uint32_t>(kept_begin + kept.size());
  kept.push_back(impulse);
  if (slot % kLanes == 0) impulse_blocks.emplace_back();
  const ContactFrame f = MakeContactFrame(normal);
  Wrench wrench;
  wrench << f.n.dot(impulse.linear), f.u.dot(impulse.linear), f.w.dot(impulse.linear),
      f.n.dot(impulse.angular), f.u.dot(impulse.angular), f.w.dot(impulse.angular);
  impulse_blocks.back().Set(slot % kLanes, wrench);
  return slot;
}

void ContactSolution::Clear() {
  kept.clear();
  impulse_blocks.clear();
  slots.clear();
  modes.clear();
  old_impulse.resize(0);
}

}  // namespace talus
