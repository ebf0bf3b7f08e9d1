#include "solver/lcp/block_pivoting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/base/random.h"
#include "solver/lcp/lemke.h"
#include "solver/lcp/standard_form.h"
#include "tests/support/small_mlcps.h"
#include "tests/support/special_numbers.h"

namespace talus::lcp {
namespace {

using testing::kInfinity;

constexpr uint64_t kBlockPivotingSeed = 43;

PivotAnswer Pivot(const Mlcp& problem, const PivotLimits& limits = {}) {
  absl::StatusOr<PivotAnswer> answer = SolveByPivoting(problem, limits);
  EXPECT_TRUE(answer.ok()) << answer.status();
  return *std::move(answer);
}

// Bounds of every kind, in turn by row and by problem.
Mlcp RandomProblem(Random& random, Eigen::Index size, double diagonal, size_t number) {
  Mlcp problem = testing::MakeMlcp(testing::RandomDefinite(random, size, diagonal),
                                   testing::RandomVector(random, size));
  for (Eigen::Index i = 0; i < size; ++i) {
    const double low = random.Uniform(-0.5, 0.2);
    const size_t kind = (static_cast<size_t>(i) + number) % 5;
    if (kind == 0 || kind == 1) problem.lower[i] = low;
    if (kind == 1 || kind == 2) problem.upper[i] = low + random.Uniform(0.0, 0.5);
    if (kind == 3) problem.lower[i] = problem.upper[i] = low;
  }
  return problem;
}

TEST(BlockPivoting, FindsTheOneSolutionOfDefiniteProblems) {
  Random random(kBlockPivotingSeed);
  for (size_t i = 0; i < 150; ++i) {
    const Mlcp problem = RandomProblem(random, 1 + static_cast<Eigen::Index>(i % 6), 0.1, i);
    const std::vector<Eigen::VectorXd> all = testing::EnumerateSolutions(problem);
    ASSERT_FALSE(all.empty()) << "seed " << kBlockPivotingSeed << ", problem " << i;
    const PivotAnswer answer = Pivot(problem);
    EXPECT_EQ(answer.report.outcome, PivotOutcome::kSolved);
    // Entries of about one, conditions below 1e4.
    EXPECT_LE((answer.z - all.front()).cwiseAbs().maxCoeff(), 1e-9) << "problem " << i;
    EXPECT_EQ(answer.report.lemke_pivots, 0) << "problem " << i;
  }
}

// A row of its own that carries like a normal row, and rows coupled to it: any of the solutions.
TEST(BlockPivoting, FindsASolutionWithCoupledBounds) {
  Random random(kBlockPivotingSeed + 1);
  int unique = 0;
  for (size_t i = 0; i < 150; ++i) {
    Mlcp problem = testing::MakeMlcp(testing::RandomDefinite(random, 6, 0.3),
                                     testing::RandomVector(random, 6));
    for (const int32_t normal : {0, 3}) {
      problem.lower[normal] = 0.0;
      for (const int32_t row : {normal + 1, normal + 2}) {
        problem.upper[row] = random.Uniform(0.0, 1.0);
        problem.lower[row] = -problem.upper[row];
        problem.coupled_to[static_cast<size_t>(row)] = normal;
      }
    }
    const std::vector<Eigen::VectorXd> all = testing::EnumerateSolutions(problem);
    const PivotAnswer answer = Pivot(problem);
    if (all.empty()) continue;
    ASSERT_EQ(answer.report.outcome, PivotOutcome::kSolved) << "problem " << i;
    const bool found = std::ranges::any_of(
        all, [&](const Eigen::VectorXd& z) { return (z - answer.z).norm() <= 1e-8; });
    EXPECT_TRUE(found) << "seed " << kBlockPivotingSeed + 1 << ", problem " << i;
    unique += all.size() == 1;
  }
  EXPECT_GT(unique, 75);
}

// P-matrices on which blocks go round in circles: single moves end them.
TEST(BlockPivoting, EndsWhereBlocksGoRoundInCircles) {
  Random random(kBlockPivotingSeed + 3);
  int in_circles = 0;
  for (int i = 0; i < 6000; ++i) {
    const Eigen::Index size = i % 2 == 0 ? 5 : 7;
    Eigen::MatrixXd cyclic = Eigen::MatrixXd::Identity(size, size);
    const double coupling = random.Uniform(1.9, 3.0);
    for (Eigen::Index k = 0; k < size; ++k) cyclic(k, (k + 1) % size) = coupling;
    Mlcp problem = testing::MakeMlcp(cyclic, testing::RandomVector(random, size));
    problem.lower.setZero();
    const PivotReport report = Pivot(problem).report;
    EXPECT_EQ(report.outcome, PivotOutcome::kSolved) << "seed " << kBlockPivotingSeed + 3;
    EXPECT_EQ(report.lemke_pivots, 0) << "seed " << kBlockPivotingSeed + 3;
    in_circles += report.single_pivots > 0;
  }
  EXPECT_GT(in_circles, 0);
}

// Lemke's method on what block pivoting solves: two ways to one answer, bounds of all kinds.
TEST(BlockPivoting, LemkeGivesTheSameAnswer) {
  Random random(kBlockPivotingSeed + 2);
  for (size_t i = 0; i < 100; ++i) {
    const Mlcp problem = RandomProblem(random, 9, 0.1, i);
    const std::optional<StandardForm> form = FormStandard(problem);
    ASSERT_TRUE(form.has_value());
    const LemkeAnswer lemke = SolveByLemke(form->matrix, form->offset, 1000);
    ASSERT_EQ(lemke.outcome, LemkeOutcome::kSolved)
        << "seed " << kBlockPivotingSeed + 2 << ", problem " << i;
    EXPECT_LE((form->RowsOf(lemke.z) - Pivot(problem).z).norm(), 1e-8)
        << "seed " << kBlockPivotingSeed + 2 << ", problem " << i;
  }
}

// Two limits that share what one would carry: the equations are singular, solutions many.
TEST(BlockPivoting, TakesRowsMoreThanNeeded) {
  Mlcp problem = testing::MakeMlcp(Eigen::MatrixXd::Ones(3, 3), testing::VectorOf({-1, -1, -1}));
  problem.lower.setZero();
  const PivotAnswer answer = Pivot(problem);
  EXPECT_EQ(answer.report.outcome, PivotOutcome::kSolved);
  EXPECT_NEAR(answer.z.sum(), 1.0, 1e-12);
}

// Rows of rank three, whose six equations agree: rounding alone makes them singular or not.
TEST(BlockPivoting, PadsEquationsThatRepeatEachOther) {
  Random random(kBlockPivotingSeed + 7);
  for (int i = 0; i < 50; ++i) {
    Eigen::MatrixXd b(6, 3);
    for (double& value : b.reshaped()) value = random.Uniform(-1.0, 1.0);
    const Eigen::VectorXd shortest = b * testing::RandomVector(random, 3);
    const PivotAnswer answer =
        Pivot(testing::MakeMlcp(b * b.transpose(), -b * (b.transpose() * shortest)));
    EXPECT_EQ(answer.report.outcome, PivotOutcome::kSolved) << "seed " << kBlockPivotingSeed + 7;
    EXPECT_EQ(answer.report.pivot_count(), 1) << "seed " << kBlockPivotingSeed + 7;
  }
}

// What contradicts itself has no solution, padded or not.
TEST(BlockPivoting, SaysWhereEquationsContradictThemselves) {
  const Mlcp problem =
      testing::MakeMlcp(Eigen::MatrixXd::Ones(2, 2), testing::VectorOf({-1.0, 1.0}));
  const PivotReport report = Pivot(problem).report;
  EXPECT_EQ(report.outcome, PivotOutcome::kSingular);
  EXPECT_GT(report.residual, 0.1);
}

TEST(BlockPivoting, StartsFromAGuess) {
  Random random(kBlockPivotingSeed + 4);
  for (size_t i = 0; i < 50; ++i) {
    const Mlcp problem = RandomProblem(random, 12, 0.1, i);
    const Eigen::VectorXd z = Pivot(problem).z;
    const auto warm = SolveByPivoting(problem, {}, z);
    ASSERT_TRUE(warm.ok());
    EXPECT_EQ(warm->report.pivot_count(), 1)
        << "seed " << kBlockPivotingSeed + 4 << ", problem " << i;
    EXPECT_LE((warm->z - z).norm(), 1e-9);
    // A bad guess costs pivots and changes no answer.
    const auto misled = SolveByPivoting(problem, {}, 10.0 * testing::RandomVector(random, 12));
    ASSERT_TRUE(misled.ok());
    EXPECT_EQ(misled->report.outcome, PivotOutcome::kSolved);
    EXPECT_LE((misled->z - z).norm(), 1e-8);
  }
}

TEST(BlockPivoting, LeavesItToLemkeWhereToldTo) {
  Random random(kBlockPivotingSeed + 5);
  for (size_t i = 0; i < 50; ++i) {
    const Mlcp problem = RandomProblem(random, 9, 0.1, i);
    const PivotAnswer lemke = Pivot(problem, {.method = PivotMethod::kLemkeAlone});
    EXPECT_EQ(lemke.report.outcome, PivotOutcome::kSolved) << "seed " << kBlockPivotingSeed + 5;
    EXPECT_EQ(lemke.report.block_pivots + lemke.report.single_pivots, 0);
    EXPECT_LE((lemke.z - Pivot(problem).z).norm(), 1e-8) << "seed " << kBlockPivotingSeed + 5;
  }
}

TEST(BlockPivoting, RecordsTheBestResidualAfterEachPivot) {
  Random random(kBlockPivotingSeed + 6);
  for (const PivotMethod method : {PivotMethod::kBlocksFirst, PivotMethod::kLemkeAlone}) {
    for (size_t i = 0; i < 20; ++i) {
      const Mlcp problem = RandomProblem(random, 12, 0.1, i);
      EXPECT_TRUE(Pivot(problem, {.method = method}).report.residual_history.empty());
      const PivotReport report =
          Pivot(problem, {.method = method, .residual_history = true}).report;
      const std::vector<double>& history = report.residual_history;
      ASSERT_EQ(history.size(), static_cast<size_t>(report.pivot_count()));
      EXPECT_TRUE(std::ranges::is_sorted(history, std::greater<>()))
          << "seed " << kBlockPivotingSeed + 6;
      EXPECT_EQ(history.empty() ? 0.0 : history.back(), history.empty() ? 0.0 : report.residual);
    }
  }
}

TEST(BlockPivoting, TakesDegenerateProblems) {
  // w = z: zero, where both z and w vanish, and in every row.
  Mlcp problem = testing::MakeMlcp(Eigen::MatrixXd::Identity(4, 4), Eigen::VectorXd::Zero(4));
  problem.lower.setZero();
  const PivotAnswer answer = Pivot(problem);
  EXPECT_EQ(answer.report.outcome, PivotOutcome::kSolved);
  EXPECT_EQ(answer.z, Eigen::VectorXd::Zero(4));
  // Nothing at all.
  EXPECT_EQ(Pivot(testing::MakeMlcp(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0))).report.outcome,
            PivotOutcome::kSolved);
  // The free solution stands exactly at the bounds.
  Mlcp touching =
      testing::MakeMlcp(Eigen::MatrixXd::Identity(2, 2), testing::VectorOf({-1.0, 1.0}));
  touching.upper[0] = 1.0;
  touching.lower[1] = -1.0;
  EXPECT_LE((Pivot(touching).z - testing::VectorOf({1.0, -1.0})).norm(), 1e-15);
}

TEST(BlockPivoting, SaysWhenThereIsNoSolution) {
  // Two equations of one unknown pair that contradict each other.
  const Mlcp equations =
      testing::MakeMlcp(Eigen::MatrixXd::Ones(2, 2), testing::VectorOf({1.0, 2.0}));
  const PivotAnswer singular = Pivot(equations);
  EXPECT_EQ(singular.report.outcome, PivotOutcome::kSingular);
  EXPECT_GT(singular.report.residual, 0.1);
  // w = −z − 1 ≥ 0 with z ≥ 0.
  Mlcp impossible = testing::MakeMlcp(-Eigen::MatrixXd::Identity(1, 1), -Eigen::VectorXd::Ones(1));
  impossible.lower[0] = 0.0;
  const PivotAnswer ray = Pivot(impossible);
  EXPECT_EQ(ray.report.outcome, PivotOutcome::kRay);
  EXPECT_DOUBLE_EQ(ray.report.residual, 1.0);
}

TEST(BlockPivoting, StopsAtItsLimit) {
  Random random(kBlockPivotingSeed);
  Mlcp problem = testing::MakeMlcp(testing::RandomDefinite(random, 30, 0.01),
                                   testing::RandomVector(random, 30));
  problem.lower.setZero();
  const PivotAnswer answer = Pivot(problem, {.tolerance = 1e-10, .max_pivots = 1});
  EXPECT_EQ(answer.report.outcome, PivotOutcome::kPivotLimit);
  EXPECT_EQ(answer.report.pivot_count(), 1);
  EXPECT_LE(answer.report.residual, 1.0);
}

// w = z − 1 ≥ 0 with z ≥ 0, and two equations that contradict each other, on which block pivots
// end.
Mlcp Contradiction(Eigen::Index size) {
  Mlcp problem = testing::MakeMlcp(Eigen::MatrixXd(0, 0), -Eigen::VectorXd::Ones(size + 2));
  problem.matrix.resize(size + 2, size + 2);
  std::vector<Eigen::Triplet<double>> entries = {
      {0, 0, 1.0}, {0, 1, 1.0}, {1, 0, 1.0}, {1, 1, 1.0}};
  for (int i = 2; i < size + 2; ++i) entries.emplace_back(i, i, 1.0);
  problem.matrix.setFromTriplets(entries.begin(), entries.end());
  problem.offset[1] = 1.0;
  problem.lower.tail(size).setZero();
  return problem;
}

// Before it looks at what the equations are.
TEST(BlockPivoting, SaysAtOnceWhatIsTooLargeForLemke) {
  EXPECT_EQ(Pivot(Contradiction(2)).report.outcome, PivotOutcome::kSingular);
  for (const PivotMethod method : {PivotMethod::kBlocksFirst, PivotMethod::kLemkeAlone}) {
    const auto begin = std::chrono::steady_clock::now();
    const PivotReport report = Pivot(Contradiction(2500), {.method = method}).report;
    EXPECT_EQ(report.outcome, PivotOutcome::kTooLarge);
    EXPECT_EQ(report.lemke_pivots, 0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
  }
}

TEST(BlockPivoting, CountsEquationsForItselfToo) {
  const auto outcome = [](Eigen::Index size) {
    const Mlcp problem = testing::MakeMlcp(Eigen::MatrixXd::Identity(size, size),
                                           Eigen::VectorXd::Constant(size, -1.0));
    return Pivot(problem, {.method = PivotMethod::kLemkeAlone}).report.outcome;
  };
  EXPECT_EQ(outcome(kMaxLemkeEquations), PivotOutcome::kSolved);
  EXPECT_EQ(outcome(kMaxLemkeEquations + 1), PivotOutcome::kTooLarge);
}

// While equations are taken out as well, and then it is no fault of theirs.
TEST(BlockPivoting, AsksStopWhileItFormsTheStandardProblem) {
  Random random(kBlockPivotingSeed + 8);
  Mlcp problem = testing::MakeMlcp(testing::RandomDefinite(random, 200, 0.1),
                                   testing::RandomVector(random, 200));
  problem.lower.tail(180).setZero();
  int asked = 0;
  EXPECT_TRUE(FormStandard(problem, [&] { return ++asked > 1000; }).has_value());
  EXPECT_GE(asked, 10);
  EXPECT_FALSE(FormStandard(problem, [&] { return true; }).has_value());
  asked = 0;
  const PivotReport report =
      Pivot(problem, {.method = PivotMethod::kLemkeAlone, .stop = [&] { return ++asked > 2; }})
          .report;
  EXPECT_EQ(report.outcome, PivotOutcome::kPivotLimit);
  EXPECT_EQ(report.pivot_count(), 0);
}

TEST(BlockPivoting, RefusesWhatIsNotValid) {
  Mlcp problem = testing::MakeMlcp(Eigen::MatrixXd::Identity(1, 1), Eigen::VectorXd::Ones(1));
  EXPECT_EQ(std::string(SolveByPivoting(problem, {.tolerance = 0.0}).status().message()),
            "tolerance = 0 must be in (0, 1]");
  EXPECT_EQ(std::string(SolveByPivoting(problem, {.max_pivots = 0}).status().message()),
            "max_pivots = 0 must be >= 1");
  problem.offset[0] = std::nan("");
  EXPECT_EQ(std::string(SolveByPivoting(problem, {}).status().message()),
            "b[0] = nan must be finite");
}

}  // namespace
}  // namespace talus::lcp
