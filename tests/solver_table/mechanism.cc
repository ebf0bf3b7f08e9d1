#include "tests/solver_table/mechanism.h"

#include <utility>

#include "tests/bench/bench_world.h"
#include "tests/scenes/guideway.h"

namespace talus::solver_table {
namespace {

World Roll(const scenes::Guideway& guideway) {
  World world = bench::MakeWorld(guideway.Build());
  WorkerArena workers(1);
  for (int step = 0; step < 10; ++step) bench::StepWorld(world, workers);
  return world;
}

}  // namespace

std::vector<Mechanism> Mechanisms() {
  const scenes::Guideway loaded{.seal_n = 5.3};
  scenes::Guideway preloaded = loaded;
  preloaded.Preload();
  std::vector<Mechanism> mechanisms;
  mechanisms.push_back({"guideway", Roll(loaded)});
  mechanisms.push_back({"guideway_preloaded", Roll(preloaded)});
  return mechanisms;
}

}  // namespace talus::solver_table
