// A wheel without width on a plane, leaning, spinning and slipping until it rolls: the comparison
// of friction laws in [RB], table 1.
//
// Scenes have no disc, so the one contact is found here, at the lowest point of the rim, and the
// wheel is moved on by solver/integrator. The contact is solved in one of two ways: as matrices
// that are assembled here, by a law of solver/lcp or under NCP; or as a step of a scene does it, by
// the ContactSolver, from the impulses of the last step in world axes.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/base/math.h"

namespace talus::scenes {

enum class WheelLaw : uint8_t { kNcp = 0, kBristle = 1, kPolygonal = 2, kBox = 3 };

enum class WheelSolver : uint8_t { kMatrices = 0, kStep = 1 };

struct WheelMoment {
  double time_s = 0.0;
  Vec3 force = Vec3::Zero();  // of the plane on the wheel, N, world axes
  Vec3 slip = Vec3::Zero();   // of the rim against the plane at the end of the step, m/s
  double gap = 0.0;           // of the rim, m
  double residual = 0.0;      // of the solve, by the law's own measure
};

// From the start for `end_time_s`, one moment a step.
std::vector<WheelMoment> RollWheel(WheelLaw law, double time_step_s, double end_time_s,
                                   WheelSolver solver = WheelSolver::kMatrices);

// What the solve of a step is asked for: far below what steps of 1 ms change, 3 N h = 3e-3 N s.
constexpr double kWheelTolerance = 1e-11;

// Slip below it is none to the bristles, and to what is measured: v_th, m/s.
constexpr double kWheelSlipThreshold = 0.01;

}  // namespace talus::scenes
