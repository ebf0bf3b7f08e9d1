#include "solver/solvers/contact_solution.h"

#include "solver/contact/contact_frame.h"

namespace talus {

ContactImpulse ContactSolution::impulse(size_t contact, const Vec3& normal) const {
  const ContactFrame f = MakeContactFrame(normal);
  const Wrench g = wrench(contact);
  return {g[0] * f.n + g[1] * f.u + g[2] * f.w, g[3] * f.n + g[4] * f.u + g[5] * f.w};
}

void ContactSolution::Clear() {
  impulse_blocks.clear();
  slots.clear();
  modes.clear();
}

}  // namespace talus
