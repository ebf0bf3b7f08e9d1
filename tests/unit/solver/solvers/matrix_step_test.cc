// Solvers of bare problems in scenes: the answers of NEWTON, the same bits however they are come
// by, and where they end.
#include "solver/solvers/matrix_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "solver/state/snapshot.h"
#include "solver/world/world.h"
#include "tests/scenes/guideway.h"
#include "tests/scenes/piles.h"
#include "tests/support/worlds.h"
#include "tests/unit/solver/world/elastic_scenes.h"

namespace talus {
namespace {

using testing::MakeWorld;

struct MatrixChoice {
  std::string name;
  ContactLaw law;
  SolverKind solver;
  PsorSettings psor = {};
};

std::vector<MatrixChoice> ChoicesWithJoints() {
  return {{"NcpFixedPoint", ContactLaw::kNcp, SolverKind::kFixedPoint},
          {"NcpExtragradient", ContactLaw::kNcp, SolverKind::kExtragradient},
          {"NcpNsgs", ContactLaw::kNcp, SolverKind::kNsgs},
          {"CcpFixedPoint", ContactLaw::kCcp, SolverKind::kFixedPoint},
          {"CcpExtragradient", ContactLaw::kCcp, SolverKind::kExtragradient},
          {"CcpNsgs", ContactLaw::kCcp, SolverKind::kNsgs},
          {"CcpBarzilaiBorwein", ContactLaw::kCcp, SolverKind::kBarzilaiBorwein},
          {"CcpAdmm", ContactLaw::kCcp, SolverKind::kAdmm}};
}

std::vector<MatrixChoice> AllChoices() {
  std::vector<MatrixChoice> choices = ChoicesWithJoints();
  choices.push_back({"PsorRelaxed", ContactLaw::kCcp, SolverKind::kPsor, {.relaxation = 1.3}});
  choices.push_back({"PsorAveraged", ContactLaw::kCcp, SolverKind::kPsor, {.averaging = 0.8}});
  choices.push_back({"PsorTogether",
                     ContactLaw::kCcp,
                     SolverKind::kPsor,
                     {.relaxation = 0.3, .sequential = false}});
  return choices;
}

// A heap that lies in its box, or that slides and rolls since the box is tilted.
enum class HeapMotion { kResting, kSliding };

SceneState MakeHeap(ContactLaw law, HeapMotion motion, int64_t count) {
  SceneDef scene = scenes::PackedSpheres({.count = count});
  scene.settings.solver = {.law = law, .solver = SolverKind::kNewton, .tolerance = 1e-6};
  World world = MakeWorld(scene);
  WorkerArena workers(1);
  for (int step = 0; step < 80; ++step) EXPECT_TRUE(world.Step(workers).ok());
  SceneState state = *RestoreSnapshot(world.SaveSnapshot());
  if (motion == HeapMotion::kSliding) state.settings.gravity_world_m_s2 = Vec3(6.0, 3.0, -9.81);
  return state;
}

World SolvedBy(SceneState& state, const MatrixChoice& choice, double tolerance) {
  SolverSettings& solver = state.settings.solver;
  solver.solver = choice.solver;
  solver.psor = choice.psor;
  solver.tolerance = tolerance;
  solver.max_sweeps = 100'000;
  absl::StatusOr<World> world = World::Restore(SaveSnapshot(state));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

StepReport StepOnce(World& world, const StepOptions& options = {}, size_t worker_count = 1) {
  WorkerArena workers(worker_count);
  absl::StatusOr<StepReport> report = world.Step(workers, options);
  EXPECT_TRUE(report.ok()) << report.status();
  return *std::move(report);
}

double FurthestApart(const World& a, const World& b) {
  double most = 0.0;
  for (size_t row = 0; row < a.body_count(); ++row) {
    most = std::max(most,
                    (a.bodies().linear_velocities[row] - b.bodies().linear_velocities[row]).norm());
  }
  return most;
}

class MatrixStep : public ::testing::TestWithParam<MatrixChoice> {};

// Velocities of a step from zero impulses, whose free ones are g h = 0.05 m/s. The heap is small:
// on larger ones first-order iterations stall between 1e-3 and 1e-5.
TEST_P(MatrixStep, SolvesAHeapAsNewtonDoes) {
  for (const HeapMotion motion : {HeapMotion::kResting, HeapMotion::kSliding}) {
    SCOPED_TRACE(static_cast<int>(motion));
    SceneState state = MakeHeap(GetParam().law, motion, 8);
    state.settings.solver.warm_start = false;
    World newton = SolvedBy(state, {"", GetParam().law, SolverKind::kNewton}, 1e-8);
    World world = SolvedBy(state, GetParam(), 1e-6);
    StepOnce(newton);
    const StepReport report = StepOnce(world);
    EXPECT_GT(report.contact_count, 10);
    EXPECT_GT(report.sweep_count, 0);
    EXPECT_EQ(report.outcome, SolveOutcome::kConverged);
    EXPECT_LE(report.residual, 1e-6);
    EXPECT_LE(FurthestApart(world, newton), 1e-5);
  }
}

TEST_P(MatrixStep, HasTheSameBitsOnAnyWorkersAfterARestoreAndWithAHistory) {
  SceneState state = MakeHeap(GetParam().law, HeapMotion::kSliding, 60);
  World one = SolvedBy(state, GetParam(), 1e-4);
  World three = one.Fork();
  World told = one.Fork();
  for (int step = 0; step < 8; ++step) {
    SCOPED_TRACE(step);
    const StepReport report = StepOnce(one);
    EXPECT_TRUE(report.residual_history.empty());
    EXPECT_EQ(StepOnce(three, {}, 3).state_hash, report.state_hash);
    const StepReport with = StepOnce(told, {.residual_history = true});
    EXPECT_EQ(with.state_hash, report.state_hash);
    ASSERT_FALSE(with.residual_history.empty());
    EXPECT_EQ(std::ranges::min(with.residual_history), report.residual);
    if (step == 3) three = *World::Restore(three.SaveSnapshot());
  }
}

TEST_P(MatrixStep, EndsAtItsSweeps) {
  SceneState state = MakeHeap(GetParam().law, HeapMotion::kSliding, 60);
  World world = SolvedBy(state, GetParam(), 1e-14);
  state = *RestoreSnapshot(world.SaveSnapshot());
  state.settings.solver.max_sweeps = 7;
  world = *World::Restore(SaveSnapshot(state));
  const StepReport report = StepOnce(world);
  EXPECT_EQ(report.outcome, SolveOutcome::kSweepLimit);
  EXPECT_LE(report.sweep_count, 7);
  EXPECT_LT(report.residual, 1.0);
}

// A block on four corners that give way, under a load to the side that its friction bears: springs
// along the normal with dampers, and bristles, which remember.
TEST_P(MatrixStep, LetsElasticContactsGiveWayAsNewtonDoes) {
  const double k = 1e4;
  const Elasticity soft = {.normal_stiffness_n_per_m = k,
                           .normal_damping_n_s_per_m = 70.0,
                           .sliding_stiffness_n_per_m = k};
  const auto settle = [&](SolverKind solver, const PsorSettings& psor) {
    SceneDef scene = testing::BlockUnderALoad({GetParam().law, solver}, soft);
    scene.settings.solver.psor = psor;
    scene.settings.solver.tolerance = 1e-8;
    scene.settings.solver.max_sweeps = 20'000;
    World world = MakeWorld(scene);
    testing::StepWorld(world, 150);
    return testing::PositionOf(world);
  };
  const Vec3 newton = settle(SolverKind::kNewton, {});
  EXPECT_GT((newton - Vec3(0.0, 0.0, 0.05)).norm(), 1e-5);
  EXPECT_LE((settle(GetParam().solver, GetParam().psor) - newton).norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Choices, MatrixStep, ::testing::ValuesIn(AllChoices()),
                         [](const auto& of) { return of.param.name; });

class MatrixMechanismStep : public ::testing::TestWithParam<MatrixChoice> {};

// The linear guideway of [TA], 72 contacts and 4 joints: what the drive pushes with is what the
// balls resist with.
TEST_P(MatrixMechanismStep, DrivesTheGuidewayAsNewtonDoes) {
  scenes::Guideway guideway;
  guideway.law = GetParam().law;
  World before = MakeWorld(guideway.Build());
  for (int step = 0; step < 5; ++step) StepOnce(before);
  SceneState state = *RestoreSnapshot(before.SaveSnapshot());
  World newton = SolvedBy(state, {"", GetParam().law, SolverKind::kNewton}, 1e-10);
  World world = SolvedBy(state, GetParam(), 1e-5);
  for (int step = 0; step < 5; ++step) {
    StepOnce(newton);
    EXPECT_EQ(StepOnce(world).outcome, SolveOutcome::kConverged) << step;
  }
  EXPECT_NEAR(scenes::DriveForce(world), scenes::DriveForce(newton), 1e-2);
  EXPECT_LE(FurthestApart(world, newton), 1e-5);
  EXPECT_EQ(world.joint_count(), 4u);
}

INSTANTIATE_TEST_SUITE_P(Choices, MatrixMechanismStep, ::testing::ValuesIn(ChoicesWithJoints()),
                         [](const auto& of) { return of.param.name; });

// The settings of PSOR's own sweeps are the defaults: they leave it to these, bit for bit.
TEST(MatrixPsor, IsTheSweepsWhereItsSettingsAreTheDefaults) {
  EXPECT_FALSE(TakesMatrices({.law = ContactLaw::kCcp, .solver = SolverKind::kPsor}));
  for (const MatrixChoice& choice : AllChoices()) {
    EXPECT_TRUE(TakesMatrices({.law = choice.law, .solver = choice.solver, .psor = choice.psor}))
        << choice.name;
  }
  EXPECT_FALSE(TakesMatrices({.solver = SolverKind::kNewton}));
  SceneState state = MakeHeap(ContactLaw::kCcp, HeapMotion::kSliding, 8);
  World sweeps = SolvedBy(state, {"", ContactLaw::kCcp, SolverKind::kPsor}, 1e-6);
  World relaxed =
      SolvedBy(state, {"", ContactLaw::kCcp, SolverKind::kPsor, {.relaxation = 1.3}}, 1e-6);
  EXPECT_NE(StepOnce(sweeps).state_hash, StepOnce(relaxed).state_hash);
  EXPECT_LE(FurthestApart(sweeps, relaxed), 1e-5);
}

TEST(MatrixLimit, IsOfThoseThatTakeMatricesAlone) {
  for (const MatrixChoice& choice : AllChoices()) {
    SCOPED_TRACE(choice.name);
    const SolverSettings settings{.law = choice.law, .solver = choice.solver, .psor = choice.psor};
    EXPECT_TRUE(CheckMatrixCount(settings, kMostMatrixContacts).ok());
    const absl::Status status = CheckMatrixCount(settings, kMostMatrixContacts + 1);
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_EQ(std::string(status.message()),
              "size(contacts) = 50001 must be <= 50000 where the solver is " +
                  NameOf(choice.solver) +
                  (choice.solver == SolverKind::kPsor ? " with psor other than its defaults" : ""));
  }
  for (const SolverKind solver : {SolverKind::kPsor, SolverKind::kApgd, SolverKind::kNewton}) {
    EXPECT_TRUE(
        CheckMatrixCount({.law = ContactLaw::kCcp, .solver = solver}, kMostMatrixContacts + 1)
            .ok());
  }
}

// Balls beside each other on a plane, one more than may be.
TEST(MatrixLimit, IsNoFaultOfTheScene) {
  SceneDef scene;
  BodyDef plane;
  plane.kind = BodyKind::kStatic;
  plane.shapes.push_back({Plane{}, Pose{}, ""});
  scene.bodies.push_back(plane);
  for (size_t i = 0; i <= kMostMatrixContacts; ++i) {
    BodyDef& ball = scene.bodies.emplace_back();
    ball.shapes.push_back({Sphere{0.1}, Pose{}, ""});
    ball.mass_kg = 1.0;
    ball.pose_world.position =
        Vec3(static_cast<double>(i % 250), static_cast<double>(i / 250), 0.1);
  }
  scene.bodies.back().name = "last";
  scene.settings.solver.solver = SolverKind::kNsgs;
  World world = MakeWorld(scene);
  const uint64_t hash = world.state_hash();
  WorkerArena workers(1);
  const absl::Status status = world.Step(workers).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(status.message()),
            "size(contacts) = 50001 must be <= 50000 where the solver is NSGS");
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(world.step_index(), 0);
  EXPECT_EQ(world.fault(), "");
  const std::string last = "last";
  ASSERT_TRUE(world.RemoveBodies({}, {&last, 1}).ok());
  EXPECT_EQ(StepOnce(world).outcome, SolveOutcome::kConverged);
}

}  // namespace
}  // namespace talus
