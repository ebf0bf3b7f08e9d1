// A scene whose step takes longer than any test waits for it, for tests of what may end such a step
// and of what goes on beside it.
#pragma once

#include <chrono>
#include <thread>

#include "solver/scene/scene_def.h"
#include "tests/scenes/rolling_scenes.h"

namespace talus::testing {

// 8000 stones, and sweeps until no digit is wrong, which they do not come to: more than a second a
// step.
inline SceneDef EndlessStep() {
  SceneDef scene = scenes::SphereLattice(20);
  scene.settings.solver.tolerance = 1e-14;
  scene.settings.solver.max_sweeps = 1'000'000;
  return scene;
}

inline void WaitUntilItIsSolved() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }

}  // namespace talus::testing
