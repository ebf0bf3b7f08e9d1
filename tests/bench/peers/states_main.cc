// Writes the states that peers are measured on, made by our own engine: those of the benchmarks
// beside this folder, from their store, and small ones.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "solver/state/snapshot.h"
#include "tests/bench/bench_state.h"
#include "tests/bench/bench_world.h"
#include "tests/bench/peers/peer_state.h"
#include "tests/bench/peers/text_file.h"
#include "tests/scenes/piles.h"

namespace talus::peers {
namespace {

using bench::StateKind;

constexpr char kUsage[] =
    "usage: %s FOLDER rest|flow|collapse|box|wall|small|tiny BODIES [STORE]\n"
    "  writes FOLDER/KIND-BODIES.json; the first five are states of the benchmarks, kept in STORE\n"
    "  (build/bench-states); small: packed in a box, tiny: on a plane, both without spinning "
    "friction\n";

const std::map<std::string, StateKind> kBenchKinds = {{"rest", StateKind::kPileRest},
                                                      {"flow", StateKind::kPileFlow},
                                                      {"collapse", StateKind::kPileCollapse},
                                                      {"box", StateKind::kBox},
                                                      {"wall", StateKind::kWall}};
constexpr double kSettleSeconds = 2.0;
constexpr int kRefineSteps = 8;  // at 1e-6: without the noise of a coarse tolerance

void StepAt(World& world, double tolerance, double until_s) {
  SolverSettings settings = world.settings().solver;
  settings.tolerance = tolerance;
  world = bench::RestoreWith(world.SaveSnapshot(), settings);
  WorkerArena workers(2);
  while (world.time_s() < until_s - 1e-9) bench::StepWorld(world, workers);
}

// Spheres packed in a box, or dropped onto a plane, until they rest; without spinning friction,
// which not every peer has.
std::string MakeSmall(int sphere_count, bool on_plane) {
  scenes::PackedSpheresOptions options;
  options.count = sphere_count;
  options.spinning_friction_m = 0.0;
  SceneDef scene = scenes::PackedSpheres(options);
  if (on_plane) scene.bodies[0].shapes[0].geometry = Plane{};
  World world = bench::MakeWorld(scene);
  StepAt(world, on_plane ? 1e-4 : 1e-3, kSettleSeconds);
  StepAt(world, 1e-6, kSettleSeconds + kRefineSteps * scene.settings.time_step_s);
  return world.SaveSnapshot();
}

int Run(const std::string& folder, const std::string& kind, int count, const std::string& store) {
  const auto bench_kind = kBenchKinds.find(kind);
  const std::string snapshot =
      bench_kind == kBenchKinds.end()
          ? MakeSmall(count, kind == "tiny")
          : bench::LoadState({bench_kind->second, count, ContactLaw::kNcp, 1}, {store, false});
  const std::string id = kind + "-" + std::to_string(count);
  absl::Status status;
  const absl::StatusOr<SceneState> scene = RestoreSnapshot(snapshot);
  status.Update(scene.status());
  if (status.ok()) {
    const absl::StatusOr<PeerState> state = MakePeerState(id, *scene);
    status.Update(state.status());
    if (status.ok()) status.Update(WriteTextFile(folder + "/" + id + ".json", ToJson(*state)));
  }
  if (status.ok()) return 0;
  std::fprintf(stderr, "talus_peer_states: %s\n", std::string(status.message()).c_str());
  return 2;
}

}  // namespace
}  // namespace talus::peers

int main(int argc, char** argv) {
  using talus::peers::kBenchKinds;
  const std::string kind = argc >= 4 ? argv[2] : "";
  const int count = argc >= 4 ? std::atoi(argv[3]) : 0;
  if (argc > 5 || count < 1 || !(kBenchKinds.contains(kind) || kind == "small" || kind == "tiny")) {
    std::fprintf(stderr, talus::peers::kUsage, argv[0]);
    return 2;
  }
  return talus::peers::Run(argv[1], kind, count, argc == 5 ? argv[4] : "build/bench-states");
}
