// Ten warm steps of 500 stones, the work whose instructions compare.py counts. The same heap is
// made by `make FILE` beforehand, so that it is not made at a fiftieth of the speed.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/bench/bench_world.h"
#include "tests/scenes/heaps.h"

namespace talus::bench {
namespace {

constexpr int kLooseSteps = 4;  // laid down, but not yet at rest: its steps take sweeps
constexpr int kMeasuredSteps = 10;

World MakeHeap() {
  SceneDef scene = scenes::Heap({.stones = 500});
  scene.settings.solver.tolerance = 1e-5;
  World world = MakeWorld(scene);
  WorkerArena alone(1);
  for (int step = 0; step < kLooseSteps; ++step) StepWorld(world, alone);
  return world;
}

}  // namespace
}  // namespace talus::bench

// What is counted, by this name.
extern "C" [[gnu::noinline]] int64_t CountedSteps(talus::World* world,
                                                  talus::WorkerArena* workers) {
  int64_t sweeps = 0;
  for (int step = 0; step < talus::bench::kMeasuredSteps; ++step) {
    sweeps += talus::bench::StepWorld(*world, *workers).sweep_count;
  }
  return sweeps;
}

int main(int count, char** arguments) {
  using talus::bench::Fail;
  if (count == 3 && std::strcmp(arguments[1], "make") == 0) {
    std::ofstream file(arguments[2], std::ios::binary);
    file << talus::bench::MakeHeap().SaveSnapshot();
    file.close();
    if (!file) Fail(std::string("cannot write ") + arguments[2]);
    return 0;
  }
  if (count != 3 || std::strcmp(arguments[1], "step") != 0) {
    std::fprintf(stderr, "usage: %s make FILE | step FILE\n", arguments[0]);
    return 2;
  }
  std::ifstream file(arguments[2], std::ios::binary);
  const std::string snapshot{std::istreambuf_iterator<char>(file),
                             std::istreambuf_iterator<char>()};
  absl::StatusOr<talus::World> world = talus::World::Restore(snapshot);
  if (!world.ok()) Fail(std::string(world.status().message()));
  talus::WorkerArena alone(1);
  const int64_t sweeps = CountedSteps(&*world, &alone);
  std::printf("%lld contacts, %lld sweeps, state %s\n",
              static_cast<long long>(world->last_report().contact_count),
              static_cast<long long>(sweeps),
              talus::bench::FormatHash(world->state_hash()).c_str());
  return 0;
}
