#include "solver/integrator/pose_update.h"

#include <gtest/gtest.h>

#include <numbers>

namespace talus {
namespace {

struct Columns {
  std::vector<Vec3> positions = {Vec3(1, 2, 3)};
  std::vector<Quat> orientations = {Quat::Identity()};
};

Columns Advance(const Columns& from, double h, const Vec3& linear, const Vec3& angular) {
  Columns to;
  WorkerArena workers(1);
  const std::vector<Vec3> v = {linear};
  const std::vector<Vec3> w = {angular};
  AdvancePoses(workers, h, from.positions, from.orientations, v, w, to.positions, to.orientations);
  return to;
}

TEST(PoseUpdateTest, MovesByVelocityAndTurnsExactly) {
  const Columns to = Advance({}, 0.5, Vec3(2, 0, -2), Vec3(0, 0, std::numbers::pi));
  EXPECT_EQ(to.positions[0], Vec3(2, 2, 2));
  // Half a second at pi rad/s is a quarter turn about z, however large the step.
  EXPECT_TRUE((to.orientations[0] * Vec3::UnitX()).isApprox(Vec3::UnitY(), 1e-15));
}

TEST(PoseUpdateTest, RestIsRestToTheBit) {
  Columns from;
  from.orientations[0] = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  Columns to = from;
  for (int step = 0; step < 100; ++step) to = Advance(to, 0.01, Vec3::Zero(), Vec3::Zero());
  EXPECT_EQ(to.orientations[0].coeffs(), from.orientations[0].coeffs());
  EXPECT_EQ(to.positions[0], from.positions[0]);
}

TEST(PoseUpdateTest, StaysUnit) {
  Columns to;
  for (int step = 0; step < 10000; ++step) {
    to = Advance(to, 0.01, Vec3::Zero(), Vec3(3, -7, 11));
  }
  EXPECT_NEAR(to.orientations[0].norm(), 1.0, 1e-15);
}

TEST(PoseUpdateTest, TinyTurnsAddUp) {
  // 1e5 turns of 1e-6 rad: below the threshold of the series in ExpRotation.
  Columns to;
  for (int step = 0; step < 100000; ++step) to = Advance(to, 1e-3, Vec3::Zero(), Vec3(1e-3, 0, 0));
  const Eigen::AngleAxisd turn(to.orientations[0]);
  EXPECT_NEAR(turn.angle(), 0.1, 1e-12);
}

}  // namespace
}  // namespace talus
