#include "solver/matrix_solvers/separate_blocks.h"

#include <gtest/gtest.h>

#include "solver/base/random.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "tests/scenes/rolling_problems.h"
#include "tests/support/problem_files.h"

namespace talus::matrix {
namespace {

constexpr uint64_t kSeparateBlocksSeed = 47;
constexpr int kSeparateBlocksSamples = 500;

MatrixProblem RandomProblem(Random& random, bool compliant) {
  Matrix6 a;
  for (double& value : a.reshaped()) value = random.Uniform(-1.0, 1.0);
  MatrixProblem problem;
  problem.delassus =
      BlockMatrix(1, {{0, 0, Matrix6(a * a.transpose() + 0.1 * Matrix6::Identity())}});
  problem.laws = {{.cone = {.sliding = random.Uniform(0.0, 1.0),
                            .spinning = random.Uniform(0.0, 0.5),
                            .rolling = random.Uniform(0.0, 0.5)}}};
  problem.free_rows.resize(6);
  for (double& value : problem.free_rows) value = random.Uniform(-1.0, 1.0);
  problem.compliance = Eigen::VectorXd::Zero(6);
  if (compliant) {
    for (double& value : problem.compliance) value = random.Uniform(0.0, 0.1);
  }
  return problem;
}

TEST(SeparateBlocks, ItsAnswerIsCertifiedAsAnyOther) {
  Random random(kSeparateBlocksSeed);
  int moving_apart = 0;
  int sticking = 0;
  for (int i = 0; i < kSeparateBlocksSamples; ++i) {
    MatrixProblem problem = RandomProblem(random, i % 2 == 1);
    if (i % 5 == 0) problem.laws[0].cone = {.sliding = 5.0, .spinning = 5.0, .rolling = 5.0};
    for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
      const SeparateSolution block = *SolveSeparateBlocks(problem, law);
      EXPECT_LE((block.velocity - ComputeVelocity(problem, block.impulse)).norm(), 1e-14);
      const Certificate certificate = Certify(problem, law, block.impulse);
      EXPECT_NEAR(block.certificate.residual, certificate.residual, 1e-14) << kSeparateBlocksSeed;
      EXPECT_NEAR(block.certificate.worst_contact_residual, certificate.worst_contact_residual,
                  1e-14);
      EXPECT_NEAR(block.certificate.siconos_error, certificate.siconos_error, 1e-14);
      moving_apart += block.impulse.isZero(0.0) ? 1 : 0;
      sticking += block.velocity.isZero(1e-13) ? 1 : 0;
    }
  }
  EXPECT_GT(moving_apart, 0) << "some blocks need no impulse, seed " << kSeparateBlocksSeed;
  EXPECT_GT(sticking, 0) << "some blocks stick, seed " << kSeparateBlocksSeed;
  EXPECT_LT(moving_apart + sticking, kSeparateBlocksSamples);
}

// NCP with strong coupling may need the sweeps, which start where nobody has been.
TEST(SeparateBlocks, SolveProblemAnswersEvenWhereOneGoIsNotEnough) {
  Random random(kSeparateBlocksSeed);
  for (int i = 0; i < kSeparateBlocksSamples; ++i) {
    const MatrixProblem problem = RandomProblem(random, false);
    const auto solution = SolveProblem(problem, {.measure = StopMeasure::kCertificate});
    ASSERT_TRUE(solution.ok()) << solution.status();
    if (solution->report.outcome != SolveOutcome::kConverged) continue;
    EXPECT_LE(WorstOf(Certify(problem, ContactLaw::kNcp, solution->impulse)), 1e-8);
  }
}

// A block of bounds that couple takes more than one go row by row.
TEST(SeparateBlocks, BoundsThatCoupleAreSolvedToo) {
  Random random(kSeparateBlocksSeed);
  for (int i = 0; i < 50; ++i) {
    MatrixProblem problem = RandomProblem(random, false);
    problem.laws[0] = BlockLaw{};
    problem.laws[0].kind = BlockLawKind::kBounds;
    problem.laws[0].lower.setConstant(-0.3);
    problem.laws[0].upper.setConstant(0.4);
    const auto solution = SolveProblem(problem, {});
    ASSERT_TRUE(solution.ok()) << solution.status();
    EXPECT_EQ(solution->report.outcome, SolveOutcome::kConverged)
        << i << " seed " << kSeparateBlocksSeed;
    EXPECT_LE(Certify(problem, ContactLaw::kNcp, solution->impulse).residual, 1e-8);
  }
}

TEST(SeparateBlocks, OneContactTakesNoSweeps) {
  for (const char* name : {"mf_sphere_stick", "mf_body_slide_roll", "mf_sphere_takeoff"}) {
    SCOPED_TRACE(name);
    const MatrixProblem problem = talus::testing::LoadProblem(name).problem;
    const auto solution =
        SolveProblem(problem, {.tolerance = 1e-12, .measure = StopMeasure::kCertificate});
    ASSERT_TRUE(solution.ok());
    EXPECT_EQ(solution->report.outcome, SolveOutcome::kConverged);
    EXPECT_EQ(solution->report.sweep_count, 0);
  }
}

// Spheres on a plane that do not touch: one by one, to round-off.
TEST(SeparateBlocks, ContactsThatDoNotTouchTakeNoSweeps) {
  for (const char* name : {"plane_32_resting", "plane_16_moving", "plane_64_mass_1e4"}) {
    SCOPED_TRACE(name);
    const MatrixProblem problem = scenes::MakeRollingProblem(name);
    ASSERT_TRUE(AreSeparate(problem));
    for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
      const auto solution = SolveProblem(
          problem, {.law = law, .tolerance = 1e-12, .measure = StopMeasure::kCertificate});
      ASSERT_TRUE(solution.ok());
      EXPECT_EQ(solution->report.outcome, SolveOutcome::kConverged);
      EXPECT_LE(WorstOf(Certify(problem, law, solution->impulse)), 1e-12);
      EXPECT_EQ(solution->report.sweep_count, 0);
      EXPECT_NEAR(WorstOf(solution->certificate), WorstOf(Certify(problem, law, solution->impulse)),
                  1e-14);
    }
  }
}

