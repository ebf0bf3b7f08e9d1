#include "solver/contact/assemble.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "solver/contact/delassus.h"
#include "tests/support/contact_problems.h"

namespace talus {
namespace {

using testing::MakeSphereLattice;
using testing::TestProblem;

constexpr Material kRough{0.6, 0.005, 0.004, 0.0};

ContactProblem Assemble(const TestProblem& input) {
  WorkerArena workers(1);
  Coloring coloring;
  ContactProblem problem;
  AssembleProblem(workers, input.bodies.view(), input.contacts, input.assembly, coloring, problem);
  return problem;
}

TEST(Assemble, LocalBlockIsTheResponseToUnitImpulses) {
  const ContactProblem problem = Assemble(MakeSphereLattice(27, kRough, 1));
  for (const ContactRow& c : problem.contacts) {
    for (int k = 0; k < 6; ++k) {
      std::vector<BodyVelocity> velocity(problem.mobility.size());
      AddImpulse(problem, c, Wrench::Unit(k), velocity);
      Wrench response = LocalVelocity(c, velocity[c.body_a], velocity[c.body_b]);
      response[0] -= c.bias;
      EXPECT_LE((response - c.block.col(k)).norm(), 1e-12 * c.block.norm());
    }
  }
}

TEST(Assemble, MetricMakesTheDiagonalOne) {
  const ContactProblem problem = Assemble(MakeSphereLattice(27, kRough, 2));
  for (const ContactRow& c : problem.contacts) {
    const auto scaled = (c.step.asDiagonal() * c.block * c.step.asDiagonal()).eval();
    EXPECT_NEAR(scaled(0, 0), 1.0, 1e-12);
    EXPECT_NEAR(scaled(1, 1) + scaled(2, 2), 2.0, 1e-12);
    EXPECT_NEAR(scaled(3, 3), 1.0, 1e-12);
    EXPECT_NEAR(scaled(4, 4) + scaled(5, 5), 2.0, 1e-12);
  }
}

TEST(Assemble, EigenvalueBoundIsAboveAndTight) {
  Random random(7);
  for (int sample = 0; sample < 1000; ++sample) {
    Eigen::Matrix<double, 6, 6> root;
    for (int i = 0; i < 36; ++i) root.data()[i] = random.Uniform(-1.0, 1.0);
    const Eigen::Matrix<double, 6, 6> matrix = root * root.transpose();
    const double exact =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>>(matrix).eigenvalues()[5];
    const double bound = BoundLargestEigenvalue(matrix);
    EXPECT_GE(bound, exact * (1.0 - 1e-12));
    EXPECT_LE(bound, exact * 1.06);
    EXPECT_GE(LargestRowSum(matrix), exact * (1.0 - 1e-12));
  }
}

// One sphere above a floor with the given gap and approach speed; returns b_n.
double Bias(double gap, double speed, double restitution) {
  TestProblem problem;
  problem.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  problem.bodies.Add(Vec3(0, 0, 1.0 + gap), 1.0, 0.4, Vec3(0, 0, -speed), Vec3::Zero());
  problem.contacts.push_back(
      {0, 1, Vec3(0, 0, 0.5 * gap), Vec3::UnitZ(), gap, {0.5, 0.0, 0.0, restitution}});
  return Assemble(problem).contacts[0].bias;
}

TEST(Assemble, GapRow) {
  const double h = 0.005;
  EXPECT_DOUBLE_EQ(Bias(0.001, 0.0, 0.0), 0.001 / h);    // apart: may come to touch
  EXPECT_DOUBLE_EQ(Bias(-0.001, 0.0, 0.0), -0.001 / h);  // overlapping: recover
  EXPECT_DOUBLE_EQ(Bias(-0.1, 0.0, 0.0), -1.0);          // but no faster than the recovery speed
}

TEST(Assemble, RestitutionRow) {
  EXPECT_DOUBLE_EQ(Bias(0.0, 2.0, 0.5), -1.0);           // bounce
  EXPECT_DOUBLE_EQ(Bias(0.001, 2.0, 0.5), -1.0);         // closes within the step
  EXPECT_DOUBLE_EQ(Bias(0.02, 2.0, 0.5), 0.02 / 0.005);  // does not close yet
  EXPECT_DOUBLE_EQ(Bias(0.0, 0.005, 0.5), 0.0);          // below the threshold
  EXPECT_DOUBLE_EQ(Bias(0.0, -2.0, 0.5), 0.0);           // leaving
}

TEST(Assemble, SameBitsForAnyWorkerCount) {
  const TestProblem input = MakeSphereLattice(1000, kRough, 3);
  const ContactProblem one = Assemble(input);
  WorkerArena workers(3);
  Coloring coloring;
  ContactProblem three;
  AssembleProblem(workers, input.bodies.view(), input.contacts, input.assembly, coloring, three);
  EXPECT_EQ(one.free_scale, three.free_scale);
  ASSERT_EQ(one.contacts.size(), three.contacts.size());
  for (size_t i = 0; i < one.contacts.size(); ++i) {
    EXPECT_EQ(one.contacts[i].block, three.contacts[i].block);
    EXPECT_EQ(one.contacts[i].bias, three.contacts[i].bias);
  }
}

}  // namespace
}  // namespace talus
