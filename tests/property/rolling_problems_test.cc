// The bare problems that solvers are compared on: valid, of five rows a contact, the same each
// time.
#include "tests/scenes/rolling_problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "solver/matrix/delassus.h"

namespace talus::scenes {
namespace {

TEST(RollingProblems, HaveDistinctNames) {
  std::set<std::string> names;
  for (const RollingProblem& problem : RollingProblems()) names.insert(problem.name);
  EXPECT_EQ(names.size(), RollingProblems().size());
  EXPECT_GE(names.size(), 35u);
}

TEST(RollingProblems, AreValidWithoutSpinningAndTheSameEachTime) {
  for (const RollingProblem& problem : RollingProblems()) {
    // Two hundred steps of more stones would take longer and test nothing else.
    if (problem.family == "pile" && problem.count > 20) continue;
    SCOPED_TRACE(problem.name);
    const MatrixProblem made = problem.Make();
    ASSERT_TRUE(Validate(made).ok()) << Validate(made);
    EXPECT_GE(made.block_count(), 1u);
    EXPECT_LE(made.block_count(), 600u);
    double approach = 0.0;
    for (size_t i = 0; i < made.block_count(); ++i) {
      const auto at = 6 * static_cast<Eigen::Index>(i);
      EXPECT_EQ(made.laws[i].cone.spinning, 0.0);
      EXPECT_EQ(made.delassus.Diagonal(i)(3, 3), 0.0);
      EXPECT_EQ(made.free_rows[at + 3], 0.0);
      approach = std::min(approach, made.free_rows[at]);
    }
    EXPECT_LT(approach, 0.0) << "there is nothing to solve";
    const MatrixProblem again = problem.Make();
    EXPECT_EQ(again.free_rows, made.free_rows);
    EXPECT_EQ(again.delassus.ToDense(), made.delassus.ToDense());
  }
}

TEST(RollingProblems, HaveAnOperatorThatTheirVelocitiesForm) {
  for (const RollingProblem& problem : RollingProblems()) {
    if (problem.count > 8) continue;
    SCOPED_TRACE(problem.name);
    const MatrixProblem made = problem.Make();
    MatrixProblem formed = made;
    ASSERT_TRUE(FormDelassus(formed).ok());
    const Eigen::MatrixXd w = made.delassus.ToDense();
    // Both are sums of a few products of numbers of one size.
    EXPECT_LE((formed.delassus.ToDense() - w).norm(), 1e-12 * w.norm());
    EXPECT_LE((formed.free_rows - made.free_rows).norm(), 1e-12 * made.free_rows.norm());
  }
}

}  // namespace
}  // namespace talus::scenes
