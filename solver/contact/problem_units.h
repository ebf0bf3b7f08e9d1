// The units that masses, lengths and speeds of a contact problem are held in where it is held in
// floats: powers of two that make the largest of each near one. Grains of dust and asteroids then
// have the same bits, and the squares that sweeps form stay within the range of a float.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "solver/contact/contact_block.h"

namespace talus {

// In SI.
struct ProblemUnits {
  double inverse_mass = 1.0;  // 1/kg
  double length = 1.0;        // m
  double speed = 1.0;         // m/s

  double turn() const { return speed / length; }                               // rad/s
  double force() const { return speed / inverse_mass; }                        // N s
  double torque() const { return force() * length; }                           // N m s
  double inverse_inertia() const { return inverse_mass / (length * length); }  // 1/(kg m²)
  double energy() const { return force() * speed; }                            // J

  double impulse(int row) const { return row < 3 ? force() : torque(); }
  // Of the metric's weights; steps are in their inverses.
  double weight(Part part) const {
    return part == kNormal || part == kSliding ? inverse_mass : inverse_inertia();
  }

  bool operator==(const ProblemUnits&) const = default;
};

// Units that make the largest inverse mass, inverse inertia and speed of these bodies near one.
ProblemUnits ChooseUnits(std::span<const BodyMotion> motions);
// Whether the moving ones among these bodies are enough alike for floats: steps that are far apart
// would come to the bounds of kLargestStored.
bool FitFloats(std::span<const BodyMotion> motions);

// A number as blocks hold it; floats keep to the bounds of kLargestStored.
template <typename Stored>
Stored Store(double value) {
  if constexpr (std::is_same_v<Stored, double>) return value;
  if (std::abs(value) < 1.0 / kLargestStored) return 0;
  return static_cast<Stored>(std::clamp(value, -kLargestStored, kLargestStored));
}

}  // namespace talus
