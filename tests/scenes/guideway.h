// The linear guideway of [TA] §6.2: a block that rolls on a rail on four rows of balls at 45°.
//
// Rail along x, load along −y. Each ball stands between a race of the rail and one of the block,
// two parallel faces: 36 balls, 72 contacts. The load closes the two upper rows; the two lower ones
// stand in a clearance, so that what the upper rows carry follows from the load alone: 346.5 N a
// row. How a row divides that among its nine balls does not: rigid balls between rigid faces can
// share it in any way, and only the sum is asked for. Races are longer than a block's and balls do
// not recirculate: the guide therefore holds the three rotations, which in a real block the balls
// that come back hold; it leaves x to the drive, and y and z to the balls, because a load that the
// guide took would not reach them. No gravity.
#pragma once

#include <string>

#include "solver/scene/scene_def.h"
#include "solver/world/world.h"

namespace talus::scenes {

struct Guideway {
  double load_n = 490.0;               // F_y
  double seal_n = 0.0;                 // S; 5.3 in the paper
  double rolling_friction_m = 1.6e-5;  // ρ = ζ R_b with ζ = 0.005
  double sliding_friction = 0.15;
  double speed_m_s = 0.1;         // at the start, of the block; balls roll along
  double drive_speed_m_s = 0.1;   // target of the drive
  double drive_force_n = 1000.0;  // its limit
  // Where the load comes from: 0 a force, else a spring of this stiffness (N/m) that is compressed
  // to it, as in a preloaded block, where what lifts the block meets resistance.
  double stiffness_n_m = 0.0;
  double time_step_s = 1e-3;
  ContactLaw law = ContactLaw::kNcp;
  double tolerance = 1e-10;
  int32_t max_sweeps = 4000;

  // Takes the load from a spring of HertzStiffness(), and asks for what a step can then give. It is
  // driven by the spring's deflection alone, F_y / k h in the block's row. A residual of 10⁻⁶ of
  // that is, in the rows of balls that are √(2 kg / 1.08 g) = 43 times as easily moved, 4.3·10⁻⁵ of
  // the deflection at either face, so 6·10⁻⁵ of the force. The first step, in which CCP lifts all
  // contacts at once, takes the most iterations, hundreds.
  void Preload();

  SceneDef Build() const;
};

inline constexpr double kBallRadius = 3.2e-3;    // R_b, m
inline constexpr double kClearance = 1e-5;       // of a ball in the lower rows, at either face, m
inline constexpr double kBlockMass = 2.0;        // kg
inline constexpr double kSteelDensity = 7850.0;  // kg/m³
inline constexpr int kRows = 4;
inline constexpr int kBallsInRow = 9;
inline constexpr size_t kBlockRow = 1;  // among the bodies; the rail is row 0, balls follow

// Hertz' tangent stiffness of the two loaded rows along y at 490 N, N/m: k = (6 E*² R F)^⅓ of one
// contact of a steel ball (E 210 GPa, ν 0.3) on a flat, two in series a ball, nine balls a row, two
// rows at 45°.
double HertzStiffness();

// What the drive pushes with, N, in the last step.
double DriveForce(const World& world);

// Of the normal forces between block and balls, N, in the last step.
struct RowLoads {
  double upper = 0.0;  // of both loaded rows together
  double lower = 0.0;
  double left = 0.0;  // of the upper row at z < 0
};
RowLoads SumNormalForces(const World& world);

}  // namespace talus::scenes
