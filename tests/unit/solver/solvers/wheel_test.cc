// The wheel of [RB] by the solver of a step against the same laws on matrices assembled by hand:
// the pipeline's blocks, frames and memory in world axes are in the one and not in the other.
#include "tests/scenes/wheel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace talus {
namespace {

using scenes::WheelLaw;
using scenes::WheelMoment;
using scenes::WheelSolver;

class WheelByStep : public ::testing::TestWithParam<WheelLaw> {};

TEST_P(WheelByStep, TakesTheWayOfTheMatrices) {
  constexpr double kTimeStep = 1e-3;
  constexpr double kEnd = 0.5;  // it slips all the while, and turns by a radian
  const auto by_matrices = RollWheel(GetParam(), kTimeStep, kEnd);
  const auto by_step = RollWheel(GetParam(), kTimeStep, kEnd, WheelSolver::kStep);
  ASSERT_EQ(by_step.size(), by_matrices.size());
  double force = 0.0;
  double slip = 0.0;
  for (size_t i = 0; i < by_step.size(); ++i) {
    force = std::max(force, (by_step[i].force - by_matrices[i].force).norm());
    slip = std::max(slip, (by_step[i].slip - by_matrices[i].slip).norm());
    EXPECT_LE(by_step[i].residual, scenes::kWheelTolerance) << "step " << i + 1;
    EXPECT_GT(by_matrices[i].slip.norm(), scenes::kWheelSlipThreshold);
  }
  RecordProperty("force", std::to_string(force));
  // Rounding: impulses of 1e-2 N s to 1e-16 and the solver's 1e-11 of them make forces to 1e-10 N
  // at h = 1e-3 s; 500 steps add them up at worst.
  EXPECT_LE(force, 500 * 1e-10);
  EXPECT_LE(slip, 500 * 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Laws, WheelByStep,
                         ::testing::Values(WheelLaw::kNcp, WheelLaw::kBristle, WheelLaw::kPolygonal,
                                           WheelLaw::kBox));

}  // namespace
}  // namespace talus
