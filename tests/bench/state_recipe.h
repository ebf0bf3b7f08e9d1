// How each state is made: the scene it begins as, the steps that bring it to rest or get it
// moving, and the check that it is what its name says.
#pragma once

#include "solver/world/world.h"
#include "tests/bench/bench_state.h"

namespace talus::bench {

// A state at rest holds no body faster than this, or from 20 000 bodies on one in 20 000.
inline constexpr double kRestSpeedMS = 0.01;

// Steps with two workers; progress on stderr.
World MakeState(const StateKey& key);

}  // namespace talus::bench
