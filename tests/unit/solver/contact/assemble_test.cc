#include "solver/contact/assemble.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "tests/support/contact_problems.h"
#include "tests/support/scalar_contact.h"

namespace talus {
namespace {

using testing::Assemble;
using testing::ContactRow;
using testing::ForEachRow;
using testing::LocalBlock;
using testing::MakeSphereLattice;
using testing::Matrix6;
using testing::TestProblem;

constexpr Material kAssembledMaterial{0.6, 0.005, 0.004, 0.0};

// Two bodies of any inertia in touch somewhere.
TestProblem MakeAnyPairs(int count, uint64_t seed) {
  Random random(seed);
  const auto vector = [&random] {
    return Vec3(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1));
  };
  TestProblem problem;
  for (int i = 0; i < count; ++i) {
    const uint32_t a =
        problem.bodies.Add(vector(), random.Uniform(0.1, 10.0), 1.0, vector(), vector());
    const uint32_t b =
        problem.bodies.Add(vector(), random.Uniform(0.1, 10.0), 1.0, vector(), vector());
    for (const uint32_t row : {a, b}) {
      Mat3 root;
      for (int k = 0; k < 9; ++k) root.data()[k] = random.Uniform(-1.0, 1.0);
      problem.bodies.inverse_inertias[row] = root * root.transpose() + 0.1 * Mat3::Identity();
    }
    problem.Touch(a, b, vector(), vector().normalized(), 0.0, kAssembledMaterial);
  }
  return problem;
}

// What a pair has of its own holds in either order, and for it alone.
TEST(Assemble, PairedMaterialsHaveTheCoefficientsOfTheirPair) {
  const std::vector<Material> materials = {
      {}, {0.4, 0.0, 0.0, 0.0}, {0.9, 0.0, 0.0, 0.0}, {0.1, 0.0, 0.0, 0.0}};
  const std::vector<PairedMaterial> pairs = {{1, 2, {0.7, 0.01, 0.02, 0.3}},
                                             {3, 3, {0.2, 0.0, 0.0, 0.0}}};
  DynamicsView view;
  view.materials = materials;
  EXPECT_EQ(view.PairOf(1, 2).sliding_friction, std::sqrt(0.4 * 0.9));
  view.material_pairs = pairs;
  EXPECT_EQ(view.PairOf(1, 2), pairs[0].material);
  EXPECT_EQ(view.PairOf(2, 1), pairs[0].material);
  EXPECT_EQ(view.PairOf(3, 3), pairs[1].material);
  EXPECT_EQ(view.PairOf(1, 3).sliding_friction, std::sqrt(0.4 * 0.1));
  EXPECT_EQ(view.PairOf(2, 2), materials[2]);

  TestProblem problem;
  problem.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  problem.bodies.Add(Vec3::UnitZ(), 1.0, 1.0, Vec3::Zero(), Vec3::Zero());
  problem.bodies.materials = materials;
  problem.contacts.push_back({0, 1, Vec3::Zero(), Vec3::UnitZ(), 0.0, 2, 1});
  WorkerArena workers(1);
  AssemblyScratch scratch;
  ContactProblem assembled;
  std::vector<BodyMotion> motion;
  DynamicsView bodies = problem.bodies.view();
  bodies.material_pairs = pairs;
  AssembleProblem(workers, bodies, problem.contacts, {}, problem.assembly, {}, scratch, assembled,
                  motion);
  EXPECT_EQ(assembled.blocks[0].Friction(kSliding, 0), 0.7);
  EXPECT_EQ(assembled.blocks[0].Friction(kRolling, 0), 0.01);
  EXPECT_EQ(assembled.blocks[0].Friction(kSpinning, 0), 0.02);
}

TEST(Assemble, WeightsAreTheMeansOfTheDiagonal) {
  for (const TestProblem& input :
       {MakeSphereLattice(27, kAssembledMaterial, 2), MakeAnyPairs(20, 2)}) {
    const testing::AssembledProblem problem = Assemble(input);
    ForEachRow(problem, [&](uint32_t, size_t, const ContactRow& c) {
      const Matrix6 w = LocalBlock(problem, c);
      const auto expect_near = [](double actual, double expected) {
        EXPECT_NEAR(actual, expected, 1e-12 * expected);
      };
      expect_near(c.weight[0], w(0, 0));
      expect_near(c.weight[1], 0.5 * (w(1, 1) + w(2, 2)));
      expect_near(c.weight[3], w(3, 3));
      expect_near(c.weight[4], 0.5 * (w(4, 4) + w(5, 5)));
    });
  }
}

double LargestEigenvalue(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix).eigenvalues().maxCoeff();
}

