// Steps the gravel pile in this process and prints the state hash: what the solver library says by
// itself. Usage: pile_hash PARTICLES SEED STEPS THREADS
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "solver/parallel/worker_arena.h"
#include "solver/world/world.h"
#include "tests/scenes/piles.h"

int main(int count, char** arguments) {
  if (count != 5) {
    std::cerr << "usage: pile_hash PARTICLES SEED STEPS THREADS\n";
    return 2;
  }
  talus::scenes::GravelPileOptions options;
  options.particles = std::stoll(arguments[1]);
  options.seed = std::stoull(arguments[2]);
  absl::StatusOr<talus::World> world = talus::World::Create(talus::scenes::GravelPile(options));
  if (!world.ok()) {
    std::cerr << world.status() << "\n";
    return 1;
  }
  std::cout << world->state_hash() << "\n";
  talus::WorkerArena workers(std::stoi(arguments[4]));
  for (int64_t step = std::stoll(arguments[3]); step > 0; --step) {
    const absl::StatusOr<talus::StepReport> report = world->Step(workers);
    if (!report.ok()) {
      std::cerr << report.status() << "\n";
      return 1;
    }
  }
  std::cout << world->state_hash() << "\n";
  return 0;
}
