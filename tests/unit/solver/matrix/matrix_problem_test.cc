#include "solver/matrix/matrix_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "solver/matrix/scaled_problem.h"
#include "tests/support/problem_files.h"

namespace talus {
namespace {

MatrixProblem SomeProblem() { return testing::LoadProblem("mf_multi_full_4").problem; }

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// W with `value` at rows 3 and 4 of one of its blocks and its mirror image.
BlockMatrix WithEntry(const MatrixProblem& problem, uint32_t row, uint32_t column, double value) {
  std::vector<BlockMatrix::Entry> entries;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    for (size_t k = 0; k < problem.delassus.Columns(i).size(); ++k) {
      entries.push_back({static_cast<uint32_t>(i), problem.delassus.Columns(i)[k],
                         problem.delassus.Blocks(i)[k]});
    }
  }
  Matrix6 added = Matrix6::Zero();
  added(3, 4) = added(4, 3) = value;
  entries.push_back({row, column, added});
  return BlockMatrix(problem.block_count(), std::move(entries));
}

// Of four blocks, of ones but for one row.
BlockMatrix Diagonal(double second) {
  std::vector<BlockMatrix::Entry> entries;
  for (uint32_t i = 0; i < 4; ++i) entries.push_back({i, i, Matrix6::Identity()});
  entries[0].block(1, 1) = second;
  return BlockMatrix(4, std::move(entries));
}

struct Fault {
  const char* name;
  std::function<void(MatrixProblem&)> make;
  const char* message;
};

class InvalidProblem : public ::testing::TestWithParam<Fault> {};

TEST_P(InvalidProblem, IsRefusedByName) {
  MatrixProblem problem = SomeProblem();
  ASSERT_TRUE(Validate(problem).ok());
  GetParam().make(problem);
  const absl::Status status = Validate(problem);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr(GetParam().message));
}

