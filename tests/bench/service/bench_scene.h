// The scenes the service is measured with, as a client describes them, and what the solver library
// alone makes of them: the answer that every client must get.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "solver/world/world.h"
#include "talus/v1/scene.pb.h"

namespace talus::bench {

// Ten balls of 0.1 m piled on the ground as a tetrahedron, with rolling and spinning friction.
v1::SceneSpec DescribeTenBalls();
// side * side balls of 0.1 m on the ground, none touching another.
v1::SceneSpec DescribeField(int side);
// The same, all rolling one way at 1 m/s, and nothing brakes them.
v1::SceneSpec DescribeRollingField(int side);

absl::StatusOr<World> MakeWorld(const v1::SceneSpec& spec);
// The hash of the state after `steps` steps.
absl::StatusOr<uint64_t> FindHash(const v1::SceneSpec& spec, int64_t steps);

}  // namespace talus::bench
