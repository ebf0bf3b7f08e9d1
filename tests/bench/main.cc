// The benchmarks: heaps of spheres settled and collapsing, every solver from a cold start, and the
// warm steps users pay for. The residual is checked and the state hash printed before any time
// counts.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "tests/bench/measure.h"
#include "tests/scenes/later_scene.h"
#include "tests/scenes/piles.h"

namespace talus::bench {
namespace {

constexpr double kSettleSeconds = 2.0;  // after the last particle has left the nozzle
// Steps solved to 1e-6 at the end: before them the gaps still carry the noise of the tolerance that
// the pile settled with, which no pile at rest has.
constexpr int kRefineSteps = 8;
constexpr double kCollapseSeconds = 0.4;  // after the walls are gone: flowing on all sides

struct State {
  std::string name;
  ContactLaw law;  // that it came about under
  SceneDef scene;
};

struct PourOptions {
  int sphere_count;
  double tray_length_m;
  ContactLaw law;
  uint64_t seed;
};

// Gravel (rho = sigma = 5 mm) poured onto a walled tray until it rests.
SceneDef PourGravel(const PourOptions& pour, WorkerArena& workers) {
  scenes::GravelPileOptions options;
  options.particles = pour.sphere_count;
  options.rolling_friction_m = 0.005;
  options.spinning_friction_m = 0.005;
  options.walled = true;
  options.tray_length_m = pour.tray_length_m;
  options.seed = pour.seed;
  SceneDef scene = scenes::GravelPile(options);
  scene.settings.solver.law = pour.law;
  scene.settings.solver.tolerance = 1e-3;
  World world = MakeWorld(scene);
  const double end = pour.sphere_count / options.rate_per_s + kSettleSeconds;
  while (world.time_s() < end) StepWorld(world, workers);
  return scenes::WithoutPast(world, scene);
}

State MakeSettled(int sphere_count, ContactLaw law, uint64_t seed, WorkerArena& workers) {
  SceneDef scene = PourGravel({sphere_count, 2.0, law, seed}, workers);
  scene.settings.solver.tolerance = 1e-6;
  World world = MakeWorld(scene);
  for (int step = 0; step < kRefineSteps; ++step) StepWorld(world, workers);
  return {"settled-" + std::to_string(sphere_count) + "-seed" + std::to_string(seed), law,
          scenes::WithoutPast(world, scene)};
}

// A bin about as wide as it is filled high, whose walls vanish.
State MakeCollapsing(int sphere_count, ContactLaw law, uint64_t seed, WorkerArena& workers) {
  const double length = 0.5 * std::cbrt(sphere_count / 2000.0);
  const SceneDef bin = PourGravel({sphere_count, length, law, seed}, workers);
  const SceneDef open = scenes::WithoutWalls(MakeWorld(bin), bin);
  World world = MakeWorld(open);
  while (world.time_s() < kCollapseSeconds) StepWorld(world, workers);
  return {"collapsing-" + std::to_string(sphere_count) + "-seed" + std::to_string(seed), law,
          scenes::WithoutPast(world, open)};
}

SceneDef With(SceneDef scene, ContactLaw law, SolverKind solver, double tolerance, int max_sweeps) {
  scene.settings.solver = {law, solver, tolerance, max_sweeps, true};
  return scene;
}

// Every solver of the state's law from a cold start, then warm steps of its default solver.
void MeasureState(const State& state, int max_sweeps, int repeats, std::vector<BenchRow>& rows) {
  const std::pair<ContactLaw, SolverKind> solvers[] = {
      {ContactLaw::kNcp, SolverKind::kAlartCurnier},
      {ContactLaw::kCcp, SolverKind::kAcceleratedPsor},
      {ContactLaw::kCcp, SolverKind::kPsor},
      {ContactLaw::kCcp, SolverKind::kApgd}};
  for (const auto& [law, solver] : solvers) {
    if (law != state.law) continue;
    rows.push_back(MeasureColdStep(state.name + "-cold",
                                   With(state.scene, law, solver, 1e-4, max_sweeps), 1, repeats));
  }
  for (const int threads : {1, 2}) {
    World world = MakeWorld(With(state.scene, state.law, SolverKind::kLawDefault, 1e-3, 1000));
    rows.push_back(MeasureSteps(state.name + "-warm", world, threads, 40));
  }
}

// Two rows of the same steps on different numbers of threads must end in the same state.
bool HashesAgree(const std::vector<BenchRow>& rows) {
  for (const BenchRow& a : rows) {
    for (const BenchRow& b : rows) {
      if (a.id == b.id && a.law == b.law && a.solver == b.solver && a.state_hash != b.state_hash) {
        std::fprintf(stderr, "bench: %s differs between %d and %d threads\n", a.id.c_str(),
                     a.threads, b.threads);
        return false;
      }
    }
  }
  return true;
}

// Under each law with heaps of its own making: CCP opens moving contacts, so that a heap which NCP
// made would first have to swell.
void MeasureSize(int size, uint64_t seed, int repeats, std::vector<BenchRow>& rows) {
  WorkerArena workers(2);
  const int max_sweeps = size > 4000 ? 500 : 2000;
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    std::fprintf(stderr, "bench: %d spheres under %s, seed %d: settled and collapsing\n", size,
                 law == ContactLaw::kNcp ? "NCP" : "CCP", static_cast<int>(seed));
    MeasureState(MakeSettled(size, law, seed, workers), max_sweeps, repeats, rows);
    MeasureState(MakeCollapsing(size, law, seed, workers), max_sweeps, repeats, rows);
  }
}

struct Options {
  bool quick = false;
  int spheres = 0;  // 0: the sizes of the published table
  const char* json_file = nullptr;
};

std::vector<BenchRow> Measure(const Options& options) {
  std::vector<BenchRow> rows;
  const int repeats = options.quick ? 1 : 3;
  if (options.spheres != 0) {
    MeasureSize(options.spheres, 1, repeats, rows);
    return rows;
  }
  const std::vector<int> sizes =
      options.quick ? std::vector<int>{2000} : std::vector<int>{500, 2000, 8000};
  for (const int size : sizes) MeasureSize(size, 1, repeats, rows);
  // One heap is one draw: the others of the size that goals are set for.
  if (!options.quick) {
    for (const uint64_t seed : {2, 3}) MeasureSize(2000, seed, repeats, rows);
  }
  return rows;
}

int Run(const Options& options) {
  const std::vector<BenchRow> rows = Measure(options);
  std::fputs(ToTable(rows).c_str(), stdout);
  if (options.json_file != nullptr) {
    std::ofstream file(options.json_file);
    file << ToJson(rows);
    file.close();
    if (!file) {
      std::fprintf(stderr, "bench: cannot write %s\n", options.json_file);
      return 2;
    }
  }
  return HashesAgree(rows) ? 0 : 1;
}

// False when `text` is no number of spheres that the heaps can be made of: fewer would fall beside
// their bin.
bool ParseSpheres(const char* text, int& spheres) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  spheres = static_cast<int>(value);
  return *text != '\0' && *end == '\0' && value >= 500 && value <= 1'000'000;
}

}  // namespace
}  // namespace talus::bench

int main(int argc, char** argv) {
  talus::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    const bool has_value = i + 1 < argc;
    if (std::strcmp(argv[i], "--quick") == 0) {
      options.quick = true;
    } else if (std::strcmp(argv[i], "--json") == 0 && has_value) {
      options.json_file = argv[++i];
    } else if (std::strcmp(argv[i], "--spheres") != 0 || !has_value ||
               !talus::bench::ParseSpheres(argv[++i], options.spheres)) {
      std::fprintf(stderr, "usage: %s [--quick] [--spheres N, 500 to 1000000] [--json FILE]\n",
                   argv[0]);
      return 2;
    }
  }
  return talus::bench::Run(options);
}