const Fault kFaults[] = {
    {"Size", [](MatrixProblem& p) { p.free_rows.conservativeResize(23); },
     "q.size = 23 must be 24"},
    {"NotFinite", [](MatrixProblem& p) { p.free_rows[3] = std::nan(""); },
     "q[3] = nan must be finite"},
    {"LastRow", [](MatrixProblem& p) { p.free_rows[23] = kInfinity; },
     "q[23] = inf must be finite"},
    {"ComplianceSize", [](MatrixProblem& p) { p.compliance.conservativeResize(25); },
     "compliance.size = 25 must be 24"},
    {"ComplianceNotFinite", [](MatrixProblem& p) { p.compliance[5] = std::nan(""); },
     "compliance[5] = nan must be 0 or in [1e-35, 1e+30]"},
    {"InfiniteCompliance", [](MatrixProblem& p) { p.compliance[18] = kInfinity; },
     "compliance[18] = inf must be 0 or in [1e-35, 1e+30]"},
    {"Compliance", [](MatrixProblem& p) { p.compliance[7] = -1.0; },
     "compliance[7] = -1 must be 0 or in [1e-35, 1e+30]"},
    {"Blocks", [](MatrixProblem& p) { p.delassus = BlockMatrix(3, {}); }, "W.size = 18 must be 24"},
    {"Asymmetry",
     [](MatrixProblem& p) {
       p.delassus = BlockMatrix(4, {{0, 1, Matrix6::Ones()}});
     },
     "W = 1 must differ from its transpose by at most 1e-09"},
    {"Coefficient", [](MatrixProblem& p) { p.laws[2].cone.rolling = -0.5; },
     "blocks[2].rho = -0.5 must be in [0, 1e+06]"},
    {"CoefficientNotFinite", [](MatrixProblem& p) { p.laws[3].cone.spinning = std::nan(""); },
     "blocks[3].sigma = nan must be in [0, 1e+06]"},
    {"InfiniteCoefficient", [](MatrixProblem& p) { p.laws[0].cone.sliding = kInfinity; },
     "blocks[0].mu = inf must be in [0, 1e+06]"},
    {"Bounds",
     [](MatrixProblem& p) {
       p.laws[1].kind = BlockLawKind::kBounds;
       p.laws[1].lower[4] = 1.0;
     },
     "blocks[1].lower[4] = 1 must be <= upper, 0"},
    {"InfiniteLower",
     [](MatrixProblem& p) {
       p.laws[1].kind = BlockLawKind::kBounds;
       p.laws[1].lower[2] = p.laws[1].upper[2] = kInfinity;
     },
     "blocks[1].lower[2] = inf must be < inf"},
    {"InfiniteUpper",
     [](MatrixProblem& p) {
       p.laws[1].kind = BlockLawKind::kBounds;
       p.laws[1].lower[2] = p.laws[1].upper[2] = -kInfinity;
     },
     "blocks[1].upper[2] = -inf must be > -inf"},
    {"NotFiniteDiagonal", [](MatrixProblem& p) { p.delassus = WithEntry(p, 2, 2, std::nan("")); },
     "W[15][16] = nan must be finite"},
    // Of both places, so that the matrix equals its transpose.
    {"InfiniteResponse",
     [](MatrixProblem& p) {
       p.delassus = WithEntry(p, 1, 3, kInfinity);
       p.delassus = WithEntry(p, 3, 1, kInfinity);
     },
     "W[9][22] = inf must be finite"},
    {"Mobility", [](MatrixProblem& p) { p.delassus = BlockMatrix(4, {}); },
     "W[0][0] = 0 must be > 0"},
    {"FastRow", [](MatrixProblem& p) { p.free_rows[7] = -2e20; },
     "q[7] = -2e+20 must be in [-1e+20, 1e+20]"},
    {"Rough", [](MatrixProblem& p) { p.laws[1].cone.sliding = 2e6; },
     "blocks[1].mu = 2e+06 must be in [0, 1e+06]"},
    {"TooSoft", [](MatrixProblem& p) { p.compliance[2] = 2e30; },
     "compliance[2] = 2e+30 must be 0 or in [1e-35, 1e+30]"},
    {"HardlySoft", [](MatrixProblem& p) { p.compliance[2] = 1e-36; },
     "compliance[2] = 1e-36 must be 0 or in [1e-35, 1e+30]"},
    {"FarBound",
     [](MatrixProblem& p) {
       p.laws[1].kind = BlockLawKind::kBounds;
       p.laws[1].upper[2] = 2e40;
     },
     "blocks[1].upper[2] = 2e+40 must be in [-1e+40, 1e+40] or infinite"},
    {"LargeResponse",
     [](MatrixProblem& p) {
       p.delassus = WithEntry(p, 1, 3, 2e50);
       p.delassus = WithEntry(p, 3, 1, 2e50);
     },
     "W[9][22] = 2e+50 must be in [-1e+50, 1e+50]"},
    {"HardlyMobile", [](MatrixProblem& p) { p.delassus = Diagonal(1e-36); },
     "W[1][1] = 1e-36 must be 0 or in [1e-35, 1e+50]"},
    {"NegativeMobility", [](MatrixProblem& p) { p.delassus = Diagonal(-1.0); },
     "W[1][1] = -1 must be 0 or in [1e-35, 1e+50]"},
    {"Indefinite",
     [](MatrixProblem& p) {
       p.delassus = Diagonal(1.0);
       p.delassus = WithEntry(p, 1, 1, 2.0);
     },
     "W[6..11][6..11] = of a least eigenvalue of -"},
    {"ImmobileRowOfABlock", [](MatrixProblem& p) { p.delassus = WithEntry(p, 2, 2, 0.5); },
     "W[15][16] = 0.5 must be 0, as W[15][15] is"},
    {"ImmobileRowOfW",
     [](MatrixProblem& p) {
       p.delassus = WithEntry(p, 1, 3, 0.5);
       p.delassus = WithEntry(p, 3, 1, 0.5);
     },
     "W[9][22] = 0.5 must be 0, as W[9][9] is"},
};
INSTANTIATE_TEST_SUITE_P(Faults, InvalidProblem, ::testing::ValuesIn(kFaults),
                         [](const auto& fault) { return std::string(fault.param.name); });

// Numbers of four bytes, or a block of redundant rows, are as good as semidefinite.
TEST(MatrixProblem, ABlockMayBeIndefiniteByRoundOff) {
  MatrixProblem problem = SomeProblem();
  Wrench row;
  row << 1.0, 20.0, -0.03, 4.0, 0.5, -700.0;
  const Matrix6 redundant = row * row.transpose();
  for (const double round_off : {0.0, 1e-15, 1e-7}) {
    Matrix6 block = redundant;
    block(0, 1) *= 1.0 + round_off;
    block(1, 0) = block(0, 1);
    problem.delassus = BlockMatrix(4, {{0, 0, block}, {1, 1, block}, {2, 2, block}, {3, 3, block}});
    EXPECT_TRUE(Validate(problem).ok()) << round_off << Validate(problem);
  }
  // The rest of W is not looked at together.
  Matrix6 one = Matrix6::Identity();
  problem.delassus = BlockMatrix(
      4, {{0, 0, one}, {1, 1, one}, {2, 2, one}, {3, 3, one}, {0, 1, 2 * one}, {1, 0, 2 * one}});
  EXPECT_TRUE(Validate(problem).ok());
}

