#include "solver/world/problem_capture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "solver/matrix/certificate.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "solver/world/world.h"
#include "tests/scenes/guideway.h"
#include "tests/scenes/heaps.h"
#include "tests/scenes/single_body.h"

namespace talus {
namespace {

SceneDef SmallHeap(ContactLaw law, double tolerance) {
  SceneDef scene = scenes::Heap({.stones = 60});
  scene.settings.solver = {.law = law, .tolerance = tolerance, .max_sweeps = 20000};
  return scene;
}

std::shared_ptr<const StepProblem> StepAndTake(World& world, ProblemCapture capture) {
  WorkerArena workers(1);
  EXPECT_TRUE(world.Step(workers, {.capture = capture}).ok());
  return world.kept_problem();
}

TEST(ProblemCapture, HoldsWhatTheStepSolved) {
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    SCOPED_TRACE(law == ContactLaw::kNcp ? "NCP" : "CCP");
    auto world = World::Create(SmallHeap(law, 1e-6));
    ASSERT_TRUE(world.ok()) << world.status();
    for (int step = 0; step < 3; ++step) StepAndTake(*world, ProblemCapture::kNever);
    const auto kept = StepAndTake(*world, ProblemCapture::kAlways);
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(kept->step_index, 4);
    EXPECT_EQ(kept->settings.law, law);
    EXPECT_EQ(kept->problem.block_count(), world->Contacts().size());
    EXPECT_GT(kept->problem.block_count(), 60u);
    EXPECT_TRUE(Validate(kept->problem).ok());
    // The impulses of the step have the step's residual in the problem that was kept: it is the
    // same problem, and not one like it.
    const Certificate certificate = Certify(kept->problem, law, kept->impulse);
    EXPECT_EQ(kept->residual, world->last_report().residual);
    EXPECT_NEAR(certificate.residual, kept->residual, 1e-6 * kept->residual);
  }
}

TEST(ProblemCapture, KnowsOfLoadsOnBodies) {
  auto world = World::Create(SmallHeap(ContactLaw::kNcp, 1e-6));
  ASSERT_TRUE(world.ok()) << world.status();
  const uint64_t stone = ToInteger(world->bodies().ids.back());
  ActuatorDef wrench;
  wrench.kind = ActuatorKind::kBodyWrench;
  wrench.id = stone;
  const auto targets = world->FindActuators(std::vector{wrench});
  ASSERT_TRUE(targets.ok()) << targets.status();
  ASSERT_TRUE(world->Actuate(*targets, std::vector{0.0, 0.0, -2e3, 50.0, 0.0, 0.0}).ok());
  const auto kept = StepAndTake(*world, ProblemCapture::kAlways);
  ASSERT_NE(kept, nullptr);
  const Certificate certificate = Certify(kept->problem, ContactLaw::kNcp, kept->impulse);
  EXPECT_NEAR(certificate.residual, kept->residual, 1e-6 * kept->residual);
}

TEST(ProblemCapture, GivesTheBodiesTheVelocitiesOfTheStep) {
  auto world = World::Create(SmallHeap(ContactLaw::kNcp, 1e-6));
  ASSERT_TRUE(world.ok());
  const auto kept = StepAndTake(*world, ProblemCapture::kAlways);
  ASSERT_NE(kept, nullptr);
  // M v = H γ + f, six rows a dynamic body; row 0 is the ground.
  const VelocityForm& form = *kept->problem.velocities;
  const Eigen::VectorXd momentum = form.directions * kept->impulse + form.free_impulse;
  const auto velocities = world->bodies().linear_velocities;
  ASSERT_EQ(form.mass.rows(), 6 * static_cast<Eigen::Index>(velocities.size() - 1));
  // Bodies stand in the order of the solver's rows, so each looks for itself.
  for (size_t body = 1; body < velocities.size(); ++body) {
    double nearest = 1.0;
    for (Eigen::Index at = 0; at < form.mass.rows(); at += 6) {
      const Vec3 velocity = momentum.segment<3>(at) / form.mass.coeff(at, at);
      nearest = std::min(nearest, (velocity - velocities[body]).norm());
    }
    EXPECT_LE(nearest, 1e-12) << body;
  }
}

TEST(ProblemCapture, OfUnconvergedStepsAlone) {
  SceneDef scene = SmallHeap(ContactLaw::kNcp, 1e-6);
  auto world = World::Create(scene);
  ASSERT_TRUE(world.ok());
  EXPECT_EQ(StepAndTake(*world, ProblemCapture::kUnconverged), nullptr);
  scene.settings.solver.max_sweeps = 2;
  world = World::Create(scene);
  ASSERT_TRUE(world.ok());
  const auto kept = StepAndTake(*world, ProblemCapture::kUnconverged);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->outcome, SolveOutcome::kSweepLimit);
  // It stays until another takes its place.
  EXPECT_EQ(StepAndTake(*world, ProblemCapture::kNever), kept);
  EXPECT_EQ(world->Fork().kept_problem(), kept);
  EXPECT_EQ(World::Restore(world->SaveSnapshot())->kept_problem(), nullptr);
}

TEST(ProblemCapture, ChangesNoBits) {
  auto plain = World::Create(SmallHeap(ContactLaw::kNcp, 1e-4));
  ASSERT_TRUE(plain.ok());
  World captured = plain->Fork();
  for (int step = 0; step < 5; ++step) {
    StepAndTake(*plain, ProblemCapture::kNever);
    StepAndTake(captured, ProblemCapture::kAlways);
    EXPECT_EQ(plain->state_hash(), captured.state_hash());
  }
}

TEST(ProblemCapture, HoldsTheJointsBehindTheContacts) {
  auto world = World::Create(scenes::Guideway().Build());
  ASSERT_TRUE(world.ok()) << world.status();
  StepAndTake(*world, ProblemCapture::kNever);
  const auto kept = StepAndTake(*world, ProblemCapture::kAlways);
  ASSERT_NE(kept, nullptr);
  const size_t contacts = world->Contacts().size();
  const size_t joints = world->Joints().size();
  ASSERT_GT(joints, 0u);
  ASSERT_EQ(kept->problem.block_count(), contacts + joints);
  EXPECT_EQ(kept->problem.laws[contacts].kind, BlockLawKind::kBounds);
  EXPECT_TRUE(Validate(kept->problem).ok());
  const Certificate certificate = Certify(kept->problem, ContactLaw::kNcp, kept->impulse);
  // Of a residual of 1e-10 round-off leaves the first digits.
  EXPECT_NEAR(certificate.residual, kept->residual, 0.1 * kept->residual);
}

TEST(ProblemCapture, CanBeSolvedElsewhere) {
  auto world = World::Create(SmallHeap(ContactLaw::kNcp, 1e-2));
  ASSERT_TRUE(world.ok());
  const auto kept = StepAndTake(*world, ProblemCapture::kAlways);
  ASSERT_NE(kept, nullptr);
  const auto solution = matrix::SolveProblem(kept->problem, {.tolerance = 1e-6});
  ASSERT_TRUE(solution.ok()) << solution.status();
  EXPECT_LE(solution->certificate.residual, 1e-6);
}

}  // namespace
}  // namespace talus
