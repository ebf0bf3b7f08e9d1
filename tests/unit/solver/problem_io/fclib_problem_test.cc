#include "solver/problem_io/fclib_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/matrix_solvers/problem_solver.h"
#include "tests/support/problem_files.h"
#include "tests/support/special_numbers.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using testing::kInfinity;

ProblemFile WriteAndRead(const ProblemFile& file, FclibForm form) {
  const absl::StatusOr<std::string> bytes = WriteFclibProblem(file, form);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  if (!bytes.ok()) return {};
  absl::StatusOr<ProblemFile> again = ReadFclibProblem(*bytes);
  EXPECT_TRUE(again.ok()) << again.status();
  return again.ok() ? *std::move(again) : ProblemFile{};
}

// Blocks of unit inertia that know nothing of each other.
ProblemFile Uncoupled(std::vector<BlockLaw> laws, const Eigen::VectorXd& q) {
  ProblemFile file;
  file.name = "uncoupled";
  std::vector<BlockMatrix::Entry> entries;
  for (uint32_t i = 0; i < laws.size(); ++i) entries.push_back({i, i, Matrix6::Identity()});
  file.problem.delassus = BlockMatrix(laws.size(), std::move(entries));
  file.problem.laws = std::move(laws);
  file.problem.free_rows = q;
  file.problem.compliance = Eigen::VectorXd::Zero(q.size());
  return file;
}

BlockLaw Bilateral() {
  BlockLaw law;
  law.kind = BlockLawKind::kBounds;
  law.lower.setConstant(-kInfinity);
  law.upper.setConstant(kInfinity);
  return law;
}

class RoundTrip : public ::testing::TestWithParam<std::string> {};

// W and q are taken out and put back, never computed with.
TEST_P(RoundTrip, ComesBackFromTheLocalForm) {
  const ProblemFile file = testing::LoadProblem(GetParam());
  const ProblemFile again = WriteAndRead(file, FclibForm::kLocal);
  EXPECT_EQ(again.name, file.name);
  EXPECT_EQ(again.problem.delassus.ToDense(), file.problem.delassus.ToDense());
  EXPECT_EQ(again.problem.free_rows, file.problem.free_rows);
  EXPECT_EQ(*again.reference_impulse, *file.reference_impulse);
  EXPECT_EQ(*again.reference_velocity, *file.reference_velocity);
  ASSERT_EQ(again.problem.block_count(), file.problem.block_count());
  for (size_t i = 0; i < file.problem.block_count(); ++i) {
    EXPECT_EQ(again.problem.laws[i].cone, file.problem.laws[i].cone);
  }
}

TEST_P(RoundTrip, ComesBackFromTheGlobalForm) {
  const ProblemFile file = testing::LoadProblem(GetParam());
  if (!file.problem.velocities) return;
  const ProblemFile again = WriteAndRead(file, FclibForm::kAuto);
  ASSERT_TRUE(again.problem.velocities);
  const VelocityForm& expected = *file.problem.velocities;
  const VelocityForm& form = *again.problem.velocities;
  EXPECT_EQ(form.mass.toDense(), expected.mass.toDense());
  EXPECT_EQ(form.directions.toDense(), expected.directions.toDense());
  EXPECT_EQ(form.free_impulse, expected.free_impulse);
  EXPECT_EQ(form.offset, expected.offset);
  EXPECT_EQ(*again.reference_impulse, *file.reference_impulse);
  // Formed anew from M and H: differences are those of rounding.
  const Eigen::MatrixXd delassus = file.problem.delassus.ToDense();
  EXPECT_LE((again.problem.delassus.ToDense() - delassus).norm(), 1e-12 * delassus.norm());
}

INSTANTIATE_TEST_SUITE_P(Files, RoundTrip, ::testing::ValuesIn(testing::ProblemNames()));

TEST(FclibProblem, SameProblemGivesTheSameBytes) {
  const ProblemFile file = testing::LoadProblem("pl_m03r3_13_1000");
  EXPECT_EQ(*WriteFclibProblem(file), *WriteFclibProblem(file));
}

// Three rows are written, for W has no say in what has no impulse.
TEST(FclibProblem, LeavesOutTheRowsOfContactsWithoutRolling) {
  ProblemFile file = testing::LoadProblem("pl_m03r3_13_1000");
  for (BlockLaw& law : file.problem.laws) law.cone.rolling = 0.0;
  const ProblemFile again = WriteAndRead(file, FclibForm::kLocal);
  const Eigen::MatrixXd expected = file.problem.delassus.ToDense();
  const Eigen::MatrixXd delassus = again.problem.delassus.ToDense();
  for (Eigen::Index i = 0; i < expected.rows(); ++i) {
    for (Eigen::Index j = 0; j < expected.cols(); ++j) {
      const bool written = i % 6 < 3 && j % 6 < 3;
      ASSERT_EQ(delassus(i, j), written ? expected(i, j) : 0.0) << i << ' ' << j;
    }
  }
}

TEST(FclibProblem, ComplianceBecomesPartOfTheLocalMatrix) {
  ProblemFile file = testing::LoadProblem("pl_m03r3_13_1000");
  file.problem.compliance[8] = 0.25;
  const ProblemFile again = WriteAndRead(file, FclibForm::kAuto);
  EXPECT_FALSE(again.problem.velocities);
  Eigen::MatrixXd expected = file.problem.delassus.ToDense();
  expected(8, 8) += 0.25;
  EXPECT_EQ(again.problem.delassus.ToDense(), expected);
  EXPECT_EQ(again.problem.compliance, Eigen::VectorXd::Zero(expected.rows()));
}

