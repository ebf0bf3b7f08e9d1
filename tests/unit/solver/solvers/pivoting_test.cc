// The solver of laws with flat sides on the contacts of a step: what it refuses, what bristles find
// of the last step, and what becomes of a problem that is none.
#include "solver/solvers/pivoting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "solver/contact/contact_frame.h"
#include "solver/solvers/contact_solver.h"
#include "tests/support/contact_problems.h"

namespace talus {
namespace {

using testing::TestProblem;

constexpr double kPivotingStep = 1e-3;

// Balls beside each other on a floor.
TestProblem BallsOnFloor(uint32_t count, const Material& material) {
  TestProblem problem;
  problem.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  for (uint32_t i = 1; i <= count; ++i) {
    const Vec3 position(3.0 * i, 0.0, 1.0);
    problem.bodies.Add(position, 1.0, 0.4, -Vec3::UnitZ(), Vec3::Zero());
    problem.Touch(0, i, position - Vec3::UnitZ(), Vec3::UnitZ(), 0.0, material);
  }
  problem.assembly.time_step_s = kPivotingStep;
  return problem;
}

SolverSettings LemkeSettings(ContactLaw law) {
  SolverSettings settings;
  settings.law = law;
  settings.solver = SolverKind::kLemke;
  return settings;
}

TEST(Pivoting, RefusesMoreRowsThanLemkesMethodTakes) {
  const Material rough{0.5, 0.01, 0.02, 0.0};
  const SolverSettings settings = LemkeSettings(ContactLaw::kPolygonal);  // 22 rows a contact
  const auto check = [&](uint32_t count, const Material& material, const SolverSettings& solver) {
    const TestProblem problem = BallsOnFloor(count, material);
    return CheckLemkeRows(solver, problem.bodies.view(), problem.contacts, {});
  };
  EXPECT_TRUE(check(93, rough, settings).ok());
  const absl::Status status = check(94, rough, settings);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(status.message()),
            "size(contacts) = 94 of 2068 rows must have <= 2048 rows, joints included, where the "
            "solver is LEMKE");
  // Ten rows where contacts only slide; sixteen of a box; and blocks may solve what Lemke's method
  // does not take.
  EXPECT_TRUE(check(128, {0.5, 0.0, 0.0, 0.0}, settings).ok());
  EXPECT_TRUE(check(128, rough, LemkeSettings(ContactLaw::kBox)).ok());
  SolverSettings blocks = settings;
  blocks.solver = SolverKind::kBlockPivoting;
  EXPECT_TRUE(check(128, rough, blocks).ok());
}

TEST(Pivoting, CountsTheRowsOfJoints) {
  const TestProblem problem = BallsOnFloor(128, {0.5, 0.01, 0.02, 0.0});
  const SolverSettings settings = LemkeSettings(ContactLaw::kBox);
  JointRows locked;
  locked.lower.setConstant(-std::numeric_limits<double>::infinity());
  locked.upper = -locked.lower;
  JointRows driven;
  driven.lower[0] = -1.0;
  driven.upper[0] = 1.0;
  const auto check = [&](const JointRows& joint) {
    return CheckLemkeRows(settings, problem.bodies.view(), problem.contacts, {&joint, 1});
  };
  EXPECT_TRUE(check(locked).ok());
  EXPECT_EQ(check(driven).code(), absl::StatusCode::kResourceExhausted);
}

// The law refuses the settings; nobody may take the answer for one.
TEST(Pivoting, LeavesNoNumbersWhereThereIsNoProblem) {
  const TestProblem problem = BallsOnFloor(2, {0.5, 0.0, 0.0, 0.0});
  SolverSettings settings = LemkeSettings(ContactLaw::kPolygonal);
  for (const int32_t facets : {8, 5}) {
    settings.facet_count = facets;
    WorkerArena workers(1);
    std::vector<Vec3> linear = problem.bodies.linear;
    std::vector<Vec3> angular = problem.bodies.angular;
    ContactSolver solver;
    ContactSolution solution;
    solver.Solve(workers, problem.bodies.view(), problem.contacts, {}, problem.assembly, settings,
                 {}, {linear, angular}, solution, nullptr);
    for (size_t body : {1, 2}) EXPECT_EQ(linear[body].allFinite(), facets == 8) << facets;
    EXPECT_EQ(solution.wrench(0).allFinite(), facets == 8);
  }
}

// One contact whose normal turns by 0.1 rad while its ball spins about it.
struct Turning {
  TestProblem problem = BallsOnFloor(1, {0.5, 0.01, 0.01, 0.0});
  Vec3 old_normal = Vec3::UnitZ();
  CachedImpulse impulse{Vec3(0.3, -0.4, 7.0), Vec3(0.01, 0.02, 0.5)};
  uint32_t entry = 0;

  Turning() {
    problem.contacts[0].normal = Vec3(std::sin(0.1), 0.0, std::cos(0.1));
    problem.bodies.angular[1] = 40.0 * problem.contacts[0].normal;
  }
  Wrench Find(bool with_normals) const {
    const WarmStart warm{{&entry, 1},
                         {&impulse, 1},
                         with_normals ? std::span(&old_normal, 1) : std::span<const Vec3>()};
    return FindOldImpulse(problem.bodies.view(), problem.contacts, warm, kPivotingStep, {});
  }
};

TEST(Pivoting, TurnsWhatBristlesRememberWithTheNormal) {
  const Turning turning;
  const Wrench old = turning.Find(true);
  // About y with the normal, then half of the ball's 0.04 rad about it.
  const Eigen::AngleAxisd with_normal(0.1, Vec3::UnitY());
  const Eigen::AngleAxisd about_it(0.02, turning.problem.contacts[0].normal);
  const ContactFrame frame = MakeContactFrame(turning.problem.contacts[0].normal);
  const Vec3 sliding = about_it * (with_normal * Vec3(0.3, -0.4, 0.0));
  const Vec3 rolling = about_it * (with_normal * Vec3(0.01, 0.02, 0.0));
  Wrench expected;
  expected << 7.0, frame.u.dot(sliding), frame.w.dot(sliding), 0.5, frame.u.dot(rolling),
      frame.w.dot(rolling);
  EXPECT_LE((old - expected).norm(), 1e-14 * expected.norm()) << old;
}

// As a snapshot of an older version leaves it.
TEST(Pivoting, TakesWhatBristlesRememberAsItStandsWithoutNormals) {
  const Turning turning;
  const ContactFrame frame = MakeContactFrame(turning.problem.contacts[0].normal);
  EXPECT_DOUBLE_EQ(turning.Find(false)[1], frame.u.dot(turning.impulse.linear));
}

TEST(Pivoting, RemembersNothingOfAnotherContact) {
  Turning turning;
  turning.old_normal = -Vec3::UnitZ();
  EXPECT_EQ(turning.Find(true), Wrench::Zero());
}

}  // namespace
}  // namespace talus
