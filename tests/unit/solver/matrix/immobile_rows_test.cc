// Rows that no impulse moves, in every solver: what the law asks of them is answered, and what
// nothing can do is said.
#include "solver/matrix/immobile_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "solver/matrix/certificate.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "tests/support/problem_files.h"

namespace talus {
namespace {

using matrix::ProblemSolver;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// A block by itself, rigid and of a diagonal W.
MatrixProblem OneBlock(const BlockLaw& law, const Wrench& mobility, const Wrench& free_row) {
  MatrixProblem problem;
  problem.laws = {law};
  problem.delassus = BlockMatrix(1, {{0, 0, mobility.asDiagonal().toDenseMatrix()}});
  problem.free_rows = free_row;
  problem.compliance = Eigen::VectorXd::Zero(6);
  return problem;
}

BlockLaw Bounds(double lower, double upper) {
  return {.kind = BlockLawKind::kBounds,
          .cone = {},
          .lower = Wrench::Constant(lower),
          .upper = Wrench::Constant(upper)};
}

// Four contacts that touch, with a row that spins on and friction against it, and a block of bounds
// that nothing moves beside them.
MatrixProblem ContactsBeside(const BlockLaw& law, const Wrench& free_row) {
  MatrixProblem problem = testing::LoadProblem("mf_multi_full_4").problem;
  std::vector<BlockMatrix::Entry> entries;
  for (uint32_t i = 0; i < 4; ++i) {
    problem.laws[i].cone.spinning = 0.01 * (1 + i);
    problem.free_rows[FirstRow(i) + 3] = i == 2 ? 0.0 : 0.5 - i;
    for (size_t k = 0; k < problem.delassus.Columns(i).size(); ++k) {
      entries.push_back({i, problem.delassus.Columns(i)[k], problem.delassus.Blocks(i)[k]});
    }
  }
  problem.laws.push_back(law);
  problem.delassus = BlockMatrix(5, std::move(entries));
  problem.free_rows.conservativeResize(30);
  problem.free_rows.tail<6>() = free_row;
  problem.compliance = Eigen::VectorXd::Zero(30);
  return problem;
}

void ForEachSolver(const std::function<void(ContactLaw law, ProblemSolver solver)>& run) {
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    for (const ProblemSolver solver : matrix::AllProblemSolvers()) {
      if (!matrix::Solves(solver, law)) continue;
      SCOPED_TRACE(matrix::NameOf(solver));
      SCOPED_TRACE(law == ContactLaw::kNcp ? "NCP" : "CCP");
      run(law, solver);
    }
  }
}

matrix::ProblemSolution Solved(const MatrixProblem& problem, ContactLaw law, ProblemSolver solver) {
  const auto solution =
      matrix::SolveProblem(problem, {.law = law, .solver = solver, .tolerance = 1e-7});
  EXPECT_TRUE(solution.ok()) << solution.status();
  return solution.ok() ? *solution : matrix::ProblemSolution{};
}

TEST(ImmobileRows, BoundsAreMetAtTheBoundThatTheVelocityAsksFor) {
  const struct {
    double velocity, lower, upper, impulse;
  } cases[] = {{0.0, 1.0, 2.0, 1.0},  {0.0, -2.0, -1.0, -1.0}, {0.0, -1.0, kUnbounded, 0.0},
               {3.0, 1.0, 2.0, 1.0},  {-3.0, 1.0, 2.0, 2.0},   {3.0, -4.0, kUnbounded, -4.0},
               {-3.0, -4.0, 5.0, 5.0}};
  for (const auto& one : cases) {
    const MatrixProblem problem =
        OneBlock(Bounds(one.lower, one.upper), Wrench::Zero(), Wrench::Constant(one.velocity));
    ForEachSolver([&](ContactLaw law, ProblemSolver solver) {
      const matrix::ProblemSolution solution = Solved(problem, law, solver);
      EXPECT_EQ(solution.report.outcome, SolveOutcome::kConverged);
      EXPECT_EQ(solution.impulse, Eigen::VectorXd::Constant(6, one.impulse));
      EXPECT_EQ(WorstOf(solution.certificate), 0.0);
    });
  }
}

TEST(ImmobileRows, ABilateralRowThatMovesHasNoSolution) {
  const BlockLaw bilateral = Bounds(-kUnbounded, kUnbounded);
  const MatrixProblem alone = OneBlock(bilateral, Wrench::Zero(), Wrench::Constant(5.0));
  const MatrixProblem beside = ContactsBeside(bilateral, Wrench::Constant(3.0));
  ForEachSolver([&](ContactLaw law, ProblemSolver solver) {
    matrix::ProblemSolution solution = Solved(alone, law, solver);
    EXPECT_EQ(solution.report.outcome, SolveOutcome::kStalled);
    EXPECT_EQ(solution.certificate.residual, 1.0);
    EXPECT_EQ(solution.certificate.worst_contact_residual, 1.0);
    EXPECT_EQ(solution.certificate.siconos_error, 1.0);
    solution = Solved(beside, law, solver);
    EXPECT_EQ(solution.report.outcome, SolveOutcome::kStalled);
    EXPECT_GT(solution.certificate.residual, 0.1);
    EXPECT_EQ(solution.velocity.tail<6>(), Wrench::Constant(3.0));
    // One that must not move and does not.
    const MatrixProblem still = ContactsBeside(bilateral, Wrench::Zero());
    EXPECT_EQ(Solved(still, law, solver).report.outcome, SolveOutcome::kConverged);
  });
}

TEST(ImmobileRows, AContactSlidesAndSpinsAgainstAllItsFriction) {
  Wrench mobility;
  mobility << 2.0, 0.0, 0.0, 0.0, 1.0, 1.0;
  Wrench free_row;
  free_row << -1.0, 3.0, -4.0, 0.5, 0.0, 0.0;
  const BlockLaw law = {.cone = {.sliding = 0.3, .spinning = 0.2, .rolling = 0.1}};
  const MatrixProblem problem = OneBlock(law, mobility, free_row);
  ForEachSolver([&](ContactLaw contact_law, ProblemSolver solver) {
    const matrix::ProblemSolution solution = Solved(problem, contact_law, solver);
    EXPECT_EQ(solution.report.outcome, SolveOutcome::kConverged);
    EXPECT_LE(WorstOf(solution.certificate), 1e-7);
    // Under CCP the contact is lifted by the friction of both.
    const double lift = contact_law == ContactLaw::kCcp ? 0.3 * 5.0 + 0.2 * 0.5 : 0.0;
    const double normal = 0.5 * (1.0 + lift);
    Wrench expected;
    expected << normal, -0.3 * 0.6 * normal, 0.3 * 0.8 * normal, -0.2 * normal, 0.0, 0.0;
    EXPECT_LE((solution.impulse - expected).norm(), 1e-6);
  });
}

TEST(ImmobileRows, AreSolvedBesideRowsThatMove) {
  const MatrixProblem problem = ContactsBeside(Bounds(-2.0, 1.0), Wrench::Constant(0.25));
  ForEachSolver([&](ContactLaw law, ProblemSolver solver) {
    const matrix::ProblemSolution solution = Solved(problem, law, solver);
    EXPECT_EQ(solution.report.outcome, SolveOutcome::kConverged);
    EXPECT_LE(solution.certificate.residual, 1e-7);
    EXPECT_LE(Certify(problem, law, solution.impulse).residual, 1e-7);
    EXPECT_EQ(solution.impulse.tail<6>(), Wrench::Constant(-2.0));
    int pressed = 0;
    for (const Eigen::Index at : {0, 6, 18}) {
      const double bound = problem.laws[static_cast<size_t>(at / 6)].cone.spinning;
      EXPECT_DOUBLE_EQ(std::abs(solution.impulse[at + 3]), bound * solution.impulse[at]);
      pressed += solution.impulse[at] > 0.0 ? 1 : 0;
    }
    EXPECT_GE(pressed, 2);
    EXPECT_EQ(solution.impulse[15], 0.0);
  });
}

// Only what friction lifts presses under CCP: the residual is relative to that.
TEST(ImmobileRows, WhatTheyLiftDrivesAContactThatNothingElsePresses) {
  Wrench mobility;
  mobility << 1.0, 0.0, 0.0, 0.0, 1.0, 1.0;
  Wrench free_row = Wrench::Zero();
  free_row.head<2>() << 1.0, 4.0;
  const BlockLaw law = {.cone = {.sliding = 0.5, .spinning = 0.0, .rolling = 0.1}};
  const MatrixProblem problem = OneBlock(law, mobility, free_row);
  ForEachSolver([&](ContactLaw contact_law, ProblemSolver solver) {
    const matrix::ProblemSolution solution = Solved(problem, contact_law, solver);
    EXPECT_EQ(solution.report.outcome, SolveOutcome::kConverged);
    EXPECT_LE(WorstOf(solution.certificate), 1e-7);
    EXPECT_NEAR(solution.impulse[0], contact_law == ContactLaw::kCcp ? 1.0 : 0.0, 1e-6);
  });
}

TEST(ImmobileRows, AreMeasured) {
  const MatrixProblem problem = OneBlock(Bounds(1.0, 2.0), Wrench::Zero(), Wrench::Zero());
  const auto measure = [&](double impulse) {
    return Certify(problem, ContactLaw::kNcp, Eigen::VectorXd::Constant(6, impulse));
  };
  for (const double admissible : {1.0, 1.5, 2.0}) EXPECT_EQ(WorstOf(measure(admissible)), 0.0);
  for (const double outside : {0.0, 3.0}) {
    EXPECT_GT(measure(outside).residual, 0.1);
    EXPECT_GT(measure(outside).worst_contact_residual, 0.1);
    EXPECT_TRUE(std::isfinite(WorstOf(measure(outside))));
  }
  // A contact that slides on without the friction of sliding.
  Wrench mobility;
  mobility << 1.0, 0.0, 0.0, 0.0, 1.0, 1.0;
  Wrench free_row = Wrench::Zero();
  free_row.head<2>() << -1.0, 3.0;
  const BlockLaw law = {.cone = {.sliding = 0.5, .spinning = 0.0, .rolling = 0.1}};
  const MatrixProblem contact = OneBlock(law, mobility, free_row);
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(6);
  impulse[0] = 1.0;
  EXPECT_GT(Certify(contact, ContactLaw::kNcp, impulse).residual, 0.1);
  impulse[1] = -0.5;
  EXPECT_LE(WorstOf(Certify(contact, ContactLaw::kNcp, impulse)), 1e-15);
}

TEST(ImmobileRows, NoMeasureLosesANumberThatIsNone) {
  const MatrixProblem problem = testing::LoadProblem("mf_multi_full_4").problem;
  for (const Eigen::Index at : {0, 7, 20}) {
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem.row_count());
    impulse[at] = std::nan("");
    const Certificate certificate = Certify(problem, ContactLaw::kNcp, impulse);
    EXPECT_TRUE(std::isnan(certificate.residual));
    EXPECT_TRUE(std::isnan(certificate.worst_contact_residual));
    EXPECT_TRUE(std::isnan(certificate.siconos_error));
    EXPECT_TRUE(std::isnan(WorstOf(certificate)));
  }
}

}  // namespace
}  // namespace talus
