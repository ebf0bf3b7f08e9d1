// What is in a scene, described a page at a time: bodies and joints as whoever adds them would, in
// the order of their ids. A page is of one moment; the next begins behind its last id, whatever has
// come and gone since.
#pragma once

#include "server/runtime/scene_calls.h"
#include "server/session/page.h"
#include "solver/world/world.h"

namespace talus {

// A page of bodies ends early where it has this many shapes, so that its answer stays far below the
// largest message; it has one body at least.
inline constexpr size_t kMostShapesOfPage = 16'384;

// `layout_version` is left to the caller.
BodyPage MakeBodyPage(const World& world, const NumberPage& page);
JointPage MakeJointPage(const World& world, const NumberPage& page);

}  // namespace talus
