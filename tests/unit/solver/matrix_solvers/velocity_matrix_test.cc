#include "solver/matrix_solvers/velocity_matrix.h"

#include <gtest/gtest.h>

#include <vector>

#include "solver/base/random.h"

namespace talus::matrix {
namespace {

constexpr uint64_t kVelocityMatrixSeed = 7;
constexpr int kBodies = 5;
constexpr Eigen::Index kSize = 6 * kBodies;

Matrix6 RandomMatrix(Random& random) {
  Matrix6 block;
  for (double& value : block.reshaped()) value = random.Uniform(-1.0, 1.0);
  return block;
}

// The bodies that each block joins; one of them the ground, where there is one alone.
const std::vector<std::vector<int>> kJoined = {{0, 1}, {3, 1}, {2}, {0, 4}, {1, 2}};

ScaledVelocities RandomForm(Random& random) {
  ScaledVelocities form;
  std::vector<Eigen::Triplet<double>> mass, directions;
  for (int row = 0; row < kSize; ++row) mass.emplace_back(row, row, random.Uniform(1.0, 2.0));
  for (size_t i = 0; i < kJoined.size(); ++i) {
    for (const int body : kJoined[i]) {
      const Matrix6 block = RandomMatrix(random);
      for (int row = 0; row < 6; ++row) {
        // A third of the rows of a body is not moved: they have no entry.
        if ((row + body) % 3 == 0) continue;
        for (int column = 0; column < 6; ++column) {
          directions.emplace_back(6 * body + row, 6 * static_cast<int>(i) + column,
                                  block(row, column));
        }
      }
    }
  }
  form.mass.resize(kSize, kSize);
  form.mass.setFromTriplets(mass.begin(), mass.end());
  form.directions.resize(kSize, 6 * static_cast<Eigen::Index>(kJoined.size()));
  form.directions.setFromTriplets(directions.begin(), directions.end());
  form.directions_transposed = form.directions.transpose();
  return form;
}

Eigen::MatrixXd Expected(const ScaledVelocities& form, const std::vector<Matrix6>& derivatives,
                         double kappa) {
  Eigen::MatrixXd sum = form.mass;
  for (size_t i = 0; i < derivatives.size(); ++i) {
    const Eigen::MatrixXd own = form.directions.middleCols(6 * static_cast<Eigen::Index>(i), 6);
    sum += kappa * own * derivatives[i] * own.transpose();
  }
  return sum;
}

TEST(VelocityMatrix, AddsUpItsBlocks) {
  Random random(kVelocityMatrixSeed);
  const ScaledVelocities form = RandomForm(random);
  VelocityMatrix matrix(form);
  for (const double kappa : {1.0, 1e6}) {
    std::vector<Matrix6> derivatives;
    for (size_t i = 0; i < kJoined.size(); ++i) derivatives.push_back(RandomMatrix(random));
    const Eigen::MatrixXd expected = Expected(form, derivatives, kappa);
    const Eigen::MatrixXd made = matrix.Assemble(derivatives, kappa);
    EXPECT_LE((made - expected).norm(), 1e-13 * expected.norm());
  }
}

// Contacts close and open again.
TEST(VelocityMatrix, KeepsThePlacesOfWhatHasOpened) {
  Random random(kVelocityMatrixSeed);
  const ScaledVelocities form = RandomForm(random);
  VelocityMatrix matrix(form);
  std::vector<Matrix6> derivatives(kJoined.size(), Matrix6::Zero());
  EXPECT_EQ(matrix.Assemble(derivatives, 1.0).nonZeros(), form.mass.nonZeros());
  Eigen::Index count = form.mass.nonZeros();
  for (size_t i = 0; i < kJoined.size(); ++i) {
    derivatives.assign(kJoined.size(), Matrix6::Zero());
    derivatives[i] = RandomMatrix(random);
    const SparseMatrix& made = matrix.Assemble(derivatives, 10.0);
    const Eigen::MatrixXd expected = Expected(form, derivatives, 10.0);
    EXPECT_LE((Eigen::MatrixXd(made) - expected).norm(), 1e-13 * expected.norm()) << i;
    EXPECT_GT(made.nonZeros(), count) << i;
    count = made.nonZeros();
  }
  derivatives.assign(kJoined.size(), Matrix6::Zero());
  const SparseMatrix& left = matrix.Assemble(derivatives, 10.0);
  EXPECT_EQ(left.nonZeros(), count);
  EXPECT_EQ(Eigen::MatrixXd(left), Eigen::MatrixXd(form.mass));
}

// Contacts of one body need not move the same of its rows: runs that begin together end apart, and
// others begin within them.
TEST(VelocityMatrix, TakesRunsOfOneBodyThatOverlap) {
  Random random(kVelocityMatrixSeed);
  const std::vector<std::vector<int>> moved = {{0, 1}, {0, 1, 2, 3, 4}, {2, 3},
                                               {0},    {4, 5, 6},       {1, 5}};
  ScaledVelocities form;
  std::vector<Eigen::Triplet<double>> directions;
  for (size_t i = 0; i < moved.size(); ++i) {
    for (const int row : moved[i]) {
      for (int column = 0; column < 6; ++column) {
        directions.emplace_back(row, 6 * static_cast<int>(i) + column, random.Uniform(-1.0, 1.0));
      }
    }
  }
  form.mass.resize(8, 8);
  form.mass.setIdentity();
  form.directions.resize(8, 6 * static_cast<Eigen::Index>(moved.size()));
  form.directions.setFromTriplets(directions.begin(), directions.end());
  form.directions_transposed = form.directions.transpose();
  VelocityMatrix matrix(form);
  std::vector<Matrix6> derivatives;
  for (size_t i = 0; i < moved.size(); ++i) derivatives.push_back(RandomMatrix(random));
  const Eigen::MatrixXd expected = Expected(form, derivatives, 3.0);
  EXPECT_LE((Eigen::MatrixXd(matrix.Assemble(derivatives, 3.0)) - expected).norm(),
            1e-13 * expected.norm());
}

}  // namespace
}  // namespace talus::matrix
