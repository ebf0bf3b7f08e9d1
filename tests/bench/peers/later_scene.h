// A scene as it stands after some steps, without its past: the same bodies where they are now, with
// the velocities they have, and no warm impulses. What a solver gets from it is a cold start on a
// real state.
#pragma once

#include "solver/scene/scene_def.h"
#include "solver/world/world.h"

namespace talus::peers {

// `scene` is what `world` was made from. Spheres that its emitters have added since become bodies,
// and the emitters go; no body may have been removed.
SceneDef WithoutPast(const World& world, const SceneDef& scene);

// The same with the walls of every tray gone and its floor twenty times as long: the heap between
// them collapses.
SceneDef WithoutWalls(const World& world, const SceneDef& scene);

}  // namespace talus::peers
