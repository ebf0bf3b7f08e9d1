#include "solver/matrix/delassus.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "solver/base/limits.h"
#include "tests/support/problem_files.h"

namespace talus {
namespace {

// Two bodies of three rows and one of two that are coupled with a third, and three blocks.
MatrixProblem CoupledProblem() {
  MatrixProblem problem;
  problem.laws.resize(3);
  VelocityForm& form = problem.velocities.emplace();
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(8, 8);
  for (int i = 0; i < 8; ++i) mass(i, i) = 2.0 + i;
  mass(1, 6) = mass(6, 1) = 0.5;
  mass(3, 5) = mass(5, 3) = -0.25;
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(8, 18);
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 18; ++j) {
      // The first two rows touch only the first block, the last only the last.
      if ((i < 2 && j >= 6) || (i == 7 && j < 12)) continue;
      directions(i, j) = std::sin(1.0 + i * 18 + j);
    }
  }
  form.mass = mass.sparseView();
  form.directions = directions.sparseView();
  form.free_impulse = Eigen::VectorXd::LinSpaced(8, -1.0, 2.0);
  form.offset = Eigen::VectorXd::LinSpaced(18, 0.5, 1.5);
  return problem;
}

TEST(Delassus, IsTheProductOfItsFactors) {
  MatrixProblem problem = CoupledProblem();
  ASSERT_TRUE(FormDelassus(problem).ok());
  const VelocityForm& form = *problem.velocities;
  const Eigen::MatrixXd inverse = Eigen::MatrixXd(form.mass).inverse();
  const Eigen::MatrixXd directions = form.directions;
  const Eigen::MatrixXd product = directions.transpose() * inverse * directions;
  EXPECT_LE((problem.delassus.ToDense() - product).cwiseAbs().maxCoeff(), 1e-14);
  const Eigen::VectorXd free_rows =
      directions.transpose() * inverse * form.free_impulse + form.offset;
  EXPECT_LE((problem.free_rows - free_rows).cwiseAbs().maxCoeff(), 1e-14);
}

