#include "solver/lcp/lemke.h"

#include <gtest/gtest.h>

#include "solver/base/random.h"
#include "tests/support/small_mlcps.h"

namespace talus::lcp {
namespace {

constexpr uint64_t kLemkeSeed = 41;

double Violation(const Eigen::MatrixXd& m, const Eigen::VectorXd& q, const Eigen::VectorXd& z) {
  return z.cwiseMin(m * z + q).cwiseAbs().maxCoeff();
}

TEST(Lemke, SolvesDefiniteProblems) {
  Random random(kLemkeSeed);
  for (int i = 0; i < 500; ++i) {
    const Eigen::Index size = 1 + i % 20;
    const Eigen::MatrixXd m = testing::RandomDefinite(random, size, 0.05);
    const Eigen::VectorXd q = testing::RandomVector(random, size);
    const LemkeAnswer answer = SolveByLemke(m, q, 1000);
    ASSERT_EQ(answer.outcome, LemkeOutcome::kSolved) << "seed " << kLemkeSeed << ", problem " << i;
    EXPECT_LE(Violation(m, q, answer.z), 1e-9) << "seed " << kLemkeSeed << ", problem " << i;
  }
}

// Semidefinite of half rank with q in its range: the sets of sides are singular more often than
// not.
TEST(Lemke, SolvesSemidefiniteProblems) {
  Random random(kLemkeSeed);
  for (int i = 0; i < 200; ++i) {
    const Eigen::Index size = 4 + i % 12;
    Eigen::MatrixXd b(size, size / 2);
    for (double& value : b.reshaped()) value = random.Uniform(-1.0, 1.0);
    const Eigen::MatrixXd m = b * b.transpose();
    const Eigen::VectorXd q = b * testing::RandomVector(random, size / 2);
    const LemkeAnswer answer = SolveByLemke(m, q, 1000);
    ASSERT_EQ(answer.outcome, LemkeOutcome::kSolved) << "seed " << kLemkeSeed << ", problem " << i;
    EXPECT_LE(Violation(m, q, answer.z), 1e-9) << "seed " << kLemkeSeed << ", problem " << i;
  }
}

TEST(Lemke, BreaksTies) {
  // All rows alike, so that every ratio ties with every other.
  const Eigen::MatrixXd m = Eigen::MatrixXd::Ones(6, 6);
  const Eigen::VectorXd q = -Eigen::VectorXd::Ones(6);
  const LemkeAnswer answer = SolveByLemke(m, q, 100);
  ASSERT_EQ(answer.outcome, LemkeOutcome::kSolved);
  EXPECT_NEAR(answer.z.sum(), 1.0, 1e-14);
  EXPECT_EQ(answer.pivot_count, 2);
}

TEST(Lemke, SaysWhenThereIsARayOrALimit) {
  // w = −z − 1 is negative whatever z is.
  EXPECT_EQ(SolveByLemke(-Eigen::MatrixXd::Identity(1, 1), -Eigen::VectorXd::Ones(1), 100).outcome,
            LemkeOutcome::kRay);
  Random random(kLemkeSeed);
  const Eigen::MatrixXd m = testing::RandomDefinite(random, 8, 0.1);
  EXPECT_EQ(SolveByLemke(m, -Eigen::VectorXd::Ones(8), 1).outcome, LemkeOutcome::kPivotLimit);
}

TEST(Lemke, HasNothingToDoWhereZeroSolves) {
  const LemkeAnswer answer =
      SolveByLemke(Eigen::MatrixXd::Identity(3, 3), Eigen::VectorXd::Zero(3), 100);
  EXPECT_EQ(answer.outcome, LemkeOutcome::kSolved);
  EXPECT_EQ(answer.pivot_count, 0);
  EXPECT_EQ(answer.z, Eigen::VectorXd::Zero(3));
  EXPECT_EQ(SolveByLemke(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0), 1).z.size(), 0);
}

}  // namespace
}  // namespace talus::lcp
