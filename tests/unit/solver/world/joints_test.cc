// What joints make of motion, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/mechanisms.h"

namespace talus {
namespace {

using testing::kBobInertia;
using testing::LockAxes;
using testing::MakeBob;
using testing::MakeJoint;
using testing::MakeMechanism;
using testing::MakeWorld;
using testing::StepWorld;

constexpr double kG = 9.81;
const Vec3 kJointsGravity(0.0, 0.0, -kG);

// A bob on a hinge about the y axis through the origin.
SceneDef Pendulum(double angle, double time_step_s) {
  SceneDef scene = MakeMechanism(time_step_s, kJointsGravity);
  scene.bodies = {MakeBob("bob", Vec3(std::sin(angle), 0.0, -std::cos(angle)))};
  JointDef hinge = MakeJoint(nullptr, scene.bodies[0], Vec3::Zero());
  LockAxes(hinge);
  hinge.axes[4] = JointAxis::Free();
  scene.joints = {hinge};
  return scene;
}

TEST(Joints, APendulumSwingsAtItsPeriod) {
  const double h = 0.01;
  const double start = 0.01;
  World world = MakeWorld(Pendulum(start, h));
  std::vector<double> crossings;
  double before = start;
  while (crossings.size() < 9 && world.time_s() < 20.0) {
    StepWorld(world);
    const double now = world.bodies().positions[0].x();
    // Where x crosses zero it has no curvature: a line finds the moment to h³.
    if (before * now < 0.0) crossings.push_back(world.time_s() - h * now / (now - before));
    before = now;
  }
  ASSERT_EQ(crossings.size(), 9u);
  const double period = (crossings.back() - crossings.front()) / 4.0;
  const double rate = std::sqrt(kG / (1.0 + kBobInertia));
  const double exact = 2.0 * std::numbers::pi / rate;
  // The step makes it shorter by (ω h)² / 24 = 4.1e-5, the amplitude longer by θ²/16 = 6e-6; half
  // as much is left for what is of higher order.
  const double stepped = exact * (1.0 - rate * rate * h * h / 24.0 + start * start / 16.0);
  EXPECT_NEAR(period, stepped, 2e-5 * exact);
}

TEST(Joints, AHingeKeepsItsLocksWhileItTurns) {
  World world = MakeWorld(Pendulum(2.0, 0.005));
  for (int step = 0; step < 200; ++step) {
    StepWorld(world);
    const JointRecord hinge = world.Joints()[0];
    // The pivot drifts by ω² L h² / 2 in a step, and is brought back in the next: ω² ≤ 4 g / L.
    EXPECT_LT(hinge.translation_m.norm(), 0.5 * 4.0 * kG * 0.005 * 0.005 * 1.01);
    EXPECT_LT(std::hypot(hinge.rotation_rad.x(), hinge.rotation_rad.z()), 1e-12);
  }
}

TEST(Joints, AWeldHoldsTwoBodiesThatFall) {
  const double h = 0.005;
  SceneDef scene = MakeMechanism(h, kJointsGravity);
  const BodyDef a = MakeBob("a", Vec3(-0.5, 0.0, 0.0), Vec3(0.0, 1.0, 0.0));
  const BodyDef b = MakeBob("b", Vec3(0.5, 0.0, 0.0), Vec3(0.0, -1.0, 0.0));
  scene.bodies = {a, b};
  JointDef weld = MakeJoint(&a, b, Vec3::Zero());
  LockAxes(weld);
  scene.joints = {weld};
  World world = MakeWorld(scene);
  const int steps = 200;
  StepWorld(world, steps);
  const BodyStateView bodies = world.bodies();
  const Vec3 middle = 0.5 * (bodies.positions[0] + bodies.positions[1]);
  // The weld is an inner force: the centre falls as a free body does, g h² n (n + 1) / 2.
  EXPECT_NEAR(middle.z(), -kG * h * h * steps * (steps + 1) / 2.0, 1e-10);
  EXPECT_NEAR(middle.head<2>().norm(), 0.0, 1e-10);
  // Both turn at the rate of their angular momentum: 2 m (½)(1) about z over 2 m/4 + 2 I.
  const double spin = -1.0 / (0.5 + 2.0 * kBobInertia);
  EXPECT_NEAR(bodies.angular_velocities[0].z(), spin, 1e-3 * std::abs(spin));
  EXPECT_NEAR((bodies.angular_velocities[0] - bodies.angular_velocities[1]).norm(), 0.0, 1e-9);
  // Drift of a step: ω² (½) h² / 2 of either arm.
  EXPECT_LT(world.Joints()[0].translation_m.norm(), spin * spin * 0.5 * h * h);
  EXPECT_LT(world.Joints()[0].rotation_rad.norm(), 1e-9);
}

TEST(Joints, AHingeStopsAtItsLimitAndTellsTheTorque) {
  SceneDef scene = Pendulum(0.5 * std::numbers::pi, 0.01);  // level, to fall by −π/2
  scene.joints[0].axes[4] = JointAxis::Limited(-0.5, 0.6);
  World world = MakeWorld(scene);
  // Positive about y is from z to x; the bob at +x falls the other way.
  StepWorld(world, 300);
  const JointRecord hinge = world.Joints()[0];
  const double angle = std::abs(hinge.rotation_rad.y());
  EXPECT_NEAR(std::min(std::abs(angle - 0.5), std::abs(angle - 0.6)), 0.0, 1e-9);
  const double lever = std::abs(world.bodies().positions[0].x());
  // The joint acts at the pivot, where force and torque hold the weight at its lever.
  EXPECT_NEAR(std::abs(hinge.torque_n_m.y()), kG * lever, 1e-6);
  EXPECT_NEAR(hinge.force_n.z(), kG, 1e-6);
}

// A bob on a guide along x, with what else acts along it.
SceneDef Slider(double time_step_s, std::vector<JointAxis> along) {
  SceneDef scene = MakeMechanism(time_step_s);
  scene.bodies = {MakeBob("bob", Vec3::Zero())};
  JointDef guide = MakeJoint(nullptr, scene.bodies[0], Vec3::Zero());
  LockAxes(guide);
  guide.axes[0] = JointAxis::Free();
  scene.joints = {guide};
  for (const JointAxis& axis : along) {
    JointDef joint = MakeJoint(nullptr, scene.bodies[0], Vec3::Zero());
    joint.axes[0] = axis;
    scene.joints.push_back(joint);
  }
  return scene;
}

TEST(Joints, AMotorAcceleratesWithItsForceUpToItsVelocity) {
  World world = MakeWorld(Slider(0.01, {JointAxis::Motor(2.0, 10.0)}));
  StepWorld(world, 10);
  EXPECT_NEAR(world.bodies().linear_velocities[0].x(), 1.0, 1e-9);  // F t / m
  EXPECT_NEAR(world.Joints()[1].force_n.x(), 10.0, 1e-9);
  StepWorld(world, 20);
  EXPECT_NEAR(world.bodies().linear_velocities[0].x(), 2.0, 1e-9);
  EXPECT_NEAR(world.Joints()[1].force_n.x(), 0.0, 1e-9);
}

TEST(Joints, AMotorStallsAgainstASealThatIsStronger) {
  World world = MakeWorld(Slider(0.01, {JointAxis::Motor(2.0, 10.0), JointAxis::Friction(10.5)}));
  StepWorld(world, 50);
  EXPECT_NEAR(world.bodies().positions[0].x(), 0.0, 1e-9);
  EXPECT_NEAR(world.Joints()[1].force_n.x(), 10.0, 1e-8);
  EXPECT_NEAR(world.Joints()[2].force_n.x(), -10.0, 1e-8);
}

TEST(Joints, AMotorPullsThroughASealThatIsWeaker) {
  World world = MakeWorld(Slider(0.01, {JointAxis::Motor(2.0, 10.0), JointAxis::Friction(9.5)}));
  StepWorld(world, 100);
  EXPECT_NEAR(world.bodies().linear_velocities[0].x(), 0.5, 1e-9);  // (10 − 9.5) t / m
  StepWorld(world, 400);
  EXPECT_NEAR(world.bodies().linear_velocities[0].x(), 2.0, 1e-9);
  EXPECT_NEAR(world.Joints()[1].force_n.x(), 9.5, 1e-8);
}

TEST(Joints, ASealHoldsBelowItsForceAndSlipsAbove) {
  for (const double strength : {9.82, 9.0}) {
    SceneDef scene = Slider(0.01, {JointAxis::Friction(strength)});
    scene.settings.gravity_world_m_s2 = Vec3(kG, 0.0, 0.0);
    World world = MakeWorld(scene);
    StepWorld(world, 100);
    EXPECT_NEAR(world.bodies().linear_velocities[0].x(), std::max(0.0, kG - strength), 1e-9);
    EXPECT_NEAR(world.Joints()[1].force_n.x(), -std::min(kG, strength), 1e-8);
  }
}

TEST(Joints, ASpringCarriesAWeightAtItsDeflection) {
  SceneDef scene = Slider(0.01, {JointAxis::Spring(0.0, 100.0)});
  scene.settings.gravity_world_m_s2 = Vec3(kG, 0.0, 0.0);
  World world = MakeWorld(scene);
  // A backward Euler step damps by 1/√(1 + k h²/m) = 1/√1.01: to e⁻²⁰ in 4000 steps.
  StepWorld(world, 4000);
  EXPECT_NEAR(world.bodies().positions[0].x(), kG / 100.0, 1e-8);
  EXPECT_NEAR(world.Joints()[1].force_n.x(), -kG, 1e-6);
}

TEST(Joints, AParallelogramOfFourHingesCloses) {
  // Cranks of 1 m from (0, 0) and (2, 0) in the x–z plane, 60° up, and the coupler on top: in space
  // its twenty locks hold seventeen freedoms.
  const Vec3 arm(0.5, 0.0, std::sqrt(0.75));
  const Vec3 base(2.0, 0.0, 0.0);
  SceneDef scene = MakeMechanism(0.005, kJointsGravity);
  const BodyDef left = MakeBob("left", 0.5 * arm);
  const BodyDef right = MakeBob("right", base + 0.5 * arm);
  const BodyDef coupler = MakeBob("coupler", arm + 0.5 * base);
  scene.bodies = {left, right, coupler};
  scene.joints = {MakeJoint(nullptr, left, Vec3::Zero()), MakeJoint(nullptr, right, base),
                  MakeJoint(&left, coupler, arm), MakeJoint(&right, coupler, base + arm)};
  for (JointDef& hinge : scene.joints) {
    LockAxes(hinge);
    hinge.axes[4] = JointAxis::Free();
  }
  scene.joints[0].axes[4] = JointAxis::Motor(0.5);  // rad/s about y
  World world = MakeWorld(scene);
  StepWorld(world, 200);
  for (const JointRecord& hinge : world.Joints()) EXPECT_LT(hinge.translation_m.norm(), 1e-5);
  const BodyStateView bodies = world.bodies();
  EXPECT_NEAR(bodies.angular_velocities[0].y(), 0.5, 1e-9);
  // Drift of the corners, 3·10⁻⁶ of a metre a step, over a lever of one metre in 5 ms.
  EXPECT_NEAR(bodies.angular_velocities[1].y(), 0.5, 1e-3);
  EXPECT_NEAR(bodies.angular_velocities[2].norm(), 0.0, 1e-3);
  const double angle = std::atan2(arm.z(), arm.x()) - 0.5;
  EXPECT_NEAR(bodies.positions[2].x(), 1.0 + std::cos(angle), 1e-4);
  EXPECT_NEAR(bodies.positions[2].z(), std::sin(angle), 1e-4);
}

TEST(Joints, BetweenTwoBodiesKeepTheirMomenta) {
  SceneDef scene = MakeMechanism(0.005);
  const BodyDef a = MakeBob("a", Vec3(0.1, -0.2, 0.3), Vec3(0.3, 0.1, 0.0));
  const BodyDef b = MakeBob("b", Vec3(0.7, 0.4, -0.2), Vec3(-0.1, 0.5, 0.2));
  scene.bodies = {a, b};
  JointDef hinge = MakeJoint(&a, b, Vec3(0.5, 0.1, 0.1));
  LockAxes(hinge);
  hinge.axes[5] = JointAxis::Motor(3.0, 0.2);
  scene.joints = {hinge};
  World world = MakeWorld(scene);
  const auto momentum = [&] {
    const BodyStateView bodies = world.bodies();
    Vec3 angular = Vec3::Zero();
    for (int row = 0; row < 2; ++row) {
      angular += bodies.positions[row].cross(bodies.linear_velocities[row]) +
                 kBobInertia * bodies.angular_velocities[row];
    }
    return std::pair(Vec3(bodies.linear_velocities[0] + bodies.linear_velocities[1]), angular);
  };
  const auto [linear_before, angular_before] = momentum();
  StepWorld(world, 100);
  const auto [linear, angular] = momentum();
  EXPECT_LT((linear - linear_before).norm(), 1e-12);
  // x × v keeps under x⁺ = x + h v⁺, and the impulses act on one line: exact but for round-off.
  EXPECT_LT((angular - angular_before).norm(), 1e-12);
}

}  // namespace
}  // namespace talus
