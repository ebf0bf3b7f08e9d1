// Writes the states that peers are measured on, made by our own engine: heaps of gravel settled on
// a tray and collapsing without walls, as in the benchmarks beside this folder, and small ones.
//
//   talus_peer_states FOLDER settled|collapsing|small|tiny SPHERES
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/bench/peers/later_scene.h"
#include "tests/bench/peers/peer_state.h"
#include "tests/bench/peers/text_file.h"
#include "tests/scenes/piles.h"

namespace talus::peers {
namespace {

constexpr double kSettleSeconds = 2.0;    // after the last particle has left the nozzle
constexpr double kCollapseSeconds = 0.4;  // after the walls are gone: flowing on all sides
constexpr int kRefineSteps = 8;           // at 1e-6: without the noise of a coarse tolerance

World MakeWorld(const SceneDef& scene) {
  absl::StatusOr<World> world = World::Create(scene);
  if (!world.ok()) {
    std::fprintf(stderr, "talus_peer_states: %s\n", std::string(world.status().message()).c_str());
    std::exit(2);
  }
  return *std::move(world);
}

// The scene after `seconds` more, at `tolerance`.
SceneDef Later(SceneDef scene, double seconds, double tolerance) {
  WorkerArena workers(2);
  scene.settings.solver.tolerance = tolerance;
  World world = MakeWorld(scene);
  while (world.time_s() < seconds - 1e-9) {
    if (!world.Step(workers).ok()) std::exit(2);
  }
  return WithoutPast(world, scene);
}

SceneDef PourGravel(int sphere_count, double tray_length_m) {
  scenes::GravelPileOptions options;
  options.particles = sphere_count;
  options.rolling_friction_m = 0.005;
  options.spinning_friction_m = 0.005;
  options.walled = true;
  options.tray_length_m = tray_length_m;
  return Later(scenes::GravelPile(options), sphere_count / options.rate_per_s + kSettleSeconds,
               1e-3);
}

SceneDef Refine(const SceneDef& scene) {
  return Later(scene, kRefineSteps * scene.settings.time_step_s, 1e-6);
}

SceneDef MakeCollapsing(int sphere_count) {
  const SceneDef bin = PourGravel(sphere_count, 0.5 * std::cbrt(sphere_count / 2000.0));
  return Later(WithoutWalls(MakeWorld(bin), bin), kCollapseSeconds, 1e-3);
}

// Packed in a box until they rest, without spinning friction, which not every peer has.
SceneDef MakeSmall(int sphere_count) {
  scenes::PackedSpheresOptions options;
  options.count = sphere_count;
  options.spinning_friction_m = 0.0;
  return Refine(Later(scenes::PackedSpheres(options), kSettleSeconds, 1e-3));
}

// The same, dropped onto a plane that has no walls.
SceneDef MakeTiny(int sphere_count) {
  scenes::PackedSpheresOptions options;
  options.count = sphere_count;
  options.spinning_friction_m = 0.0;
  SceneDef scene = scenes::PackedSpheres(options);
  scene.bodies[0].shapes[0].geometry = Plane{};
  return Refine(Later(scene, kSettleSeconds, 1e-4));
}

int Run(const std::string& folder, const std::string& kind, int count) {
  SceneDef scene;
  if (kind == "settled") {
    scene = Refine(PourGravel(count, 2.0));
  } else if (kind == "collapsing") {
    scene = MakeCollapsing(count);
  } else {
    scene = kind == "small" ? MakeSmall(count) : MakeTiny(count);
  }
  const std::string id = kind + "-" + std::to_string(count);
  const absl::StatusOr<PeerState> state = MakePeerState(id, scene);
  absl::Status status = state.status();
  if (status.ok()) status = WriteTextFile(folder + "/" + id + ".json", ToJson(*state));
  if (!status.ok()) {
    std::fprintf(stderr, "talus_peer_states: %s\n", std::string(status.message()).c_str());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace talus::peers

int main(int argc, char** argv) {
  const std::string kind = argc == 4 ? argv[2] : "";
  const int count = argc == 4 ? std::atoi(argv[3]) : 0;
  const bool heap = kind == "settled" || kind == "collapsing";
  if (!(heap && count >= 500) && !((kind == "small" || kind == "tiny") && count >= 1)) {
    std::fprintf(stderr,
                 "usage: %s FOLDER settled|collapsing|small|tiny SPHERES\n"
                 "  settled and collapsing need 500 spheres or more\n",
                 argv[0]);
    return 2;
  }
  return talus::peers::Run(argv[1], kind, count);
}
