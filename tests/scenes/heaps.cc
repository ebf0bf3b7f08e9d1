#include "tests/scenes/heaps.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/scenes/deposit.h"
#include "tests/scenes/gravel.h"

namespace talus::scenes {
namespace {

constexpr double kFilling = 0.56;  // share of the volume that deposited stones fill, about
constexpr double kSlope = 0.35;

double FindBulkVolume(int64_t stones) {
  const double stone = 4.0 / 3.0 * std::numbers::pi * kGravelRadius * kGravelRadius * kGravelRadius;
  return static_cast<double>(stones) * stone / kFilling;
}

double FindConeRadius(int64_t stones) {
  return std::cbrt(3.0 * FindBulkVolume(stones) / (std::numbers::pi * kSlope));
}

SceneDef MakeScene(BodyDef support, const std::vector<Vec3>& centers) {
  SceneDef scene;
  scene.materials.push_back(MakeGravel());
  scene.settings.time_step_s = 0.005;
  scene.bodies.push_back(std::move(support));
  for (const Vec3& center : centers) scene.bodies.push_back(MakeStone(center));
  return scene;
}

// Stones laid down in a square prism as high as wide, its side returned in `length_m`.
std::vector<Vec3> FillPrism(const HeapOptions& options, double& length_m) {
  length_m = std::cbrt(FindBulkVolume(options.stones)) + kGravelRadius;
  const double reach = 0.5 * length_m - kGravelRadius;
  const auto floor = [&](double x, double y) {
    const bool inside = std::abs(x) <= reach && std::abs(y) <= reach;
    return inside ? kGravelRadius : std::numeric_limits<double>::infinity();
  };
  Deposit deposit(kGravelRadius, reach, floor, options.seed);
  Random places(options.seed + 1);
  for (int64_t stone = 0; stone < options.stones; ++stone) {
    const double x = places.Uniform(-reach, reach);
    deposit.Drop(x, places.Uniform(-reach, reach));
  }
  return deposit.centers();
}

}  // namespace

double FindHeapTimeScale(int64_t stones) {
  return std::pow(static_cast<double>(stones) / 10'000.0, 1.0 / 6.0);
}

SceneDef Heap(const HeapOptions& options) {
  const double radius = FindConeRadius(options.stones);
  const auto floor = [](double, double) { return kGravelRadius; };
  Deposit deposit(kGravelRadius, 1.2 * radius, floor, options.seed);
  Random places(options.seed + 1);
  // As many fall at each distance as a cone is high there, so that it grows as cones in cones do.
  for (int64_t stone = 0; stone < options.stones;) {
    const double distance = places.Uniform();
    const double angle = places.Uniform(0.0, 2.0 * std::numbers::pi);
    if (places.Uniform() > 4.0 * distance * (1.0 - distance)) continue;
    deposit.Drop(radius * distance * std::cos(angle), radius * distance * std::sin(angle));
    ++stone;
  }
  return MakeScene(MakeGround(), deposit.centers());
}

SceneDef HeapUnderNozzle(const HeapOptions& options) {
  SceneDef scene = Heap(options);
  const double length = std::cbrt(static_cast<double>(options.stones) / 10'000.0);
  const double time = FindHeapTimeScale(options.stones);
  EmitterDef nozzle;
  nozzle.name = "nozzle";
  nozzle.nozzle_radius_m = 0.15 * length;
  nozzle.center_world_m =
      Vec3(0.0, 0.0, kSlope * FindConeRadius(options.stones) + 0.4 * length + kGravelRadius);
  nozzle.axis_world = -Vec3::UnitZ();
  nozzle.speed_m_s = 1.4 * time;
  nozzle.rate_per_s = 800.0 * length * length * time;
  nozzle.particle_count = options.stones;
  nozzle.seed = options.seed;
  nozzle.radius_min_m = kGravelRadius;
  nozzle.radius_max_m = kGravelRadius;
  nozzle.density_kg_m3 = kGravelDensity;
  nozzle.material = "gravel";
  scene.emitters.push_back(nozzle);
  return scene;
}

SceneDef Column(const HeapOptions& options) {
  double length = 0.0;
  const std::vector<Vec3> centers = FillPrism(options, length);
  return MakeScene(MakeGround(), centers);
}

SceneDef PackedBox(const HeapOptions& options) {
  double length = 0.0;
  const std::vector<Vec3> centers = FillPrism(options, length);
  return MakeScene(MakeTray(length, 1.5 * length), centers);
}

}  // namespace talus::scenes
