// What bristles remember: the friction that a contact carried in the last step, as it stands in
// this one.
//
// The old friction, what of the impulse is not along the old normal, turns by the shortest way from
// the old normal to the new, then by the mean spin of the two bodies about it over the step: what
// turns as one carries the same. Projected onto the new tangents instead, a normal that turns by φ
// would leave γ_n sin φ in them at every step.
#pragma once

#include "solver/contact/contact_frame.h"
#include "solver/contact/contact_input.h"
#include "solver/contact/wrench.h"

namespace talus {

// γ of the last step in the frame of `contact`, N s and N m s; the normal force is kept as well.
// Zero where the normal turned by more than 60°: it was another contact's.
Wrench RecallImpulse(const CachedImpulse& impulse, const Vec3& old_normal,
                     const ContactInput& contact, const DynamicsView& bodies, double time_step_s);

}  // namespace talus
