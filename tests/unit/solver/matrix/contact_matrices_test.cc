#include "solver/matrix/contact_matrices.h"

#include <gtest/gtest.h>

#include "solver/contact/residual.h"
#include "solver/matrix/delassus.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/solvers/iterate.h"
#include "tests/support/contact_problems.h"
#include "tests/support/scalar_contact.h"

namespace talus {
namespace {

constexpr uint64_t kContactMatricesSeed = 17;

// Spheres, tensors and a floor that moves: everything a scene may bring.
class ContactMatricesTest : public ::testing::Test {
 protected:
  ContactMatricesTest() : random_(kContactMatricesSeed) {
    testing::TestProblem input =
        testing::MakeSphereLattice(60, {0.6, 0.004, 0.003, 0.0}, kContactMatricesSeed);
    input.bodies.linear[0] = Vec3(0.1, -0.2, 0.0);
    input.bodies.angular[0] = Vec3(0.0, 0.0, 0.5);
    for (Mat3& inertia : input.bodies.inverse_inertias) {
      if (inertia.isZero()) continue;
      const double a = inertia(0, 0);
      inertia(0, 1) = inertia(1, 0) = 0.2 * a;
      inertia(2, 2) = 1.5 * a;
    }
    for (ContactInput& contact : input.contacts) {
      // Off the line of centres, so that the arms are not along the normal.
      contact.point += 0.002 * Vec3(random_.Uniform(-1, 1), random_.Uniform(-1, 1), 0.0);
    }
    contact_count_ = input.contacts.size();
    problem_ = testing::Assemble(input);
    matrices_ = FormContactMatrices(problem_, problem_.free_motion);
  }

  Random random_;
  size_t contact_count_ = 0;
  testing::AssembledProblem problem_;
  MatrixProblem matrices_;
};

TEST_F(ContactMatricesTest, AreValidAndAgreeWithEachOther) {
  ASSERT_EQ(matrices_.block_count(), contact_count_);
  EXPECT_TRUE(Validate(matrices_).ok()) << Validate(matrices_);
  MatrixProblem formed = matrices_;
  ASSERT_TRUE(FormDelassus(formed).ok());
  const Eigen::MatrixXd w = matrices_.delassus.ToDense();
  EXPECT_LE((formed.delassus.ToDense() - w).norm(), 1e-12 * w.norm());
  EXPECT_LE((formed.free_rows - matrices_.free_rows).norm(), 1e-12 * matrices_.free_rows.norm());
}

TEST_F(ContactMatricesTest, HaveTheLocalBlocksAndVelocitiesOfTheContacts) {
  testing::ForEachRow(problem_, [&](uint32_t index, size_t lane, const testing::ContactRow& row) {
    const uint32_t contact = problem_.layout.slot_contact[index * kLanes + lane];
    const auto at = 6 * static_cast<Eigen::Index>(contact);
    const Wrench velocity = testing::LocalVelocity(row, problem_.free_motion[row.body_a],
                                                   problem_.free_motion[row.body_b]);
    EXPECT_LE((matrices_.free_rows.segment<6>(at) - velocity).norm(), 1e-12 * velocity.norm());
    EXPECT_DOUBLE_EQ(matrices_.laws[contact].cone.sliding, 0.6);
    EXPECT_DOUBLE_EQ(matrices_.laws[contact].cone.rolling, 0.004);
    EXPECT_DOUBLE_EQ(matrices_.laws[contact].cone.spinning, 0.003);
  });
}

// The kernels and the matrices mean the same by a residual.
TEST_F(ContactMatricesTest, HaveTheResidualOfTheBlocks) {
  WorkerArena workers(1);
  Iterate iterate;
  iterate.impulse.resize(problem_.layout.block_count());
  iterate.motion = problem_.free_motion;
  const ScaledProblem scaled = ScaleProblem(matrices_);
  EXPECT_NEAR(scaled.free_scale, problem_.free_scale, 1e-12 * problem_.free_scale);
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(matrices_.row_count());
  for (size_t slot = 0; slot < problem_.layout.slot_contact.size(); ++slot) {
    const uint32_t contact = problem_.layout.slot_contact[slot];
    if (contact == kNoContact) continue;
    const auto at = 6 * static_cast<Eigen::Index>(contact);
    Wrench gamma;
    for (int k = 0; k < 6; ++k) gamma[k] = (k < 3 ? 1e-2 : 1e-4) * random_.Uniform(-1.0, 1.0);
    iterate.impulse[slot / kLanes].Set(slot % kLanes, gamma);
    impulse.segment<6>(at) = gamma.cwiseQuotient(scaled.steps.segment<6>(at));
  }
  AddImpulses(workers, problem_, iterate);
  const Eigen::VectorXd velocity = scaled.delassus.whole().Multiply(impulse) + scaled.free_rows;
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    const double expected =
        ComputeResidual(workers, problem_, law, iterate.impulse, iterate.motion);
    EXPECT_GT(expected, 0.1);
    EXPECT_NEAR(ComputeResidual(scaled, law, impulse, velocity), expected, 1e-12 * expected);
  }
}

}  // namespace
}  // namespace talus