TEST(Assemble, AlartCurnierStepsAreInverseEigenvaluesOfTheParts) {
  for (const TestProblem& input :
       {MakeSphereLattice(27, kAssembledMaterial, 3), MakeAnyPairs(20, 3)}) {
    const testing::AssembledProblem problem = Assemble(input);
    ForEachRow(problem, [&](uint32_t, size_t, const ContactRow& c) {
      const Matrix6 w = LocalBlock(problem, c);
      EXPECT_NEAR(c.step[0] * w(0, 0), 1.0, 1e-12);
      EXPECT_NEAR(c.step[1] * LargestEigenvalue(w.block<2, 2>(1, 1)), 1.0, 1e-12);
      EXPECT_NEAR(c.step[3] * w(3, 3), 1.0, 1e-12);
      EXPECT_NEAR(c.step[4] * LargestEigenvalue(w.block<2, 2>(4, 4)), 1.0, 1e-12);
    });
  }
}

TEST(Assemble, ProjectedStepsStayBelowTheLargestEigenvalueAndClose) {
  for (const TestProblem& input :
       {MakeSphereLattice(27, kAssembledMaterial, 4), MakeAnyPairs(200, 4)}) {
    const testing::AssembledProblem problem = Assemble(input, {SweepKind::kProjected});
    ForEachRow(problem, [&](uint32_t, size_t, const ContactRow& c) {
      const Wrench root = c.weight.cwiseSqrt().cwiseInverse();
      const double exact =
          LargestEigenvalue(root.asDiagonal() * LocalBlock(problem, c) * root.asDiagonal());
      const double bound = 1.0 / (c.step[0] * c.weight[0]);
      EXPECT_GE(bound, exact * (1.0 - 1e-12));
      EXPECT_LE(bound, exact * 1.06);
      const Wrench same = c.step.cwiseProduct(c.weight) * bound;
      EXPECT_LE((same - Wrench::Ones()).norm(), 1e-12);
    });
  }
}

TEST(Assemble, GeometryFollowsBodiesAndContactPoint) {
  TestProblem input;
  const Vec3 zero = Vec3::Zero();
  const uint32_t ground = input.bodies.Add(Vec3(3, 3, -7), 0.0, 0.0, zero, zero);
  const uint32_t ball = input.bodies.Add(Vec3(0, 0, 1), 1.0, 0.4, zero, zero);
  const uint32_t brick = input.bodies.Add(Vec3(0, 0, 3), 1.0, 0.4, zero, zero);
  const uint32_t turning = input.bodies.Add(Vec3(0, 1, 0), 0.0, 0.0, zero, Vec3(0, 0, 1));
  input.bodies.inverse_inertias[brick] = Vec3(1, 2, 3).asDiagonal();
  const auto geometry = [&](uint32_t a, uint32_t b, const Vec3& point) {
    TestProblem one = input;
    one.Touch(a, b, point, Vec3::UnitZ(), 0.0, kAssembledMaterial);
    return Assemble(one).layout.chunks[0].kind.geometry;
  };
  EXPECT_EQ(geometry(ground, ball, Vec3(0, 0, 0)), BlockGeometry::kCentral);
  EXPECT_EQ(geometry(ground, ball, Vec3(0.1, 0, 0)), BlockGeometry::kRound);
  EXPECT_EQ(geometry(turning, ball, Vec3(0, 0, 0)), BlockGeometry::kRound);
  EXPECT_EQ(geometry(ball, brick, Vec3(0, 0, 2)), BlockGeometry::kFull);
}

// One sphere above a floor with the given gap and approach speed; returns b_n.
double Bias(double gap, double speed, double restitution) {
  TestProblem problem;
  problem.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  problem.bodies.Add(Vec3(0, 0, 1.0 + gap), 1.0, 0.4, Vec3(0, 0, -speed), Vec3::Zero());
  problem.Touch(0, 1, Vec3(0, 0, 0.5 * gap), Vec3::UnitZ(), gap, {0.5, 0.0, 0.0, restitution});
  return Assemble(problem).blocks[0].bias[0];
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
  const TestProblem input = MakeSphereLattice(1000, kAssembledMaterial, 3);
  const testing::AssembledProblem one = Assemble(input);
  const testing::AssembledProblem three = Assemble(input, {}, 3);
  EXPECT_EQ(one.free_scale, three.free_scale);
  EXPECT_EQ(one.largest_free, three.largest_free);
  EXPECT_EQ(one.layout.slot_contact, three.layout.slot_contact);
  std::vector<Wrench> steps[2];
  for (const testing::AssembledProblem* problem : {&one, &three}) {
    ForEachRow(*problem, [&](uint32_t, size_t, const ContactRow& c) {
      steps[problem == &one ? 0 : 1].push_back(c.step);
    });
  }
  EXPECT_EQ(steps[0], steps[1]);
}

}  // namespace
}  // namespace talus
