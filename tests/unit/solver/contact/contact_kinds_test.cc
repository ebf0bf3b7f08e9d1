#include "solver/contact/contact_kinds.h"

#include <gtest/gtest.h>

#include "solver/contact/block_layout.h"
#include "tests/support/contact_problems.h"

namespace talus {
namespace {

using testing::TestProblem;

constexpr double kRadius = 0.1;
constexpr double kMass = 2.0;
constexpr double kInertia = 0.4 * kMass * kRadius * kRadius;

// A floor, and a ball on it.
TestProblem MakeBall(double mass = kMass, double inertia = kInertia) {
  TestProblem problem;
  problem.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  problem.bodies.Add(Vec3(0, 0, kRadius), mass, inertia, Vec3::Zero(), Vec3::Zero());
  problem.Touch(0, 1, Vec3::Zero(), Vec3::UnitZ(), 0.0, {});
  return problem;
}

BlockKind KindOf(const TestProblem& problem, const WarmStart& warm = {}, uint8_t* open = nullptr) {
  WorkerArena workers(1);
  ContactKinds kinds;
  FindKinds(workers, problem.bodies.view(), problem.contacts, warm, kinds);
  if (open != nullptr) *open = kinds.open.back();
  return DecodeKind(kinds.codes.back());
}

TEST(ContactKinds, BallOnTheFloorIsCentralWithFourSteps) {
  EXPECT_EQ(KindOf(MakeBall()), (BlockKind{BlockGeometry::kCentral, false, true, 4}));
}

TEST(ContactKinds, EqualBallsDoNotCoupleAndUnequalOnesDo) {
  TestProblem problem = MakeBall();
  problem.bodies.Add(Vec3(0, 0, 3 * kRadius), kMass, kInertia, Vec3::Zero(), Vec3::Zero());
  problem.Touch(1, 2, Vec3(0, 0, 2 * kRadius), Vec3::UnitZ(), 0.0, {});
  EXPECT_EQ(KindOf(problem), (BlockKind{BlockGeometry::kCentral, true, true, 1}));
  // Ten times as large: beside it the small one is as if on a floor.
  problem.bodies.positions[2] = Vec3(0, 0, 12 * kRadius);
  problem.bodies.inverse_masses[2] *= 1e-3;
  problem.bodies.inverse_inertias[2] *= 1e-5;
  EXPECT_EQ(KindOf(problem), (BlockKind{BlockGeometry::kCentral, true, true, 2}));
}

TEST(ContactKinds, OffTheCentreIsRoundAndATensorIsFull) {
  TestProblem problem = MakeBall();
  problem.contacts[0].point = Vec3(0.3 * kRadius, 0, 0);
  EXPECT_EQ(KindOf(problem).geometry, BlockGeometry::kRound);
  problem = MakeBall();
  problem.bodies.inverse_inertias[1](0, 0) *= 2.0;
  EXPECT_EQ(KindOf(problem).geometry, BlockGeometry::kFull);
}

// A floor that turns moves what lies off its axis.
TEST(ContactKinds, TurningFloorIsCentralOnItsAxisAlone) {
  TestProblem problem = MakeBall();
  problem.bodies.angular[0] = Vec3(0, 0, 1);
  EXPECT_EQ(KindOf(problem).geometry, BlockGeometry::kCentral);
  problem.bodies.positions[1].x() = problem.contacts[0].point.x() = 1.0;
  EXPECT_EQ(KindOf(problem).geometry, BlockGeometry::kRound);
}

TEST(ContactKinds, OpenIsWhatHasNoWarmImpulse) {
  const TestProblem problem = MakeBall();
  const CachedImpulse impulse;
  uint8_t open = 0;
  for (const uint32_t entry : {uint32_t{0}, kNotKept}) {
    KindOf(problem, {{&entry, 1}, {&impulse, 1}}, &open);
    EXPECT_EQ(open != 0, entry == kNotKept);
  }
  KindOf(problem, {}, &open);
  EXPECT_NE(open, 0);
}

}  // namespace
}  // namespace talus
