#include "solver/matrix/scaled_delassus.h"

#include <gtest/gtest.h>

#include <memory>

#include "solver/matrix/scaled_problem.h"
#include "tests/scenes/rolling_problems.h"

namespace talus {
namespace {

TEST(ScaledDelassus, IsTheMatrixBetweenItsSteps) {
  for (const char* name : {"ring_16_resting", "pile_8_kicked", "plane_4_moving"}) {
    MatrixProblem problem = scenes::MakeRollingProblem(name);
    problem.compliance.setLinSpaced(0.0, 1e-3);
    const ScaledProblem scaled = ScaleProblem(problem);
    const Eigen::MatrixXd with =
        problem.delassus.ToDense() + Eigen::MatrixXd(problem.compliance.asDiagonal());
    const Eigen::MatrixXd expected = scaled.steps.asDiagonal() * with * scaled.steps.asDiagonal();
    const Eigen::MatrixXd made = scaled.delassus.whole().ToDense();
    EXPECT_LE((made - expected).norm(), 1e-14 * expected.norm()) << name;
    EXPECT_EQ(scaled.delassus.stored_count(), problem.delassus.stored_count()) << name;
    for (size_t i = 0; i < problem.block_count(); ++i) {
      EXPECT_EQ(scaled.delassus.Diagonal(i), scaled.delassus.whole().Diagonal(i)) << name << i;
    }
  }
}

// What it is made from may be gone, and what it is copied from may have made it or not.
TEST(ScaledDelassus, OutlivesWhatItIsMadeFrom) {
  auto problem = std::make_unique<MatrixProblem>(scenes::MakeRollingProblem("ring_16_resting"));
  const ScaledProblem scaled = ScaleProblem(*problem);
  problem.reset();
  const ScaledProblem before = scaled;
  const Eigen::MatrixXd made = scaled.delassus.whole().ToDense();
  const ScaledProblem after = scaled;
  EXPECT_GT(made.norm(), 0.0);
  EXPECT_EQ(before.delassus.whole().ToDense(), made);
  EXPECT_EQ(after.delassus.whole().ToDense(), made);
}

}  // namespace
}  // namespace talus
