// How a container becomes boxes. Collision knows boxes only, so a tray is taken apart when its body
// is added.
//
// The floor comes first, its top face at z = 0; then, if the tray has walls, those at -x, +x, -y
// and +y. With walls the floor reaches to their outer faces, so that no gap runs along the foot of
// a wall; without walls it ends at the inner edge, so that the open edge is where the user put it.
#pragma once

#include <vector>

#include "solver/scene/shape.h"

namespace talus {

// The shapes with every container replaced, in place, by its boxes.
std::vector<ShapeDef> ExpandContainers(const std::vector<ShapeDef>& shapes);

}  // namespace talus
