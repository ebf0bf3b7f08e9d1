#include "solver/matrix_solvers/solve_track.h"

#include <gtest/gtest.h>

#include "solver/matrix_solvers/gauss_seidel.h"
#include "tests/scenes/rolling_problems.h"

namespace talus::matrix {
namespace {

constexpr int32_t kPatience = 100;

// Whether it ends when the same impulses are noted again and again, sixty sweeps each.
bool Ends(bool excused) {
  const ScaledProblem problem = ScaleProblem(scenes::MakeRollingProblem("pile_12_falling"));
  const Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem.free_rows.size());
  SolveTrack track(problem, {.tolerance = 1e-8, .max_sweeps = 10000}, kPatience);
  for (int i = 0; i < 10; ++i) {
    if (track.Note(impulse, VelocityOf(problem, impulse), 60)) return true;
    if (excused) track.Excuse();
  }
  return false;
}

TEST(SolveTrack, StallsWhenItsPatienceIsOver) { EXPECT_TRUE(Ends(false)); }

TEST(SolveTrack, HoldsNothingAgainstWhatIsExcused) { EXPECT_FALSE(Ends(true)); }

}  // namespace
}  // namespace talus::matrix
