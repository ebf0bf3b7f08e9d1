// Scenes small enough for thousands of tries a second, and what must hold of every scene.
#pragma once

#include "absl/status/status.h"
#include "solver/world/world.h"

namespace talus::fuzz {

// A floor, a ball and a box that rest on it, and a joint with a motor between the two; solved by
// NEWTON in few iterations.
World MakeSmallWorld();

// Creates the scene, steps it a few times and checks its snapshot; how creating it or a step
// failed. Where there are more than a few dozen bodies it is only created; what a solver may take
// is cut down.
absl::Status TryScene(SceneDef scene);

// A few steps; the error of the first that failed.
absl::Status StepFew(World& world, const StepOptions& options);

// Breaks unless the scene comes back from its snapshot with the same hash and the same bytes.
void CheckSnapshotOf(const World& world);

}  // namespace talus::fuzz