// An axle (five bilateral rows, one free) between two contacts: the contacts come first again, and
// the sixth row of the bounds has no meaning.
TEST(FclibProblem, BilateralRowsAreEqualities) {
  BlockLaw axle = Bilateral();
  axle.lower[4] = axle.upper[4] = 0.0;
  const BlockLaw contact{.cone = {.sliding = 0.5, .rolling = 0.125}};
  ProblemFile file = Uncoupled({contact, axle, contact}, Eigen::VectorXd::LinSpaced(18, -9, 8));
  file.reference_impulse = Eigen::VectorXd::LinSpaced(18, 1, 18);
  file.reference_velocity = Eigen::VectorXd::LinSpaced(18, 3, 20);
  const ProblemFile again = WriteAndRead(file, FclibForm::kAuto);
  ASSERT_EQ(again.problem.block_count(), 3u);
  EXPECT_EQ(again.problem.laws[1].cone, contact.cone);
  const BlockLaw& bounds = again.problem.laws[2];
  ASSERT_EQ(bounds.kind, BlockLawKind::kBounds);
  Wrench upper = Wrench::Constant(kInfinity);
  upper[5] = 0.0;
  EXPECT_EQ(bounds.lower, Wrench(-upper));
  EXPECT_EQ(bounds.upper, upper);
  Eigen::VectorXd q(18);
  q << -9, -8, -7, 0, -5, -4, 3, 4, 5, 0, 7, 8, -3, -2, -1, 0, 2, 0;
  EXPECT_EQ(again.problem.free_rows, q);
  EXPECT_EQ((again.reference_impulse->tail<6>()), (Wrench() << 7, 8, 9, 10, 12, 0).finished());
  EXPECT_EQ((again.problem.delassus.Diagonal(2).diagonal()),
            (Wrench() << 1, 1, 1, 1, 1, 0).finished());
}

TEST(FclibProblem, EqualitiesHoldInTheSolution) {
  ProblemFile file = testing::LoadProblem("pl_m03r3_13_1000");
  file.problem.laws[4] = Bilateral();
  for (const FclibForm form : {FclibForm::kLocal, FclibForm::kGlobal}) {
    const ProblemFile again = WriteAndRead(file, form);
    ASSERT_EQ(again.problem.block_count(), 13u);
    const absl::StatusOr<matrix::ProblemSolution> solution =
        matrix::SolveProblem(again.problem, {.solver = matrix::ProblemSolver::kNewton});
    ASSERT_TRUE(solution.ok()) << solution.status();
    EXPECT_LE(solution->certificate.residual, 1e-8);
    // Five rows of the block can move: those of the file it comes from.
    EXPECT_LE(solution->velocity.tail<6>().norm(), 1e-7 * again.problem.free_rows.norm());
    EXPECT_GT(solution->impulse.tail<6>().norm(), 0.0);
  }
}

struct Refused {
  const char* name;
  FclibForm form;
  void (*change)(MatrixProblem& problem);
  const char* message;
};

class RefusedProblem : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedProblem, IsRefusedByName) {
  ProblemFile file = testing::LoadProblem("pl_m03r3_13_1000");
  GetParam().change(file.problem);
  const absl::StatusOr<std::string> bytes = WriteFclibProblem(file, GetParam().form);
  ASSERT_EQ(bytes.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(bytes.status().message()), HasSubstr(GetParam().message));
}

TEST(FclibProblem, HasNoMemoryOfBristles) {
  ProblemFile file = testing::LoadProblem("pl_m03r3_13_1000");
  ASSERT_TRUE(WriteFclibProblem(file).ok());
  file.old_impulse = file.problem.free_rows;
  EXPECT_THAT(std::string(WriteFclibProblem(file).status().message()),
              HasSubstr("old_impulse = given must be left out: FCLIB"));
}

const Refused kRefused[] = {
    {"Spinning", FclibForm::kAuto,
     [](MatrixProblem& problem) { problem.laws[3].cone.spinning = 0.01; },
     "blocks[3].sigma = 0.01 must be 0: FCLIB has no spinning friction"},
    {"Motor", FclibForm::kAuto,
     [](MatrixProblem& problem) {
       problem.laws[2] = Bilateral();
       problem.laws[2].lower[1] = -2.0;
     },
     "blocks[2].lower[1] = -2 (upper inf) must be -inf with upper inf"},
    {"Limit", FclibForm::kLocal,
     [](MatrixProblem& problem) {
       problem.laws[2] = Bilateral();
       problem.laws[2].lower[5] = 0.0;
     },
     "blocks[2].lower[5] = 0 (upper inf) must be -inf with upper inf"},
    {"NoContact", FclibForm::kAuto,
     [](MatrixProblem& problem) { problem.laws.assign(problem.laws.size(), Bilateral()); },
     "blocks = none must have a contact"},
    {"CompliantGlobal", FclibForm::kGlobal,
     [](MatrixProblem& problem) { problem.compliance[7] = 0.5; },
     "compliance[7] = 0.5 must be 0 in the global form"},
    {"NoVelocities", FclibForm::kGlobal, [](MatrixProblem& problem) { problem.velocities.reset(); },
     "M = nothing must be given for the global form"},
    {"NotValid", FclibForm::kAuto, [](MatrixProblem& problem) { problem.free_rows[4] = kInfinity; },
     "q[4] = inf must be finite"},
};
INSTANTIATE_TEST_SUITE_P(Problems, RefusedProblem, ::testing::ValuesIn(kRefused),
                         [](const auto& refused) { return std::string(refused.param.name); });

}  // namespace
}  // namespace talus
