// [AB] §6.1, Fig. 3: a sphere sliding and rolling on a plane, R 0.5 m, U₀ 2.5 m/s, g 9.81 m/s².
//
// The exact motion: with no slip and the friction needed, (5/7) ρ m g / R, below μ m g, the sphere
// decelerates by (5/7) ρ g / R. Else sliding and rolling friction act independently,
//   U' = −μ g sgn(slip),   Ω' = (5 / (2 R²)) (R μ g sgn(slip) − ρ g sgn(Ω)).
// Values with all digits from these formulas. Tolerance 10⁻³ relative throughout. What the scheme
// owes: distances are short by h U₀ / 2 to first order and times are resolved to one step, so that
// with h = 10⁻³ s (a) and (c) are off by 2.2·10⁻⁴ relative at most. The slip of (b) ends after 0.25
// s, of which a step of 10⁻³ s would be four times the tolerance: (b) takes 10⁻⁴ s, with which its
// times are off by 3.9·10⁻⁴ and its distances by (h U₀ / 2 + one step of 2 m/s) / 0.57 m
// = 5.7·10⁻⁴.
#include <cmath>

#include "tests/scenes/single_body.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {
namespace {

constexpr double kRelative = 1e-3;
// Below this (m/s, rad/s) the sphere or its spin counts as stopped; steps change it by some 10⁻³.
constexpr double kStopped = 1e-9;

Result Near(const char* id, double value, double expected, const char* unit) {
  return {id, "AB §6.1 Fig. 3", value, expected, kRelative * std::abs(expected), unit};
}

double Slip(const Moment& m) { return m.velocity.x() - 0.5 * m.spin.y(); }
bool Stopped(const Moment& m) {
  return std::abs(m.velocity.x()) < kStopped && std::abs(m.spin.y()) < kStopped;
}

void AddRolling(ResultSheet& sheet) {
  World world = MakeWorld(scenes::SphereOnPlane(5.0, 0.2, 0.04).Build());
  const Moment end = RunUntil(world, 1, 10.0, Stopped);
  sheet.Add(Near("AB-fig3a-stop-time", end.time_s, 4.459734964, "s"));
  sheet.Add(Near("AB-fig3a-distance", end.position.x(), 5.574668705, "m"));
}

void AddSlipThenRoll(ResultSheet& sheet) {
  scenes::BallOnPlane ball = scenes::SphereOnPlane(2.5, 0.2, 0.04);
  ball.time_step_s = 1e-4;
  World world = MakeWorld(ball.Build());
  const Moment grip =
      RunUntil(world, 1, 10.0, [](const Moment& m) { return std::abs(Slip(m)) < kStopped; });
  sheet.Add(Near("AB-fig3b-slip-end-time", grip.time_s, 0.254841998, "s"));
  sheet.Add(Near("AB-fig3b-slip-end-distance", grip.position.x(), 0.573394495, "m"));
  sheet.Add(Near("AB-fig3b-slip-end-speed", grip.velocity.x(), 2.0, "m/s"));
  sheet.Add(Near("AB-fig3b-slip-end-spin", grip.spin.y(), 4.0, "rad/s"));
  const Moment end = RunUntil(world, 1, 10.0, Stopped);
  sheet.Add(Near("AB-fig3b-stop-time", end.time_s, 3.822629969, "s"));
  sheet.Add(Near("AB-fig3b-distance", end.position.x(), 4.141182467, "m"));
}

void AddSpinStopsFirst(ResultSheet& sheet) {
  World world = MakeWorld(scenes::SphereOnPlane(5.0, 0.05, 0.04).Build());
  const Moment spin_stop =
      RunUntil(world, 1, 10.0, [](const Moment& m) { return std::abs(m.spin.y()) < kStopped; });
  sheet.Add(Near("AB-fig3c-spin-stop-time", spin_stop.time_s, 3.397893306, "s"));
  sheet.Add(Near("AB-fig3c-spin-stop-distance", spin_stop.position.x(), 5.663155510, "m"));
  sheet.Add(Near("AB-fig3c-spin-stop-speed", spin_stop.velocity.x(), 2.5 / 3.0, "m/s"));
  const Moment end = RunUntil(world, 1, 10.0, Stopped);
  sheet.Add(Near("AB-fig3c-stop-time", end.time_s, 5.096839959, "s"));
  sheet.Add(Near("AB-fig3c-distance", end.position.x(), 6.371049949, "m"));
}

}  // namespace

void AddSphereOnPlane(ResultSheet& sheet) {
  AddRolling(sheet);
  AddSlipThenRoll(sheet);
  AddSpinStopsFirst(sheet);
}

}  // namespace talus::validation
