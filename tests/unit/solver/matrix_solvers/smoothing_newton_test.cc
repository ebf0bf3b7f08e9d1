#include "solver/matrix_solvers/smoothing_newton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "solver/matrix_solvers/block_map.h"
#include "solver/matrix_solvers/gauss_seidel.h"
#include "tests/scenes/rolling_problems.h"
#include "tests/scenes/rolling_scenes.h"
#include "tests/scenes/step_problem.h"
#include "tests/support/matrix_problems.h"

namespace talus::matrix {
namespace {

using testing::ScaledRollingProblem;

ScaledProblem TowerThatCannotRoll(uint64_t seed) {
  SceneDef scene = scenes::LeaningTower(12, 0.3, seed);
  scenes::SetRollingFriction(1.0, 1.0, scene);
  return ScaleProblem(scenes::MakeStepProblem(scene));
}

struct Descent {
  double least = std::numeric_limits<double>::infinity();  // residual
  Eigen::VectorXd impulse;                                 // that leaves it
  int growths = 0;                                         // of the rounding
  double last_rounding = 0.0;
};

Descent Descend(const ScaledProblem& problem, Eigen::VectorXd from, int factorizations) {
  SmoothingNewton newton(problem, std::move(from));
  Descent descent;
  double rounding = newton.rounding();
  while (newton.factorization_count() < factorizations && newton.Advance()) {
    const Eigen::VectorXd impulse = MapBlocks(problem, ContactLaw::kNcp, newton.impulse());
    const double residual =
        ComputeResidual(problem, ContactLaw::kNcp, impulse, VelocityOf(problem, impulse));
    if (residual < descent.least) {
      descent.least = residual;
      descent.impulse = impulse;
    }
    if (newton.rounding() > rounding) ++descent.growths;
    rounding = newton.rounding();
  }
  descent.last_rounding = newton.rounding();
  return descent;
}

Eigen::VectorXd Nothing(const ScaledProblem& problem) {
  return Eigen::VectorXd::Zero(problem.free_rows.size());
}

TEST(SmoothingNewton, ComesNearInTensOfFactorisations) {
  for (const char* name :
       {"pile_8_resting", "pile_70_resting", "pile_120_resting", "stack_10_mass_1e4", "groove_2"}) {
    SCOPED_TRACE(name);
    const ScaledProblem problem = ScaledRollingProblem(name);
    EXPECT_LE(Descend(problem, Nothing(problem), 60).least, 1e-3);
  }
}

TEST(SmoothingNewton, RoundsMoreWhereItIsHeldUp) {
  int growths = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const ScaledProblem problem = TowerThatCannotRoll(seed);
    const Descent descent = Descend(problem, Nothing(problem), 80);
    EXPECT_LE(descent.least, 1e-3);
    growths += descent.growths;
  }
  EXPECT_GT(growths, 0);
}

// What a step before has left is worth its factorisations.
TEST(SmoothingNewton, IsQuickFromNearBy) {
  const ScaledProblem problem = ScaledRollingProblem("pile_70_resting");
  const Descent cold = Descend(problem, Nothing(problem), 80);
  ASSERT_LE(cold.least, 1e-3);
  EXPECT_LE(Descend(problem, cold.impulse, 8).least, 1e-3);
  EXPECT_GT(Descend(problem, Nothing(problem), 8).least, 1e-3);
}

TEST(SmoothingNewton, EndsWhereTheRoundingMattersNoMore) {
  const ScaledProblem problem = ScaledRollingProblem("pile_8_resting");
  const Descent descent = Descend(problem, Nothing(problem), 1000);
  EXPECT_LE(descent.last_rounding, 1e-6);
  EXPECT_LE(descent.least, 1e-6);
}

TEST(SmoothingNewton, IsStoppedWithinAFactorisation) {
  const ScaledProblem problem = ScaledRollingProblem("pile_8_resting");
  int asked = 0;
  SmoothingNewton newton(problem, Nothing(problem), {.stop = [&] { return ++asked >= 4; }});
  while (newton.Advance()) EXPECT_LT(asked, 4);
  EXPECT_EQ(asked, 4);
}

}  // namespace
}  // namespace talus::matrix
