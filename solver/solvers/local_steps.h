// Several steps at one contact before the sweep moves on, where one step is far from the local
// answer.
//
// A step treats the rows of a contact's block as if they hardly coupled. Between equal spheres they
// do not; between a sphere and the ground sliding and rolling couple with 0.845 in the metric, and
// one step leaves 92 % of the difference between the two. Such contacts are few in a heap but carry
// all of it, so ContactRow::local_steps grants them more.
#pragma once

#include "solver/contact/contact_problem.h"

namespace talus {

template <typename ContactStep>
Wrench TakeLocalSteps(const ContactStep& step, const ContactRow& c, const Wrench& g,
                      const Wrench& velocity) {
  Wrench next = step(c, g, velocity);
  if (c.local_steps == 1) return next;
  Wrench u = velocity;
  Wrench last = g;
  for (int32_t taken = 1; taken < c.local_steps; ++taken) {
    u += c.block * (next - last);
    last = next;
    next = step(c, last, u);
  }
  return next;
}

}  // namespace talus