// One that moves apart, one that is held, one of bounds: each as by itself, certified together.
TEST(SeparateBlocks, OfAnyKindAreSolvedAsByThemselves) {
  Random random(kSeparateBlocksSeed);
  for (int i = 0; i < 50; ++i) {
    MatrixProblem all;
    std::vector<BlockMatrix::Entry> entries;
    std::vector<Eigen::VectorXd> alone;
    all.free_rows.resize(18);
    all.compliance.resize(18);
    for (uint32_t k = 0; k < 3; ++k) {
      MatrixProblem one = RandomProblem(random, true);
      one.free_rows[0] = k == 0 ? 1.0 : -1.0;
      if (k == 2) {
        one.laws[0] = {.kind = BlockLawKind::kBounds,
                       .cone = {},
                       .lower = Wrench::Constant(-0.3),
                       .upper = Wrench::Constant(0.4)};
      }
      alone.push_back(SolveSeparateBlocks(one, ContactLaw::kNcp)->impulse);
      entries.push_back({k, k, one.delassus.Diagonal(0)});
      all.laws.push_back(one.laws[0]);
      all.free_rows.segment<6>(6 * k) = one.free_rows;
      all.compliance.segment<6>(6 * k) = one.compliance;
    }
    all.delassus = BlockMatrix(3, entries);
    const SeparateSolution together = *SolveSeparateBlocks(all, ContactLaw::kNcp);
    EXPECT_TRUE(alone[0].isZero(0.0));
    for (Eigen::Index k = 0; k < 3; ++k) {
      EXPECT_EQ(together.impulse.segment(6 * k, 6), alone[static_cast<size_t>(k)]) << i;
    }
    const ScaledProblem scaled = ScaleProblem(all);
    const Eigen::VectorXd impulse = together.impulse.cwiseQuotient(scaled.steps);
    EXPECT_NEAR(together.certificate.residual,
                ComputeResidual(scaled, ContactLaw::kNcp, impulse,
                                MultiplyDelassus(scaled, impulse) + scaled.free_rows),
                1e-13)
        << i << " seed " << kSeparateBlocksSeed;
  }
}

TEST(SeparateBlocks, AreNoneWhereBodiesTouch) {
  EXPECT_FALSE(AreSeparate(talus::testing::LoadProblem("mf_multi_full_4").problem));
}

TEST(SeparateBlocks, StopWhenAsked) {
  const MatrixProblem problem = scenes::MakeRollingProblem("plane_200_moving");
  int asked = 0;
  EXPECT_FALSE(SolveSeparateBlocks(problem, ContactLaw::kNcp, [&] { return ++asked == 3; }));
  EXPECT_EQ(asked, 3);
  const auto solution = SolveProblem(problem, {.stop = [] { return true; }});
  ASSERT_TRUE(solution.ok());
  EXPECT_NE(solution->report.outcome, SolveOutcome::kConverged);
}

TEST(SeparateBlocks, WithoutSpinningMobilityOtherRowsStillStick) {
  MatrixProblem problem;
  Matrix6 w = Matrix6::Identity();
  w(3, 3) = 0.0;
  problem.delassus = BlockMatrix(1, {{0, 0, w}});
  problem.laws = {{.cone = {.sliding = 0.5, .spinning = 0.0, .rolling = 0.5}}};
  problem.free_rows = Eigen::VectorXd::Zero(6);
  problem.free_rows.head<2>() << -1.0, 0.25;
  problem.compliance = Eigen::VectorXd::Zero(6);
  const SeparateSolution block = *SolveSeparateBlocks(problem, ContactLaw::kNcp);
  EXPECT_NEAR(block.impulse[0], 1.0, 1e-15);
  EXPECT_NEAR(block.impulse[1], -0.25, 1e-15);
  EXPECT_LE(WorstOf(block.certificate), 1e-15);
}

// It sticks as far as its rows tell, but a row that hardly moves would ask for an impulse that
// leaves the others beyond what is round-off.
TEST(SeparateBlocks, ANearlySingularOneIsNotTakenToStick) {
  MatrixProblem problem;
  Matrix6 w = Matrix6::Identity();
  w(0, 3) = w(3, 0) = 1.0;
  w(3, 3) = 1.0 + 1e-15;
  problem.delassus = BlockMatrix(1, {{0, 0, w}});
  problem.laws = {{.cone = {.sliding = 0.5, .spinning = 2.0, .rolling = 0.5}}};
  problem.free_rows = Eigen::VectorXd::Zero(6);
  problem.free_rows[0] = -1.0;
  problem.free_rows[3] = -1.0 + 1e-3;
  problem.compliance = Eigen::VectorXd::Zero(6);
  const auto solution =
      SolveProblem(problem, {.tolerance = 1e-10, .measure = StopMeasure::kCertificate});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->report.outcome, SolveOutcome::kConverged);
  EXPECT_LE(WorstOf(Certify(problem, ContactLaw::kNcp, solution->impulse)), 1e-10);
}

}  // namespace
}  // namespace talus::matrix
