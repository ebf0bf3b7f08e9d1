#include "solver/matrix_solvers/interior_point.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "solver/matrix_solvers/gauss_seidel.h"
#include "tests/scenes/rolling_problems.h"
#include "tests/support/matrix_problems.h"
#include "tests/support/problem_files.h"

namespace talus::matrix {
namespace {

using testing::ScaledRollingProblem;

// The least residual of so many steps.
double Reach(const ScaledProblem& problem, int steps) {
  InteriorPoint middle(problem);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < steps; ++i) {
    middle.Advance();
    least = std::min(least, ComputeResidual(problem, ContactLaw::kCcp, middle.impulse(),
                                            VelocityOf(problem, middle.impulse())));
  }
  return least;
}

// Cold, and in as many factorisations whatever is in touch with what: where round-off ends it at
// the worst.
TEST(InteriorPoint, ComesTo1e5InTensOfFactorisations) {
  for (const char* name : {"pile_8_resting", "pile_70_resting", "pile_70_kicked", "stack_10",
                           "stack_3_mass_1e4", "lattice_4"}) {
    SCOPED_TRACE(name);
    EXPECT_LE(Reach(ScaledRollingProblem(name), 40), 1e-5);
  }
}

// W is all that there is: no velocities beneath.
TEST(InteriorPoint, SolvesBareMatrices) {
  for (const char* name : {"mf_multi_full_16", "mf_multi_redundant_64"}) {
    SCOPED_TRACE(name);
    EXPECT_LE(Reach(ScaleProblem(talus::testing::LoadProblem(name).problem), 40), 1e-5);
  }
}

TEST(InteriorPoint, KeepsInsideTheCones) {
  const ScaledProblem problem = ScaledRollingProblem("pile_20_kicked");
  InteriorPoint middle(problem);
  for (int i = 0; i < 15; ++i) {
    ASSERT_GT(middle.Advance(), 0.0);
    // Of a point inside the projection is the point, but for the rounding of its last digits.
    EXPECT_LE((ProjectBlocks(problem, middle.impulse()) - middle.impulse()).norm(),
              1e-14 * middle.impulse().norm());
  }
}

TEST(InteriorPoint, IsForContactsThatAreDriven) {
  ScaledProblem problem = ScaledRollingProblem("groove_2");
  EXPECT_TRUE(InteriorPoint::Applies(problem));
  problem.laws[1].kind = BlockLawKind::kBounds;
  EXPECT_FALSE(InteriorPoint::Applies(problem));
  problem = ScaledRollingProblem("groove_2");
  problem.free_scale = 0.0;
  EXPECT_FALSE(InteriorPoint::Applies(problem));
}

}  // namespace
}  // namespace talus::matrix
