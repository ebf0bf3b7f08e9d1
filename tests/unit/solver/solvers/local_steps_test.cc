#include "solver/solvers/local_steps.h"

#include <gtest/gtest.h>

#include "solver/contact/assemble.h"
#include "solver/solvers/alart_curnier.h"
#include "solver/solvers/psor.h"
#include "tests/support/contact_problems.h"

namespace talus {
namespace {

// A ball of 1 m and 1 kg on the ground or on a ball of another radius and the same density, touched
// at the origin, `aside` of its lowest point.
ContactRow BallOn(double other_radius, double aside = 0.0) {
  testing::TestProblem input;
  const double r = other_radius;
  const double mass = r * r * r;
  input.bodies.Add(Vec3(0, 0, -r), mass, 0.4 * mass * r * r, Vec3::Zero(), Vec3::Zero());
  input.bodies.Add(Vec3(aside, 0, 1), 1.0, 0.4, Vec3(0, 0, -0.05), Vec3(0.02, 0.01, 0.03));
  input.contacts.push_back({0, 1, Vec3::Zero(), Vec3::UnitZ(), 0.0, {5.0, 5.0, 5.0, 0.0}});
  WorkerArena workers(1);
  Coloring coloring;
  ContactProblem problem;
  AssembleProblem(workers, input.bodies.view(), input.contacts, input.assembly, coloring, problem);
  ComputeBlockBounds(workers, problem);
  return problem.contacts[0];
}

const double kGround = 0.0;

TEST(LocalSteps, FollowHowStronglyTheRowsCouple) {
  EXPECT_EQ(BallOn(kGround).local_steps, 4);
  EXPECT_EQ(BallOn(1.0).local_steps, 1);
  EXPECT_EQ(BallOn(1.2).local_steps, 1);
  EXPECT_EQ(BallOn(3.0).local_steps, 2);
  EXPECT_EQ(BallOn(kGround, 0.1).local_steps, 1);
  EXPECT_EQ(BallOn(3.0, 0.1).local_steps, 1);
}

// How much of the velocity the step leaves, in the metric, when nothing is at its limit.
template <typename Step>
double Left(const Step& step, const ContactRow& c) {
  Wrench u;
  u << -0.05, 0.02, 0.01, 0.03, -0.01, 0.02;
  const Wrench g = TakeLocalSteps(step, c, Wrench::Zero(), u);
  return c.step.cwiseProduct(u + c.block * g).norm() / c.step.cwiseProduct(u).norm();
}

TEST(LocalSteps, BringAContactWithTheGroundCloserToItsLaw) {
  ContactRow four = BallOn(kGround);
  ContactRow one = four;
  one.local_steps = 1;
  ContactRow many = four;
  many.local_steps = 400;
  EXPECT_LT(Left(AlartCurnierStep, four), 0.5 * Left(AlartCurnierStep, one));
  EXPECT_LT(Left(ProjectedStep, four), Left(ProjectedStep, one));
  EXPECT_LT(Left(AlartCurnierStep, many), 1e-12);
  EXPECT_LT(Left(ProjectedStep, many), 1e-12);
}

TEST(LocalSteps, OneIsTheStepItself) {
  const ContactRow c = BallOn(1.0);
  Wrench u;
  u << -0.05, 0.02, 0.01, 0.03, -0.01, 0.02;
  EXPECT_EQ(TakeLocalSteps(AlartCurnierStep, c, Wrench::Zero(), u),
            AlartCurnierStep(c, Wrench::Zero(), u));
}

}  // namespace
}  // namespace talus
