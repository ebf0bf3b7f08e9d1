#include "solver/matrix_solvers/smoothed_system.h"

#include <gtest/gtest.h>

#include <string>

#include "solver/base/random.h"
#include "tests/scenes/rolling_problems.h"

namespace talus::matrix {
namespace {

constexpr uint64_t kSmoothedSystemSeed = 29;

class SmoothedSystemTest : public ::testing::TestWithParam<std::string> {
 protected:
  const ScaledProblem problem_ = ScaleProblem(scenes::MakeRollingProblem(GetParam()));
};

// F_γ δ = r, by what F changes by along δ.
TEST_P(SmoothedSystemTest, SolvesWithItsDerivative) {
  for (const double compliance : {0.0, 0.3}) {
    SCOPED_TRACE(compliance);
    SmoothedSystem system(problem_, compliance);
    Random random(kSmoothedSystemSeed);
    constexpr double kRounding = 0.4;
    Eigen::VectorXd impulse = system.Beginning(1.0);
    Eigen::VectorXd right(impulse.size());
    for (double& value : impulse) value += random.Uniform(-0.3, 0.3) * system.typical_impulse();
    for (double& value : right) value = random.Uniform(-1.0, 1.0);
    const Eigen::VectorXd rest = system.RestOf(impulse, kRounding, true);
    EXPECT_GT(rest.norm(), 0.0);
    Eigen::VectorXd solution;
    ASSERT_TRUE(system.Factorize());
    ASSERT_TRUE(system.Solve(right, solution));
    const double step = 1e-6 * system.typical_impulse() / solution.cwiseAbs().maxCoeff();
    const Eigen::VectorXd change = (system.RestOf(impulse + step * solution, kRounding, false) -
                                    system.RestOf(impulse - step * solution, kRounding, false)) /
                                   (2.0 * step);
    EXPECT_LE((change - right).norm(), 1e-5 * right.norm());
    EXPECT_EQ(system.factorization_count(), 1);
  }
}

TEST_P(SmoothedSystemTest, LeavesNothingOfTheLawAsTheRoundingGoes) {
  // Where everything parts there are no impulses.
  ScaledProblem parting = problem_;
  parting.free_rows = SmoothedSystem(problem_, 0.0).Beginning(1.0);
  SmoothedSystem system(parting, 0.0);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(parting.free_rows.size());
  double last = system.RestOf(none, 1.0, false).norm();
  for (const double rounding : {1e-1, 1e-2, 1e-3}) {
    const double left = system.RestOf(none, rounding, false).norm();
    EXPECT_LT(left, 0.2 * last) << rounding;
    last = left;
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, SmoothedSystemTest,
                         ::testing::Values("pile_8_resting", "stack_10_mass_1e4", "groove_2"));

}  // namespace
}  // namespace talus::matrix