// Chains of rows, of which one row alone touches a block.
TEST(Delassus, TheWorkOfFormingItIsBounded) {
  constexpr int kParts = 23;
  for (const int rows : {50, static_cast<int>(kMaxMassPart)}) {
    MatrixProblem problem;
    problem.laws.resize(1);
    std::vector<Eigen::Triplet<double>> entries;
    for (int row = 0; row < kParts * rows; ++row) {
      entries.emplace_back(row, row, 2.0);
      if (row % rows == 0) continue;
      entries.emplace_back(row, row - 1, -0.5);
      entries.emplace_back(row - 1, row, -0.5);
    }
    VelocityForm& form = problem.velocities.emplace();
    form.mass.resize(kParts * rows, kParts * rows);
    form.mass.setFromTriplets(entries.begin(), entries.end());
    form.directions.resize(kParts * rows, 6);
    form.directions.insert(0, 0) = 1.0;
    form.free_impulse = Eigen::VectorXd::Zero(kParts * rows);
    form.offset = Eigen::VectorXd::Zero(6);
    const absl::Status status = FormDelassus(problem);
    if (rows == 50) {
      EXPECT_TRUE(status.ok()) << status;
      continue;
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_EQ(std::string(status.message()),
              "M = parts that hang together must take at most 1e+11 multiplications to make W, "
              "n³/6 + n² m/2 + n m² for n rows that m columns of H touch");
  }
}

TEST(Delassus, LeavesOutBlocksThatShareNothing) {
  MatrixProblem problem = CoupledProblem();
  problem.velocities->mass = Eigen::MatrixXd(Eigen::MatrixXd::Identity(8, 8)).sparseView();
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(8, 18);
  directions(0, 0) = directions(1, 6) = directions(1, 12) = 1.0;
  problem.velocities->directions = directions.sparseView();
  ASSERT_TRUE(FormDelassus(problem).ok());
  EXPECT_EQ(problem.delassus.Columns(0).size(), 1u);
  EXPECT_EQ(problem.delassus.Columns(1).size(), 2u);
  EXPECT_EQ(problem.delassus.Blocks(1)[1](0, 0), 1.0);
}

TEST(Delassus, AgreesWithWhatTheFilesHold) {
  MatrixProblem problem = testing::LoadProblem("pl_m03r3_56_3000").problem;
  MatrixProblem formed = problem;
  ASSERT_TRUE(FormDelassus(formed).ok());
  const Eigen::MatrixXd w = problem.delassus.ToDense();
  EXPECT_LE((formed.delassus.ToDense() - w).cwiseAbs().maxCoeff(), 1e-12 * w.cwiseAbs().maxCoeff());
}

TEST(Delassus, RefusesAMassThatIsNone) {
  MatrixProblem problem = CoupledProblem();
  problem.velocities->mass.coeffRef(1, 6) = 0.75;
  EXPECT_NE(FormDelassus(problem).message().find("differ from its transpose"), std::string::npos);
  problem = CoupledProblem();
  problem.velocities->mass.coeffRef(3, 3) = -3.0;
  EXPECT_EQ(FormDelassus(problem).message(), "M = the part of row 3 must be positive definite");
  problem = CoupledProblem();
  problem.velocities->mass.coeffRef(2, 2) = std::nan("");
  EXPECT_EQ(FormDelassus(problem).message(), "M[2][2] = nan must be finite");
  problem = CoupledProblem();
  problem.velocities->offset.resize(3);
  EXPECT_EQ(FormDelassus(problem).message(), "w.size = 3 must be 18");
  problem = CoupledProblem();
  problem.velocities->free_impulse.resize(7);
  EXPECT_EQ(FormDelassus(problem).message(), "f.size = 7 must be 8");
}

// A matrix of ones along one chain of rows.
SparseMatrix Chain(int size) {
  SparseMatrix mass(size, size);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < size; ++i) {
    entries.emplace_back(i, i, 4.0);
    if (i + 1 == size) continue;
    entries.emplace_back(i, i + 1, 1.0);
    entries.emplace_back(i + 1, i, 1.0);
  }
  mass.setFromTriplets(entries.begin(), entries.end());
  return mass;
}

TEST(Delassus, RefusesWhatWouldNotFitIntoMemory) {
  const int size = static_cast<int>(kMaxMassPart) + 1;
  MatrixProblem problem;
  problem.laws.resize(1);
  problem.velocities = {.mass = Chain(size),
                        .directions = SparseMatrix(size, 6),
                        .free_impulse = Eigen::VectorXd::Zero(size),
                        .offset = Eigen::VectorXd::Zero(6)};
  EXPECT_EQ(FormDelassus(problem).code(), absl::StatusCode::kResourceExhausted);
  // 2001 contacts of one body: W would be full.
  const int count = 2001;
  problem.laws.resize(count);
  SparseMatrix directions(1, 6 * count);
  for (int i = 0; i < count; ++i) directions.insert(0, 6 * i) = 1.0;
  directions.makeCompressed();
  problem.velocities = {.mass = Chain(1),
                        .directions = directions,
                        .free_impulse = Eigen::VectorXd::Zero(1),
                        .offset = Eigen::VectorXd::Zero(6 * count)};
  EXPECT_EQ(FormDelassus(problem).code(), absl::StatusCode::kResourceExhausted);
}

TEST(Delassus, RefusesWhatIsNotFiniteByItsOwnName) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  MatrixProblem problem = CoupledProblem();
  problem.velocities->directions.coeffRef(4, 7) = kInfinity;
  EXPECT_EQ(FormDelassus(problem).message(), "H[4][7] = inf must be finite");
  problem = CoupledProblem();
  problem.velocities->free_impulse[5] = std::nan("");
  EXPECT_EQ(FormDelassus(problem).message(), "f[5] = nan must be finite");
  problem = CoupledProblem();
  problem.velocities->offset[17] = -kInfinity;
  EXPECT_EQ(FormDelassus(problem).message(), "w[17] = -inf must be finite");
}

}  // namespace
}  // namespace talus
