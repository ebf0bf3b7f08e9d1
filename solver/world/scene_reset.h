// Putting parts of a scene back to what they were at its origin: the state it was made with.
//
//   time     the step index; emitters owe what they owed, counted from the new time
//   state    the bodies that were there and still are: poses, velocities, whether they sleep,
//            loads; the targets and impulses of joints; no contact carries anything over. A fault
//            is forgotten
//   spawned  what came since goes: bodies, particles, joints, emitters; the emitters that were
//            there begin anew
//
// What has gone since does not come back by any of them; only the origin as a whole brings it.
#pragma once

namespace talus {

struct SceneState;

struct ResetScope {
  bool time = false;
  bool state = false;
  bool spawned = false;
};

// True where rows or joints have changed.
bool ResetScene(const SceneState& origin, const ResetScope& scope, SceneState& state);

}  // namespace talus
