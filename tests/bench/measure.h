// Steps a scene and writes down what it took: times, counts and the state hash. Knows no solver but
// through the World.
#pragma once

#include "solver/scene/scene_def.h"
#include "solver/world/world.h"
#include "tests/bench/bench_row.h"

namespace talus::bench {

// The world of `scene`; ends the program with the reason when the scene is refused.
World MakeWorld(const SceneDef& scene);
StepReport StepWorld(World& world, WorkerArena& workers, const StepOptions& options = {});

// The first step of the scene, from a cold start, `repeats` times over from the same state. The
// sweeps to each residual come from one more run that records the history, which is slower and not
// timed.
BenchRow MeasureColdStep(const std::string& id, const SceneDef& scene, int threads, int repeats);

// `steps` steps of a world as it goes on, warm start and all.
BenchRow MeasureSteps(const std::string& id, World& world, int threads, int steps);

}  // namespace talus::bench
