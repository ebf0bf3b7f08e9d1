// A body that thousands touch: W has a block for every two of its contacts, so that it would take
// more memory than there may be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "solver/solvers/matrix_step.h"
#include "solver/world/world.h"
#include "tests/support/mechanisms.h"
#include "tests/support/sleeping_worlds.h"
#include "tests/support/worlds.h"

namespace talus {
namespace {

using testing::MakeWorld;

// Balls on a tray that lies on a plane: it has a contact with each of them and four below.
SceneDef MakeTrayOfBalls(int ball_count) {
  SceneDef scene;
  BodyDef plane;
  plane.kind = BodyKind::kStatic;
  plane.shapes.push_back({Plane{}, Pose{}, ""});
  scene.bodies.push_back(plane);
  BodyDef tray;
  tray.name = "tray";
  tray.shapes.push_back({Box{Vec3(3.0, 3.0, 0.1)}, Pose{}, ""});
  tray.mass_kg = 1.0;  // so that what lies on it is slow to solve by sweeps
  tray.pose_world.position = Vec3(0.0, 0.0, 0.1);
  scene.bodies.push_back(tray);
  for (int i = 0; i < ball_count; ++i) {
    BodyDef& ball = scene.bodies.emplace_back();
    ball.shapes.push_back({Sphere{0.05}, Pose{}, ""});
    ball.mass_kg = 1.0;
    ball.pose_world.position = Vec3(0.11 * (i % 50) - 2.7, 0.11 * (i / 50) - 2.7, 0.25);
  }
  scene.bodies.back().name = "last";
  return scene;
}

constexpr int kTooMany = 2000;  // (2000 + 4)² of the tray, and one of each ball
constexpr char kTooManyBlocks[] =
    "size(W) = 4018016 blocks must be <= 4000000, k² for a dynamic body that k contacts and joints "
    "act on, where ";

// The step is not made, the scene is as it was, and goes on with fewer.
void ExpectRefused(World& world, const std::string& where) {
  const uint64_t hash = world.state_hash();
  WorkerArena workers(1);
  const absl::Status status = world.Step(workers).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(status.message()), kTooManyBlocks + where);
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(world.fault(), "");
}

TEST(MatrixBlocks, AreCountedBeforeTheyTakeMemory) {
  SceneDef scene = MakeTrayOfBalls(kTooMany);
  scene.settings.solver = {.solver = SolverKind::kNsgs, .max_sweeps = 1};
  World world = MakeWorld(scene);
  ExpectRefused(world, "the solver is NSGS");
}

TEST(MatrixBlocks, OfJointsAreCountedToo) {
  SceneDef scene = MakeTrayOfBalls(kTooMany - 1);  // and the joint
  scene.joints.push_back(testing::MakeJoint(nullptr, scene.bodies[1], Vec3::Zero()));
  scene.settings.solver = {.solver = SolverKind::kNewton, .max_sweeps = 1};
  World world = MakeWorld(scene);
  WorkerArena workers(1);
  const absl::Status status = world.Step(workers).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), ::testing::EndsWith("where there are joints"));
}

// Sweeps alone do not come there; a factorisation of few contacts does.
TEST(MatrixBlocks, NewtonLeavesMoreToSweeps) {
  for (const int count : {20, kTooMany}) {
    SCOPED_TRACE(count);
    SceneDef scene = MakeTrayOfBalls(count);
    scene.settings.solver = {.solver = SolverKind::kNewton, .tolerance = 1e-9, .max_sweeps = 100};
    World world = MakeWorld(scene);
    const StepReport report = testing::StepOnce(world);
    EXPECT_EQ(report.outcome,
              count < kTooMany ? SolveOutcome::kConverged : SolveOutcome::kSweepLimit);
    EXPECT_LE(report.sweep_count, 100);
  }
}

TEST(MatrixBlocks, AreNotKeptWhereTheyAreTooMany) {
  for (const int count : {20, kTooMany}) {
    World world = MakeWorld(MakeTrayOfBalls(count));
    WorkerArena workers(1);
    ASSERT_TRUE(world.Step(workers, {.capture = ProblemCapture::kAlways}).ok());
    EXPECT_EQ(world.kept_problem() != nullptr, count < kTooMany) << count;
  }
}

}  // namespace
}  // namespace talus
