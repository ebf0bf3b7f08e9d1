#include "solver/matrix/velocity_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "solver/matrix/delassus.h"
#include "tests/support/problem_files.h"

namespace talus {
namespace {

using ::testing::HasSubstr;

MatrixProblem OfBothForms() { return testing::LoadProblem("pl_m03r3_13_1000").problem; }

std::string Refusal(const absl::Status& status) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(VelocityForm, FilesThatHoldBothFormsAgree) {
  for (const std::string& name : testing::ProblemNames()) {
    MatrixProblem problem = testing::LoadProblem(name).problem;
    if (!problem.velocities) continue;
    EXPECT_TRUE(UnifyForms(problem).ok()) << name << ": " << UnifyForms(problem);
  }
}

TEST(VelocityForm, WhatComesOfAnotherFreeImpulseIsRefused) {
  MatrixProblem problem = OfBothForms();
  problem.velocities->free_impulse.setZero();
  EXPECT_THAT(Refusal(UnifyForms(problem)), HasSubstr("must be that of H^T M^-1 f + w, "));
  problem = OfBothForms();
  problem.free_rows[6] *= 1.001;
  EXPECT_THAT(Refusal(UnifyForms(problem)), HasSubstr("q[6] = "));
  problem = OfBothForms();
  problem.free_rows[3] = 1e-9;  // in a row that nothing moves there is nothing to be beside
  EXPECT_THAT(Refusal(UnifyForms(problem)), HasSubstr("q[3] = "));
}

TEST(VelocityForm, WhatComesOfAnotherMassIsRefused) {
  MatrixProblem problem = OfBothForms();
  problem.velocities->mass *= 1.001;
  EXPECT_THAT(Refusal(UnifyForms(problem)), HasSubstr("must be that of H^T M^-1 H, "));
  problem = OfBothForms();
  problem.velocities->mass *= -1.0;
  EXPECT_THAT(Refusal(UnifyForms(problem)), HasSubstr("M = the part of row 0 must be positive"));
  // A block that only one of the two has.
  problem = OfBothForms();
  problem.velocities->directions *= 0.0;
  problem.velocities->free_impulse.setZero();
  problem.velocities->offset = problem.free_rows;
  EXPECT_THAT(Refusal(UnifyForms(problem)), HasSubstr("W[0][0] = "));
}

// The entry of a row that hardly moves counts beside its own mobility, not beside the largest.
TEST(VelocityForm, EachRowIsHeldToItsOwnScale) {
  MatrixProblem problem = OfBothForms();
  const double heavy = problem.delassus.Diagonal(0)(0, 0);
  ASSERT_GT(problem.delassus.ToDense().maxCoeff(), 100.0 * heavy);
  Matrix6 change = Matrix6::Zero();
  change(0, 0) = 1e-5 * heavy;
  std::vector<BlockMatrix::Entry> entries = {{0, 0, change}};
  for (size_t i = 0; i < problem.block_count(); ++i) {
    for (size_t k = 0; k < problem.delassus.Columns(i).size(); ++k) {
      entries.push_back({static_cast<uint32_t>(i), problem.delassus.Columns(i)[k],
                         problem.delassus.Blocks(i)[k]});
    }
  }
  problem.delassus = BlockMatrix(problem.block_count(), std::move(entries));
  EXPECT_THAT(Refusal(UnifyForms(problem)), HasSubstr("W[0][0] = "));
}

TEST(VelocityForm, AProblemIsNotValidWithVelocitiesThatAreNone) {
  MatrixProblem problem = OfBothForms();
  ASSERT_TRUE(Validate(problem).ok());
  problem.velocities->mass.coeffRef(0, 1) = 0.5;
  EXPECT_THAT(Refusal(Validate(problem)), HasSubstr("must differ from its transpose"));
  problem = OfBothForms();
  problem.velocities->mass.coeffRef(2, 2) = 1e-36;
  EXPECT_EQ(Refusal(Validate(problem)), "M[2][2] = 1e-36 must be in [1e-35, 1e+30]");
  problem = OfBothForms();
  problem.velocities->mass *= 1e40;
  EXPECT_THAT(Refusal(Validate(problem)), HasSubstr("must be in [-1e+30, 1e+30]"));
  problem = OfBothForms();
  problem.velocities->directions.coeffRef(4, 7) = 2e15;
  EXPECT_EQ(Refusal(Validate(problem)), "H[4][7] = 2e+15 must be in [-1e+15, 1e+15]");
  problem = OfBothForms();
  problem.velocities->free_impulse[5] = -2e40;
  EXPECT_EQ(Refusal(Validate(problem)), "f[5] = -2e+40 must be in [-1e+40, 1e+40]");
  problem = OfBothForms();
  problem.velocities->offset[17] = 2e20;
  EXPECT_EQ(Refusal(Validate(problem)), "w[17] = 2e+20 must be in [-1e+20, 1e+20]");
  problem = OfBothForms();
  problem.velocities->offset.resize(3);
  EXPECT_EQ(Refusal(Validate(problem)), "w.size = 3 must be 78");
}

}  // namespace
}  // namespace talus
