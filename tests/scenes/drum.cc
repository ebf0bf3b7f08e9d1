#include "tests/scenes/drum.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/scenes/deposit.h"
#include "tests/scenes/gravel.h"

namespace talus::scenes {
namespace {

constexpr int kStaves = 16;
constexpr double kThickness = 0.05;

BodyDef MakeDrum(double radius, double length, double turn_rad_s) {
  BodyDef drum;
  drum.name = "drum";
  drum.kind = BodyKind::kKinematic;
  drum.angular_velocity_world_rad_s = turn_rad_s * Vec3::UnitY();
  const double half_width = (radius + 2.0 * kThickness) * std::tan(std::numbers::pi / kStaves);
  const Vec3 stave(half_width, 0.5 * length + 2.0 * kThickness, kThickness);
  for (int k = 0; k < kStaves; ++k) {
    const Quat turn(Eigen::AngleAxisd(2.0 * std::numbers::pi * k / kStaves, Vec3::UnitY()));
    drum.shapes.push_back(
        {Box{stave}, Pose{turn * Vec3(0.0, 0.0, -radius - kThickness), turn}, "gravel"});
  }
  const double reach = radius + 2.0 * kThickness;
  for (const double side : {-1.0, 1.0}) {
    const Vec3 center(0.0, side * (0.5 * length + kThickness), 0.0);
    drum.shapes.push_back(
        {Box{Vec3(reach, kThickness, reach)}, Pose{center, Quat::Identity()}, "gravel"});
  }
  return drum;
}

}  // namespace

SceneDef Drum(const DrumOptions& options) {
  // Half of pi R² L with L = R holds the stones at a filling of 0.54.
  const double stone = 4.0 / 3.0 * std::numbers::pi * kGravelRadius * kGravelRadius * kGravelRadius;
  const double radius =
      std::cbrt(2.0 * static_cast<double>(options.stones) * stone / (0.54 * std::numbers::pi));
  const double inner = radius - kGravelRadius;
  const double reach_y = 0.5 * radius - kGravelRadius;
  const auto floor = [&](double x, double y) {
    const bool inside = std::abs(x) < inner && std::abs(y) <= reach_y;
    return inside ? -std::sqrt(inner * inner - x * x) : std::numeric_limits<double>::infinity();
  };
  Deposit deposit(kGravelRadius, inner, floor, options.seed);
  Random places(options.seed + 1);
  for (int64_t k = 0; k < options.stones; ++k) {
    const double x = 0.9 * places.Uniform(-inner, inner);
    deposit.Drop(x, places.Uniform(-reach_y, reach_y));
  }
  SceneDef scene;
  scene.materials.push_back(MakeGravel());
  scene.settings.time_step_s = 0.005;
  scene.bodies.push_back(MakeDrum(radius, radius, options.turn_rad_s));
  for (const Vec3& center : deposit.centers()) scene.bodies.push_back(MakeStone(center));
  return scene;
}

}  // namespace talus::scenes
