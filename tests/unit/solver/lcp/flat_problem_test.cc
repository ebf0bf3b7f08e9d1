#include "solver/lcp/flat_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "solver/lcp/standard_form.h"
#include "tests/support/problem_files.h"

namespace talus::lcp {
namespace {

constexpr ContactLaw kLaws[] = {ContactLaw::kBox, ContactLaw::kPolygonal, ContactLaw::kBristle};
constexpr PivotMethod kMethods[] = {PivotMethod::kBlocksFirst, PivotMethod::kLemkeAlone};

// One contact of mobility one that comes down at 1 m/s, μ 0.5, and slides.
MatrixProblem SlidingContact(double along_u, double along_w) {
  MatrixProblem problem;
  problem.laws.push_back({.cone = {.sliding = 0.5}});
  problem.delassus = BlockMatrix(1, {{0, 0, Matrix6::Identity()}});
  problem.compliance = Eigen::VectorXd::Zero(6);
  problem.free_rows = Eigen::VectorXd::Zero(6);
  problem.free_rows.head<3>() << -1.0, along_u, along_w;
  return problem;
}

TEST(FlatProblem, EveryMethodSolvesEveryLaw) {
  const MatrixProblem problem = testing::LoadProblem("mf_multi_full_4").problem;
  for (const ContactLaw law : kLaws) {
    for (const PivotMethod method : kMethods) {
      SCOPED_TRACE(static_cast<int>(law) * 10 + static_cast<int>(method));
      const auto solution = SolveFlatProblem(
          problem, {.law = {.law = law}, .method = method, .residual_history = true});
      ASSERT_TRUE(solution.ok()) << solution.status();
      EXPECT_EQ(solution->report.outcome, SolveOutcome::kConverged);
      EXPECT_LE(solution->certificate.residual, 1e-8);
      EXPECT_LE(solution->certificate.worst_contact_residual, 1e-8);
      EXPECT_TRUE(std::isnan(solution->certificate.siconos_error));
      EXPECT_EQ(solution->velocity, ComputeVelocity(problem, solution->impulse));
      EXPECT_GT(solution->report.sweep_count, 0);
      EXPECT_EQ(solution->report.residual_history.size(),
                static_cast<size_t>(solution->report.sweep_count));
    }
  }
}

// Along an axis all laws are Coulomb's.
TEST(FlatProblem, AlongAnAxisEveryLawIsCoulombs) {
  for (const ContactLaw law : kLaws) {
    const auto solution = SolveFlatProblem(SlidingContact(3.0, 0.0), {.law = {.law = law}});
    ASSERT_TRUE(solution.ok()) << solution.status();
    const Wrench impulse = solution->impulse;
    EXPECT_LE((impulse - Wrench{{1.0, -0.5, 0.0, 0.0, 0.0, 0.0}}).norm(), 1e-12) << impulse;
  }
}

TEST(FlatProblem, AlongADiagonalABoxHoldsRootTwoAsMuch) {
  const MatrixProblem problem = SlidingContact(2.0, 2.0);
  const auto friction = [&](const FlatLaw& law) {
    const auto solution = SolveFlatProblem(problem, {.law = law});
    return solution.ok() ? solution->impulse.segment<2>(1).norm() : 0.0;
  };
  EXPECT_NEAR(friction({.law = ContactLaw::kBox}), 0.5 * std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(friction({.law = ContactLaw::kPolygonal}), 0.5, 1e-12);  // a corner of eight
  EXPECT_NEAR(friction({.law = ContactLaw::kPolygonal, .facet_count = 4}), 0.5 / std::sqrt(2.0),
              0.15);  // anywhere on the side between two corners
  EXPECT_NEAR(friction({.law = ContactLaw::kBristle}), 0.5, 1e-12);
}

// Soft bristles give way where stiff ones hold: u = 1/(k h²) γ.
TEST(FlatProblem, BristlesGiveWayByTheirStiffness) {
  const MatrixProblem problem = SlidingContact(1e-3, 0.0);
  const auto solution = SolveFlatProblem(
      problem,
      {.law = {.law = ContactLaw::kBristle, .bristles = {.stiffness = 1e6, .time_step_s = 1e-3}}});
  ASSERT_TRUE(solution.ok()) << solution.status();
  EXPECT_NEAR(solution->impulse[1], -5e-4, 1e-12);  // u + γ = 0 with W = 1: shared half and half
  EXPECT_NEAR(solution->velocity[1], 5e-4, 1e-12);
}

TEST(FlatProblem, StopAndLimitEndItWithTheBestSoFar) {
  const MatrixProblem problem = testing::LoadProblem("mf_multi_full_16").problem;
  for (const PivotMethod method : kMethods) {
    int asked = 0;
    const auto stopped =
        SolveFlatProblem(problem, {.method = method, .stop = [&asked] { return ++asked > 2; }});
    ASSERT_TRUE(stopped.ok()) << stopped.status();
    EXPECT_EQ(stopped->report.outcome, SolveOutcome::kSweepLimit);
    EXPECT_LE(stopped->report.sweep_count, 2);
    const auto limited = SolveFlatProblem(problem, {.method = method, .max_pivots = 1});
    ASSERT_TRUE(limited.ok()) << limited.status();
    EXPECT_EQ(limited->report.outcome, SolveOutcome::kSweepLimit);
    EXPECT_EQ(limited->report.sweep_count, 1);
  }
}

TEST(FlatProblem, RefusesWhatIsOutOfRange) {
  const MatrixProblem problem = SlidingContact(1.0, 0.0);
  const auto message = [&](const FlatProblemSettings& settings) {
    const auto solution = SolveFlatProblem(problem, settings);
    EXPECT_EQ(solution.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(solution.status().message());
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(message({.law = {.law = ContactLaw::kNcp}}), HasSubstr("law = 0 must be BOX"));
  EXPECT_THAT(message({.tolerance = 0.0}), HasSubstr("tolerance = 0 must be in"));
  EXPECT_THAT(message({.max_pivots = 0}), HasSubstr("max_sweeps = 0 must be in [1, 1000000]"));
  EXPECT_THAT(message({.law = {.law = ContactLaw::kPolygonal, .facet_count = 5}}),
              HasSubstr("flat_law.facet_count = 5 must be even and in [4, 32]"));
  EXPECT_THAT(message({.law = {.law = ContactLaw::kBox, .facet_count = 34}}),
              HasSubstr("flat_law.facet_count = 34"));
  EXPECT_THAT(message({.law = {.law = ContactLaw::kBristle, .bristles = {.stiffness = -1.0}}}),
              HasSubstr("flat_law.bristle_stiffness_n_m = -1 must be in [0.001, 1e+15]"));
  EXPECT_THAT(message({.law = {.law = ContactLaw::kBristle, .bristles = {.slip_threshold = 0.0}}}),
              HasSubstr("flat_law.slip_threshold_m_s = 0 must be in"));
  EXPECT_THAT(
      message({.law = {.law = ContactLaw::kBristle, .bristles = {.time_step_s = std::nan("")}}}),
      HasSubstr("flat_law.time_step_s = nan must be in [1e-06, 1]"));
  const Eigen::VectorXd old = Eigen::VectorXd::Ones(6);
  EXPECT_THAT(message({.law = {.law = ContactLaw::kBox}, .old_impulse = old}),
              HasSubstr("flat_law.old_impulses = given must be left out"));
  EXPECT_THAT(message({.law = {.law = ContactLaw::kBristle}, .old_impulse = old.head(5)}),
              HasSubstr("size(flat_law.old_impulses) = 5 must be 6"));
  EXPECT_THAT(message({.law = {.law = ContactLaw::kBristle}, .old_impulse = old / 0.0}),
              HasSubstr("flat_law.old_impulses[0] = inf must be finite"));
  MatrixProblem negative = problem;
  negative.compliance[1] = -1.0;
  EXPECT_THAT(std::string(SolveFlatProblem(negative, {}).status().message()),
              HasSubstr("compliance[1] = -1 must be 0 or in [1e-35, 1e+30]"));
}

TEST(FlatProblem, RefusesMoreBlocksThanPivotsSolve) {
  MatrixProblem problem;
  problem.laws.resize(kMaxFlatBlocks + 1);
  const auto solution = SolveFlatProblem(problem, {});
  EXPECT_EQ(solution.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(solution.status().message()),
              ::testing::HasSubstr("size(blocks) = 1001 must be <= 1000"));
}

// One body that 120 contacts hold: all blocks of W are there.
TEST(FlatProblem, RefusesWhatWouldFillTheMemory) {
  constexpr uint32_t kContacts = 120;
  MatrixProblem problem;
  problem.laws.resize(kContacts, {.cone = {.sliding = 0.5}});
  std::vector<BlockMatrix::Entry> entries;
  for (uint32_t row = 0; row < kContacts; ++row) {
    for (uint32_t column = 0; column < kContacts; ++column) {
      entries.push_back({row, column, Matrix6::Identity()});
    }
  }
  problem.delassus = BlockMatrix(kContacts, std::move(entries));
  problem.compliance = problem.free_rows = Eigen::VectorXd::Zero(problem.row_count());
  const FlatLaw fine{.law = ContactLaw::kPolygonal, .facet_count = 32};
  const auto refused = SolveFlatProblem(problem, {.law = fine});
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.status().message()),
              ::testing::HasSubstr("W = 14400 blocks must have at most 4081 under this law"));
  EXPECT_TRUE(SolveFlatProblem(problem, {.law = {.law = ContactLaw::kPolygonal}}).ok());
}

// Contacts of their own, of 34 rows under 32 facets.
MatrixProblem SeparateContacts(uint32_t count) {
  MatrixProblem problem;
  problem.laws.resize(count, {.cone = {.sliding = 0.5}});
  std::vector<BlockMatrix::Entry> entries;
  for (uint32_t row = 0; row < count; ++row) entries.push_back({row, row, Matrix6::Identity()});
  problem.delassus = BlockMatrix(count, std::move(entries));
  problem.compliance = Eigen::VectorXd::Zero(problem.row_count());
  problem.free_rows = -Eigen::VectorXd::Ones(problem.row_count());
  return problem;
}

TEST(FlatProblem, RefusesMoreRowsThanLemkesMethodTakes) {
  FlatProblemSettings settings{.law = {.law = ContactLaw::kPolygonal, .facet_count = 32},
                               .method = PivotMethod::kLemkeAlone,
                               .max_pivots = 1};
  const auto refused = SolveFlatProblem(SeparateContacts(61), settings);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(refused.status().message()),
            "W = 2074 rows under this law must come to at most 2048 where the solver is LEMKE");
  EXPECT_TRUE(SolveFlatProblem(SeparateContacts(60), settings).ok());
  // Blocks need none of them.
  settings = {.law = settings.law};
  const auto solved = SolveFlatProblem(SeparateContacts(200), settings);
  ASSERT_TRUE(solved.ok()) << solved.status();
  EXPECT_EQ(solved->report.outcome, SolveOutcome::kConverged);
}

TEST(FlatProblem, SaysHowPivotsEnded) {
  const auto outcome = [](PivotOutcome pivots, double residual) {
    return OutcomeOf({.outcome = pivots, .residual = residual}, 1e-8);
  };
  EXPECT_EQ(outcome(PivotOutcome::kSolved, 1e-9), SolveOutcome::kConverged);
  EXPECT_EQ(outcome(PivotOutcome::kRay, 1e-9), SolveOutcome::kConverged);
  EXPECT_EQ(outcome(PivotOutcome::kPivotLimit, 1.0), SolveOutcome::kSweepLimit);
  EXPECT_EQ(outcome(PivotOutcome::kRay, 1.0), SolveOutcome::kRay);
  EXPECT_EQ(outcome(PivotOutcome::kSingular, 1.0), SolveOutcome::kSingular);
  EXPECT_EQ(outcome(PivotOutcome::kTooLarge, 1.0), SolveOutcome::kTooLarge);
}

// What is counted before anything is assembled.
TEST(FlatProblem, KnowsTheRowsOfABlockBeforehand) {
  MatrixProblem problem = SeparateContacts(9);
  for (size_t i = 0; i < 8; ++i) {
    problem.laws[i].cone = {i & 1 ? 0.5 : 0.0, i & 2 ? 0.1 : 0.0, i & 4 ? 0.2 : 0.0};
  }
  BlockLaw& joint = problem.laws[8];
  joint.kind = BlockLawKind::kBounds;
  joint.lower << -kNoBound, 0.0, -1.0, 0.0, 2.0, -kNoBound;
  joint.upper << kNoBound, kNoBound, 1.0, 0.0, 2.0, 3.0;
  for (const ContactLaw law : kLaws) {
    SCOPED_TRACE(static_cast<int>(law));
    const FlatLaw flat{.law = law, .facet_count = 6};
    Eigen::Index rows = 0;
    for (const BlockLaw& block : problem.laws) rows += CountLemkeRows(block, flat);
    const auto contact = AssembleFlatLaw(problem, flat);
    ASSERT_TRUE(contact.ok());
    // Each contact but the first slides, spins or rolls; those that slip have no second axis.
    const auto fewer = law == ContactLaw::kBristle ? 3 * (4 + 4) : 0;
    EXPECT_EQ(FindStandardSize(contact->mlcp).rows, rows - fewer);
    EXPECT_EQ(FindStandardSize(contact->mlcp).equations, 1);
  }
}

}  // namespace
}  // namespace talus::lcp
