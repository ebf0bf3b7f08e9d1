// From a pair of shapes that may touch to the points where they do: the stage FindContacts, one
// pair at a time.
//
// A contact is where two surfaces are closer than a margin: its normal points from a to b, its
// point lies midway between the surfaces, its gap is their distance along the normal (negative when
// they overlap). Contacts of one pair share one normal. `feature` names the faces that meet there,
// so that the impulse of the last step finds its contact again; it keeps its value while the same
// features touch, whatever the rounding. Every tolerance is a fraction of the shapes' sizes. The
// result depends on the arguments only. Velocities, bodies and materials are not known here.
#pragma once

#include "solver/collision/contact_point.h"
#include "solver/collision/shape_proxy.h"

namespace talus {

// Appends the contacts of the pair with gap <= `margin_m` (>= 0). Two planes have none.
void FindContacts(const ShapeProxy& a, const ShapeProxy& b, double margin_m,
                  ContactManifold& manifold);

}  // namespace talus
