#include "tests/bench/bench_world.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "absl/strings/ascii.h"
#include "solver/state/snapshot.h"

namespace talus::bench {
namespace {

template <typename T>
T ValueOrFail(absl::StatusOr<T> value) {
  if (!value.ok()) Fail(std::string(value.status().message()));
  return *std::move(value);
}

// A world names its solver; that of a scene description may be the law's own.
SolverSettings Resolve(SolverSettings settings) {
  settings.solver = ResolveSolver(settings);
  return settings;
}

World Reopen(const SceneState& state) {
  return ValueOrFail(World::Restore(talus::SaveSnapshot(state)));
}

}  // namespace

void Fail(const std::string& reason) {
  std::fprintf(stderr, "bench: %s\n", reason.c_str());
  std::exit(1);
}

World MakeWorld(const SceneDef& scene) { return ValueOrFail(World::Create(scene)); }

World RestoreWith(std::string_view snapshot, const SolverSettings& settings) {
  SceneState state = ValueOrFail(RestoreSnapshot(snapshot));
  state.settings.solver = Resolve(settings);
  return Reopen(state);
}

World RestoreSleepy(std::string_view snapshot, const SolverSettings& settings) {
  SceneState state = ValueOrFail(RestoreSnapshot(snapshot));
  state.settings.solver = Resolve(settings);
  state.settings.sleep = SleepSettings();
  return Reopen(state);
}

World RestoreCold(std::string_view snapshot, const SolverSettings& settings) {
  SceneState state = ValueOrFail(RestoreSnapshot(snapshot));
  state.settings.solver = Resolve(settings);
  state.contact_cache.Clear();
  return Reopen(state);
}

World RestoreApart(std::string_view snapshot) {
  SceneState state = ValueOrFail(RestoreSnapshot(snapshot));
  state.contact_cache.Clear();
  state.emitters.clear();
  const std::span<const Vec3> old = state.bodies.positions();
  std::vector<Vec3> positions(old.begin(), old.end());
  std::vector<Quat> orientations(state.bodies.orientations().begin(),
                                 state.bodies.orientations().end());
  std::vector<Vec3> linear(positions.size(), Vec3::Zero());
  std::vector<Vec3> angular(positions.size(), Vec3::Zero());
  const auto side = static_cast<size_t>(std::ceil(std::cbrt(static_cast<double>(old.size()))));
  for (size_t row = 0; row < positions.size(); ++row) {
    if (state.bodies.kinds()[row] != BodyKind::kDynamic) continue;
    const auto place = [&](size_t index) { return 0.5 * static_cast<double>(index % side); };
    positions[row] = Vec3(place(row), place(row / side), 100.0 + place(row / (side * side)));
  }
  state.bodies.SwapMotion(positions, orientations, linear, angular);
  return Reopen(state);
}

StepReport StepWorld(World& world, WorkerArena& workers) {
  return ValueOrFail(world.Step(workers));
}

const char* LawName(ContactLaw law) {
  switch (law) {
    case ContactLaw::kNcp:
      return "ncp";
    case ContactLaw::kCcp:
      return "ccp";
    case ContactLaw::kBox:
      return "box";
    case ContactLaw::kPolygonal:
      return "polygonal";
    case ContactLaw::kBristle:
      return "bristle";
  }
  return "";
}

std::string SolverName(ContactLaw law, SolverKind solver) {
  return absl::AsciiStrToLower(NameOf(ResolveSolver({.law = law, .solver = solver})));
}

std::string FormatHash(uint64_t hash) {
  char text[24];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace talus::bench
