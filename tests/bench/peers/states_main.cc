// Writes the states that peers are measured on, made by our own engine: those of the benchmarks
// beside this folder, from their store, and small ones.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <variant>

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
    "usage: %s FOLDER rest|flow|collapse|box|wall|drum|small|tiny|carried BODIES [STORE]\n"
    "  writes FOLDER/KIND-BODIES.json; the first six are states of the benchmarks, kept in STORE\n"
    "  (build/bench-states); the others have no spinning friction. small: packed in a box; tiny: "
    "on "
    "a plane;\n"
    "  carried: on a table that moves and turns\n";

const std::map<std::string, StateKind> kBenchKinds = {{"rest", StateKind::kPileRest},
                                                      {"flow", StateKind::kPileFlow},
                                                      {"collapse", StateKind::kPileCollapse},
                                                      {"box", StateKind::kBox},
                                                      {"wall", StateKind::kWall},
                                                      {"drum", StateKind::kDrum}};
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

// Spheres at rest on a table of two slabs that moves and turns under them: it takes them along.
SceneDef CarriedSpheres(int sphere_count) {
  constexpr double kFirst = 0.2;  // m, from the axis
  constexpr double kSpacing = 0.06;
  scenes::PackedSpheresOptions options;
  options.count = sphere_count;
  options.spinning_friction_m = 0.0;
  SceneDef scene = scenes::PackedSpheres(options);
  const double half_length = 0.5 * (2.0 * kFirst + kSpacing * sphere_count);
  BodyDef table;
  table.kind = BodyKind::kKinematic;
  table.linear_velocity_world_m_s = Vec3(0.3, 0.0, 0.05);
  table.angular_velocity_world_rad_s = Vec3(0.0, 0.0, 1.0);
  for (const double side : {-1.0, 1.0}) {
    const Pose pose{Vec3(side * half_length, 0.0, -0.05), Quat::Identity()};
    table.shapes.push_back(
        {Box{Vec3(half_length, 0.3, 0.05)}, pose, scene.bodies[0].shapes[0].material});
  }
  scene.bodies[0] = table;
  for (int k = 0; k < sphere_count; ++k) {
    BodyDef& sphere = scene.bodies[static_cast<size_t>(k) + 1];
    const double radius = std::get<Sphere>(sphere.shapes[0].geometry).radius_m;
    const double side = k % 2 == 0 ? 1.0 : -1.0;
    sphere.pose_world.position = Vec3(side * (kFirst + kSpacing * k), 0.0, radius);
  }
  return scene;
}

std::string MakeSnapshot(const std::string& kind, int count, const std::string& store) {
  const auto bench_kind = kBenchKinds.find(kind);
  if (bench_kind != kBenchKinds.end()) {
    return bench::LoadState({bench_kind->second, count, ContactLaw::kNcp, 1}, {store, false});
  }
  if (kind == "carried") return bench::MakeWorld(CarriedSpheres(count)).SaveSnapshot();
  return MakeSmall(count, kind == "tiny");
}

bool IsKind(const std::string& kind) {
  return kBenchKinds.contains(kind) || kind == "small" || kind == "tiny" || kind == "carried";
}

int Run(const std::string& folder, const std::string& kind, int count, const std::string& store) {
  const std::string snapshot = MakeSnapshot(kind, count, store);
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
  const std::string kind = argc >= 4 ? argv[2] : "";
  const int count = argc >= 4 ? std::atoi(argv[3]) : 0;
  if (argc > 5 || count < 1 || !talus::peers::IsKind(kind)) {
    std::fprintf(stderr, talus::peers::kUsage, argv[0]);
    return 2;
  }
  return talus::peers::Run(argv[1], kind, count, argc == 5 ? argv[4] : "build/bench-states");
}
