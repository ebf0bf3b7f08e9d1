// Positions of joints, and that the rows are their rates.
#include "solver/constraints/joint_pose.h"

#include <gtest/gtest.h>

#include <numbers>

#include "solver/base/random.h"
#include "solver/constraints/assemble_joints.h"
#include "tests/support/mechanisms.h"

namespace talus {
namespace {

constexpr double kPi = std::numbers::pi;

std::array<JointAxis, 6> AllLockedBut(int axis) {
  std::array<JointAxis, 6> axes;
  for (JointAxis& each : axes) each = JointAxis::Locked();
  if (axis >= 0) axes[axis] = JointAxis::Free();
  return axes;
}

Quat Turn(double angle, const Vec3& axis) { return Quat(Eigen::AngleAxisd(angle, axis)); }

TEST(JointPose, MeasuresTranslationsAlongTheAxesOfA) {
  const Pose a{Vec3(1.0, 2.0, 3.0), Turn(0.5 * kPi, Vec3::UnitZ())};
  const Pose b{Vec3(1.0, 2.5, 3.25), a.orientation};
  const JointPose pose = FindJointPose(a, b, AllLockedBut(-1));
  // A's x axis points along the world's y.
  EXPECT_NEAR(pose.positions[0], 0.5, 1e-15);
  EXPECT_NEAR(pose.positions[1], 0.0, 1e-15);
  EXPECT_NEAR(pose.positions[2], 0.25, 1e-15);
  EXPECT_EQ(pose.point, b.position);
}

TEST(JointPose, MeasuresTheAngleAboutTheFreeAxisNearlyToHalfATurn) {
  for (const double angle : {-3.0, -1.0, 0.0, 1e-9, 2.0, 3.0}) {
    for (int k = 0; k < 3; ++k) {
      const Pose b{Vec3::Zero(), Turn(angle, Vec3::Unit(k))};
      const Wrench positions = FindJointPose({}, b, AllLockedBut(kRotations + k)).positions;
      EXPECT_NEAR(positions[kRotations + k], angle, 1e-14);
      EXPECT_NEAR(positions.tail<3>().norm(), std::abs(angle), 1e-14);
    }
  }
}

TEST(JointPose, SeparatesTheTiltOfAHingeFromItsAngle) {
  // Turned by 2 rad about z, then tilted by 0.01 rad about A's x axis.
  const Pose b{Vec3::Zero(), Turn(0.01, Vec3::UnitX()) * Turn(2.0, Vec3::UnitZ())};
  const Wrench positions = FindJointPose({}, b, AllLockedBut(5)).positions;
  EXPECT_NEAR(positions[3], 0.01, 1e-14);
  EXPECT_NEAR(positions[4], 0.0, 1e-14);
  EXPECT_NEAR(positions[5], 2.0, 1e-14);
}

TEST(JointPose, IsFiniteWhereAHingeIsTiltedByHalfATurn) {
  const Pose b{Vec3::Zero(), Turn(kPi, Vec3::UnitX())};
  EXPECT_TRUE(FindJointPose({}, b, AllLockedBut(5)).positions.allFinite());
}

// The rows times velocities against the difference of positions, for joints whose locks hold: the
// hinge and the guide turned and moved at random. Central differences over 2e-5 s of speeds and
// positions of about one are exact to 1e-10 (third order), and to 1e-11 (round-off / 2e-5).
TEST(JointPose, RowsAreTheRatesOfItsPositions) {
  SCOPED_TRACE("seed 41");
  Random random(41);
  const auto vector = [&] {
    return Vec3(random.Uniform(-1.0, 1.0), random.Uniform(-1.0, 1.0), random.Uniform(-1.0, 1.0));
  };
  for (int round = 0; round < 50; ++round) {
    const int free = kRotations + round % 3;
    SceneDef scene = testing::MakeMechanism(0.01);
    BodyDef a = testing::MakeBob("a", vector());
    BodyDef b = testing::MakeBob("b", vector());
    a.pose_world.orientation = ExpRotation(vector());
    JointDef joint = testing::MakeJoint(&a, b, vector());
    joint.frame_a = {vector(), ExpRotation(vector())};
    joint.frame_b = {vector(), ExpRotation(vector())};
    joint.axes = AllLockedBut(-1);
    joint.axes[free] = JointAxis::Friction(1.0);
    const Pose frame_a = a.pose_world * joint.frame_a;
    const Quat turned =
        frame_a.orientation * Turn(random.Uniform(-3.0, 3.0), Vec3::Unit(free - kRotations));
    b.pose_world.orientation = turned * joint.frame_b.orientation.conjugate();
    SceneState state;
    state.settings = scene.settings;
    for (const BodyDef* body : {&a, &b}) {
      BodyRow row;
      row.name = body->name;
      row.pose_world = body->pose_world;
      row.mass = 1.0;
      row.inertia_body = Mat3::Identity();
      state.bodies.Add(row);
    }
    JointState& held = state.joints.emplace_back();
    held.def = joint;
    held.body_a = state.bodies.ids()[0];
    held.body_b = state.bodies.ids()[1];
    std::vector<JointRows> rows;
    AssembleJoints(state, rows);
    // Only translations may change at will: the rotations that are locked have no rate.
    const Vec3 linear_a = vector();
    const Vec3 linear_b = vector();
    const Vec3 turn_a = vector();
    const Vec3 turn_b =
        turn_a + random.Uniform(-1.0, 1.0) * (frame_a.orientation * Vec3::Unit(free - kRotations));
    const double dt = 1e-5;
    const auto positions_at = [&](double time) {
      const Pose pose_a{a.pose_world.position + time * linear_a,
                        ExpRotation(time * turn_a) * a.pose_world.orientation};
      const Pose pose_b{b.pose_world.position + time * linear_b,
                        ExpRotation(time * turn_b) * b.pose_world.orientation};
      return FindJointPose(pose_a * joint.frame_a, pose_b * joint.frame_b, joint.axes).positions;
    };
    const Wrench rate = (positions_at(dt) - positions_at(-dt)) / (2.0 * dt);
    Wrench velocity_a;
    velocity_a.head<3>() = linear_a;
    velocity_a.tail<3>() = turn_a;
    Wrench velocity_b;
    velocity_b.head<3>() = linear_b;
    velocity_b.tail<3>() = turn_b;
    const Wrench u = rows[0].directions[0].transpose() * velocity_a +
                     rows[0].directions[1].transpose() * velocity_b;
    EXPECT_LT((u - rate).norm(), 2e-9) << "round " << round;
  }
}

}  // namespace
}  // namespace talus
