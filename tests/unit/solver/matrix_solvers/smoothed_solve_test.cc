#include "solver/matrix_solvers/smoothed_solve.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "solver/matrix_solvers/gauss_seidel.h"
#include "tests/scenes/rolling_problems.h"

namespace talus::matrix {
namespace {

constexpr int32_t kLimit = 5000;

// From no impulses at all.
struct Smoothed {
  explicit Smoothed(const std::string& name, int32_t max_sweeps = kLimit,
                    std::function<bool()> stop = {}, double tolerance = 1e-14)
      : problem(ScaleProblem(scenes::MakeRollingProblem(name))),
        limits{.law = ContactLaw::kNcp,
               .tolerance = tolerance,
               .max_sweeps = max_sweeps,
               .stop = std::move(stop)},
        track(problem, limits, kLimit),
        impulse(Eigen::VectorXd::Zero(problem.free_rows.size())) {
    track.Note(impulse, VelocityOf(problem, impulse), 0);
    goes_on = SolveSmoothed(problem, limits, track, factorization_count, impulse);
  }
  double Residual() const {
    return ComputeResidual(problem, ContactLaw::kNcp, impulse, VelocityOf(problem, impulse));
  }

  ScaledProblem problem;
  SolveLimits limits;
  SolveTrack track;
  Eigen::VectorXd impulse;
  int32_t factorization_count = 0;
  bool goes_on = false;
};

TEST(SmoothedSolve, GoesToTheNearestAndCountsTheWay) {
  const Smoothed smoothed("pile_8_resting");
  EXPECT_TRUE(smoothed.goes_on);
  EXPECT_LT(smoothed.track.best_residual(), kFarAway);
  EXPECT_EQ(smoothed.impulse, smoothed.track.best());
  EXPECT_EQ(smoothed.Residual(), smoothed.track.best_residual());
  EXPECT_EQ(smoothed.factorization_count, smoothed.track.sweep_count());
  EXPECT_LE(smoothed.factorization_count, 80) << "no path was needed";
}

// There it would go to and fro between 10⁻⁵ and 10⁻⁴ until all its factorisations are made.
TEST(SmoothedSolve, LeavesNewtonsMethodToProximalStepsNearBy) {
  const Smoothed smoothed("stack_2_mass_1e4");
  EXPECT_TRUE(smoothed.goes_on);
  EXPECT_LT(smoothed.Residual(), kFarAway);
  EXPECT_LE(smoothed.factorization_count, 40);
}

TEST(SmoothedSolve, FollowsThePathWhereNewtonsMethodDoesNotComeNear) {
  const Smoothed smoothed("pile_40_kicked");
  EXPECT_TRUE(smoothed.goes_on);
  EXPECT_LT(smoothed.Residual(), kFarAway);
  EXPECT_GT(smoothed.factorization_count, 80);
}

// Impulses that are far away would lead proximal steps no better than those they had.
TEST(SmoothedSolve, StaysWhereNothingIsNear) {
  const Smoothed smoothed("pile_180_resting", 12);
  EXPECT_FALSE(smoothed.goes_on);
  EXPECT_EQ(smoothed.factorization_count, 12);
  EXPECT_GT(smoothed.track.best_residual(), kFarAway);
  EXPECT_TRUE(smoothed.impulse.isZero());
}

TEST(SmoothedSolve, EndsWithTheTrack) {
  EXPECT_FALSE(Smoothed("pile_8_resting", kLimit, {}, 1e-3).goes_on) << "solved";
  int asked = 0;
  const Smoothed stopped("pile_70_resting", kLimit, [&] { return ++asked >= 20; });
  EXPECT_FALSE(stopped.goes_on);
  EXPECT_LE(asked, 21);
}

}  // namespace
}  // namespace talus::matrix
