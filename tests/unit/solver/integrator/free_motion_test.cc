#include "solver/integrator/free_motion.h"

#include <gtest/gtest.h>

#include "solver/integrator/pose_update.h"

namespace talus {
namespace {

BodyRow MakeRow(BodyKind kind, const Mat3& inertia, std::span<const ShapeRow> shapes) {
  BodyRow row;
  row.kind = kind;
  row.mass = 2.0;
  row.inertia_body = inertia;
  row.shapes = shapes;
  row.linear_velocity = Vec3(1, 0, 0);
  row.angular_velocity = Vec3(1, 2, 3);
  return row;
}

TEST(FreeMotionTest, GravityMovesDynamicBodiesOnly) {
  const ShapeRow shape;
  BodyStore bodies;
  for (const BodyKind kind : {BodyKind::kDynamic, BodyKind::kKinematic}) {
    bodies.Add(MakeRow(kind, Mat3::Identity(), {&shape, 1}));
  }
  std::vector<Vec3> linear;
  std::vector<Vec3> angular;
  WorkerArena workers(1);
  AdvanceVelocities(workers, bodies, Vec3(0, 0, -10), {0.1}, linear, angular);
  EXPECT_EQ(linear[0], Vec3(1, 0, -1));
  EXPECT_EQ(linear[1], Vec3(1, 0, 0));
  EXPECT_EQ(angular[0], Vec3(1, 2, 3));
  EXPECT_EQ(angular[1], Vec3(1, 2, 3));
}

TEST(FreeMotionTest, ABallKeepsItsSpinToTheBit) {
  const Vec3 spin(0.1, 0.2, 0.3);
  const Quat turned(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  EXPECT_EQ(AdvanceGyroscopic(0.3 * Mat3::Identity(), turned, spin, 0.01), spin);
}

TEST(FreeMotionTest, TheGyroscopicStepSolvesItsEquation) {
  const Mat3 inertia = Vec3(1.0, 2.0, 2.5).asDiagonal();
  const Quat turned(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  const Vec3 spin(3, -2, 1);
  const double h = 0.001;
  const Vec3 before = turned.conjugate() * spin;
  const Vec3 after = turned.conjugate() * AdvanceGyroscopic(inertia, turned, spin, h);
  const Vec3 residual = inertia * (after - before) + h * after.cross(inertia * after);
  // One Newton step from the old velocity leaves O(h^2) times the curvature: w^3 I h^3 is about
  // 1e-7.
  EXPECT_LE(residual.norm(), 1e-6);
  EXPECT_GT((after - before).norm(), 1e-4);
}

TEST(FreeMotionTest, TumblingNeverGainsEnergyAndKeepsMomentumToFirstOrder) {
  // An intermediate-axis tumble, where the explicit term blows up.
  const Mat3 inertia = Vec3(1.0, 2.0, 3.0).asDiagonal();
  const ShapeRow shape;
  BodyStore bodies;
  BodyRow row = MakeRow(BodyKind::kDynamic, inertia, {&shape, 1});
  row.angular_velocity = Vec3(0.01, 5.0, 0.01);
  bodies.Add(row);
  WorkerArena workers(1);
  const double h = 0.001;
  std::vector<Vec3> linear;
  std::vector<Vec3> angular;
  std::vector<Vec3> positions;
  std::vector<Quat> orientations;
  const Vec3 momentum0 = inertia * row.angular_velocity;
  double energy = 0.5 * row.angular_velocity.dot(momentum0);
  const double energy0 = energy;
  for (int step = 0; step < 2000; ++step) {
    AdvanceVelocities(workers, bodies, Vec3::Zero(), {h}, linear, angular);
    AdvancePoses(workers, h, bodies.positions(), bodies.orientations(), linear, angular, positions,
                 orientations);
    bodies.SwapMotion(positions, orientations, linear, angular);
    const Vec3 spin = bodies.orientations()[0].conjugate() * bodies.angular_velocities()[0];
    const double now = 0.5 * spin.dot(inertia * spin);
    EXPECT_LE(now, energy * (1.0 + 1e-4));
    energy = now;
  }
  EXPECT_GT(energy, 0.9 * energy0);
  const Vec3 spin = bodies.orientations()[0].conjugate() * bodies.angular_velocities()[0];
  const Vec3 momentum = bodies.orientations()[0] * Vec3(inertia * spin);
  EXPECT_LT((momentum - momentum0).norm(), 0.1 * momentum0.norm());
}

TEST(FreeMotionTest, InverseInertiaTurnsWithTheBody) {
  const ShapeRow shape;
  BodyStore bodies;
  const Mat3 inertia = Vec3(1.0, 2.0, 2.5).asDiagonal();
  BodyRow row = MakeRow(BodyKind::kDynamic, inertia, {&shape, 1});
  row.pose_world.orientation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  bodies.Add(row);
  bodies.Add(MakeRow(BodyKind::kKinematic, inertia, {&shape, 1}));
  WorkerArena workers(1);
  std::vector<Mat3> inverse;
  TurnInverseInertias(workers, bodies, inverse);
  const Mat3 turn = row.pose_world.orientation.toRotationMatrix();
  ASSERT_EQ(inverse.size(), 1u);  // of those that are not round
  EXPECT_TRUE((inverse[0] * (turn * inertia * turn.transpose())).isIdentity(1e-14));
}

}  // namespace
}  // namespace talus