TEST(MatrixProblem, ItsNumbersMayBeValidWhereItIsNot) {
  MatrixProblem problem = SomeProblem();
  Matrix6 block = Matrix6::Identity();
  block(0, 1) = block(1, 0) = 2.0;
  problem.delassus = BlockMatrix(4, {{0, 0, block}, {1, 1, block}, {2, 2, block}, {3, 3, block}});
  EXPECT_TRUE(ValidateNumbers(problem).ok()) << ValidateNumbers(problem);
  EXPECT_FALSE(Validate(problem).ok());
  problem.free_rows[7] = std::nan("");
  EXPECT_FALSE(ValidateNumbers(problem).ok());
}

TEST(MatrixProblem, TheEndsOfTheRangesAreValid) {
  MatrixProblem problem = SomeProblem();
  problem.delassus = Diagonal(1e-35);
  problem.free_rows.setConstant(-1e20);
  problem.compliance.setConstant(1e30);
  problem.laws[0].cone = {.sliding = 1e6, .spinning = 1e6, .rolling = 1e6};
  EXPECT_TRUE(Validate(problem).ok()) << Validate(problem);
  problem.laws[1].kind = BlockLawKind::kBounds;
  problem.laws[1].lower.setConstant(-1e40);
  problem.laws[1].upper.setConstant(1e40);
  problem.delassus = Diagonal(1e50);
  problem.compliance.setConstant(1e-35);
  EXPECT_TRUE(Validate(problem).ok()) << Validate(problem);
}

TEST(MatrixProblem, VelocitiesGrowWithCompliance) {
  MatrixProblem problem = SomeProblem();
  const Eigen::VectorXd impulse = Eigen::VectorXd::LinSpaced(problem.row_count(), -1.0, 2.0);
  const Eigen::VectorXd rigid = ComputeVelocity(problem, impulse);
  EXPECT_LE((rigid - problem.delassus.ToDense() * impulse - problem.free_rows).norm(), 1e-13);
  problem.compliance.setConstant(0.25);
  EXPECT_LE((ComputeVelocity(problem, impulse) - rigid - 0.25 * impulse).norm(), 1e-13);
}

TEST(ScaledProblem, HasADiagonalOfAboutOneAndTheSameSolutions) {
  MatrixProblem problem = SomeProblem();
  problem.compliance.setConstant(0.125);
  problem.laws[3].kind = BlockLawKind::kBounds;
  problem.laws[3].lower.setConstant(-2.0);
  problem.laws[3].upper.setConstant(std::numeric_limits<double>::infinity());
  const ScaledProblem scaled = ScaleProblem(problem);
  for (size_t i = 0; i < 4; ++i) {
    const Matrix6& w = scaled.delassus.Diagonal(i);
    EXPECT_NEAR(w(0, 0), 1.0, 1e-15);
    EXPECT_NEAR(w(1, 1) + w(2, 2), 2.0, 1e-14);
    EXPECT_NEAR(w(4, 4) + w(5, 5), 2.0, 1e-14);
  }
  // Row by row where the law is.
  EXPECT_NEAR(scaled.delassus.Diagonal(3)(1, 1), 1.0, 1e-15);
  EXPECT_DOUBLE_EQ(scaled.laws[3].lower[2], -2.0 / scaled.steps[20]);
  EXPECT_TRUE(std::isinf(scaled.laws[3].upper[2]));
  // γ' = γ / S stands in its cone when γ does.
  const Wrench gamma = ProjectToCone(problem.laws[0].cone, Wrench::LinSpaced(-1.0, 1.5));
  const Wrench inside = gamma.cwiseQuotient(scaled.steps.head<6>());
  EXPECT_LE((ProjectBlock(scaled.laws[0], inside) - inside).norm(), 1e-14);
  // u' = S u.
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(24, -1.0, 2.0);
  const Eigen::VectorXd impulse = scaled.steps.cwiseProduct(x);
  const Eigen::VectorXd velocity = problem.delassus.Multiply(impulse) +
                                   problem.compliance.cwiseProduct(impulse) + problem.free_rows;
  const Eigen::VectorXd expected = scaled.steps.cwiseProduct(velocity);
  EXPECT_LE((scaled.delassus.whole().Multiply(x) + scaled.free_rows - expected).norm(),
            1e-13 * expected.norm());
}

}  // namespace
}  // namespace talus
