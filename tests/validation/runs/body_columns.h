// The spheres of a pile as columns of a run's sheet: where each one is, and which pairs of them
// touch with a force, for a reader that knows heaps and angles.
#pragma once

#include "solver/world/world.h"
#include "tests/validation/runs/run_sheet.h"

namespace talus::validation {

// Columns x_m, y_m, z_m, radius_m, one entry a sphere in row order; contact_a, contact_b, one entry
// a closed contact between two of these spheres, which are numbered from 0; value body_count.
void AddSphereColumns(const World& world, RunSheet& sheet);

}  // namespace talus::validation
