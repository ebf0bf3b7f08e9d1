// Rolling transitions against an integration with smooth friction, against motions known exactly
// where the body moves, and in the relations that any answer keeps.
#include "solver/analysis/rolling_transition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "solver/analysis/trough_ball.h"
#include "solver/base/random.h"
#include "tests/support/two_point_bodies.h"

namespace talus {
namespace {

constexpr auto kRollRoll = ContactPairState::kRollRoll;
constexpr auto kSlipSlip = ContactPairState::kSlipSlip;

// The validation claims do 300 of each.
TEST(RollingTransition, AgreesWithSmoothFriction) {
  const uint64_t seed = 5;
  SCOPED_TRACE(seed);
  Random random(seed);
  int counts[kContactPairStates] = {};
  for (int found = 0; found < 40;) {
    const auto loaded = testing::RandomTwoPointBody(random);
    if (!loaded.has_value()) continue;
    const auto state = testing::FindClearState(*loaded);
    if (!state.has_value()) continue;
    const auto agrees = testing::CompareWithSmoothFriction(loaded->Loaded(1.0), *state);
    if (!agrees.has_value()) continue;
    ++found;
    ++counts[static_cast<size_t>(*state)];
    EXPECT_TRUE(agrees->agrees) << found;
  }
  for (const int count : counts) EXPECT_GT(count, 0);
}

// Loads around the edges where RS, SR and SS meet, m_z from 0 up: limit directions lie as near to
// the line of the rolling axis, a repelling and an attracting one beside each other.
TEST(RollingTransition, AgreesWithTheClosedFormAroundItsEdges) {
  const uint64_t seed = 17;
  SCOPED_TRACE(seed);
  Random random(seed);
  const auto sign = [&random] { return random.Uniform(0.0, 1.0) < 0.5 ? -1.0 : 1.0; };
  int counts[kContactPairStates] = {};
  TroughBall ball;
  for (const double mu : {0.1, 0.3, 0.6}) {
    ball.sliding_friction = mu;
    for (int halves = -25; halves <= -3; ++halves) {
      const double m_z = halves == -25 ? 0.0 : sign() * std::pow(10.0, 0.5 * halves);
      for (int i = 0; i < 20; ++i) {
        const auto near = [&] {
          return sign() * mu * (1.0 + sign() * std::pow(10.0, random.Uniform(-5.0, -0.5)));
        };
        const double first = near();
        const Vec3 load =
            FindTroughLoad(ball.inertia_ratio, {first, i % 3 == 0 ? -first : near()}, m_z);
        const ContactPairState state = ClassifyTroughLoad(ball, load);
        if (state != ClassifyTroughLoad(ball, 1.000001 * load)) continue;
        if (state != ClassifyTroughLoad(ball, 0.999999 * load)) continue;
        ++counts[static_cast<size_t>(state)];
        EXPECT_TRUE(AnalyzeRollingTransition(MakeTroughBody(ball, load))->IsRealizable(state))
            << mu << ": " << load.transpose();
      }
    }
  }
  for (const int count : counts) EXPECT_GT(count, 50);
}

// What each motion says of itself, checked from the equations of motion alone.
void CheckMotion(const TwoPointBody& body, const PairMotion& motion) {
  const double force_scale = body.force_world_n.norm() + body.mass_kg * 9.81;
  const double scale = force_scale / body.mass_kg;
  Vec3 force = body.force_world_n;
  Vec3 torque = body.torque_world_n_m;
  const bool slips[2] = {motion.state == ContactPairState::kSlipRoll || motion.state == kSlipSlip,
                         motion.state == ContactPairState::kRollSlip || motion.state == kSlipSlip};
  for (int i = 0; i < 2; ++i) {
    const TwoPointContact& contact = body.contacts[i];
    const Vec3& push = motion.contact_forces_world_n[i];
    force += push;
    torque += contact.arm_world_m.cross(push);
    const double normal = push.dot(contact.normal_world);
    const Vec3 friction = push - normal * contact.normal_world;
    EXPECT_GE(normal, 0.0);
    EXPECT_LE(friction.norm(), contact.sliding_friction * normal + 1e-10 * force_scale);
    const Vec3 point = motion.acceleration_world_m_s2 +
                       motion.angular_acceleration_world_rad_s2.cross(contact.arm_world_m);
    EXPECT_LT((point - motion.slip_accelerations_world_m_s2[i]).norm(), 1e-9 * scale);
    if (slips[i]) {
      const Vec3 along = motion.slip_accelerations_world_m_s2[i].normalized();
      EXPECT_LT((friction + contact.sliding_friction * normal * along).norm(), 1e-7 * force_scale);
    }
  }
  EXPECT_LT((force - body.mass_kg * motion.acceleration_world_m_s2).norm(), 1e-10 * force_scale);
  EXPECT_LT((torque - body.inertia_world_kg_m2 * motion.angular_acceleration_world_rad_s2).norm(),
            1e-10 * force_scale);
}

TEST(RollingTransition, MotionsObeyNewtonAndCoulomb) {
  const uint64_t seed = 6;
  SCOPED_TRACE(seed);
  Random random(seed);
  for (int found = 0; found < 100;) {
    const auto loaded = testing::RandomTwoPointBody(random);
    if (!loaded.has_value()) continue;
    ++found;
    const TwoPointBody body = loaded->Loaded(1.0);
    const auto transition = AnalyzeRollingTransition(body);
    ASSERT_TRUE(transition.ok()) << transition.status();
    std::array<bool, kContactPairStates> seen = {};
    for (const PairMotion& motion : transition->motions) {
      CheckMotion(body, motion);
      seen[static_cast<size_t>(motion.state)] = true;
      EXPECT_EQ(motion.growth > 0.0, motion.state != kRollRoll);
    }
    EXPECT_EQ(seen, transition->realizable);
    for (const LimitDirection& direction : transition->limit_directions) {
      EXPECT_EQ(direction.repelling, direction.motion.growth > 1e-9);
      EXPECT_EQ(direction.attracting, direction.motion.growth < -1e-9);
      EXPECT_GE(std::sin(direction.angles_rad[0]) * std::sin(direction.angles_rad[1]), -1e-9);
    }
    // Where nothing leaves rolling and the contacts stay closed, statics has forces for it.
    EXPECT_GE(transition->rolling_statically_possible, transition->IsRealizable(kRollRoll));
  }
}

// What is asked must not depend on the order of the contacts, nor on the directions of the axes.
TEST(RollingTransition, AnswerTurnsAndSwapsWithTheBody) {
  const uint64_t seed = 8;
  SCOPED_TRACE(seed);
  Random random(seed);
  for (int found = 0; found < 20;) {
    const auto loaded = testing::RandomTwoPointBody(random);
    if (!loaded.has_value() || !testing::FindClearState(*loaded).has_value()) continue;
    ++found;
    const TwoPointBody body = loaded->Loaded(1.0);
    const Mat3 turn = ExpRotation(2.0 * testing::RandomVector(random)).toRotationMatrix();
    TwoPointBody turned = body;
    const Mat3 inertia = turn * body.inertia_world_kg_m2 * turn.transpose();
    turned.inertia_world_kg_m2 = 0.5 * (inertia + inertia.transpose());
    turned.force_world_n = turn * body.force_world_n;
    turned.torque_world_n_m = turn * body.torque_world_n_m;
    for (int i = 0; i < 2; ++i) {
      turned.contacts[i] = body.contacts[1 - i];
      turned.contacts[i].arm_world_m = turn * body.contacts[1 - i].arm_world_m;
      turned.contacts[i].normal_world = turn * body.contacts[1 - i].normal_world;
    }
    const auto first = AnalyzeRollingTransition(body);
    const auto second = AnalyzeRollingTransition(turned);
    EXPECT_EQ(first->realizable[0], second->realizable[0]);
    EXPECT_EQ(first->realizable[1], second->realizable[2]);
    EXPECT_EQ(first->realizable[2], second->realizable[1]);
    EXPECT_EQ(first->realizable[3], second->realizable[3]);
    ASSERT_EQ(first->motions.size(), second->motions.size());
    ASSERT_FALSE(first->motions.empty());
    EXPECT_NEAR(first->motions[0].growth, second->motions[0].growth, 1e-9);
    const Vec3 here = turn * first->motions[0].acceleration_world_m_s2;
    EXPECT_LT((here - second->motions[0].acceleration_world_m_s2).norm(), 1e-8);
  }
}

TEST(RollingTransition, SameBitsEveryTime) {
  Random random(9);
  auto loaded = testing::RandomTwoPointBody(random);
  while (!loaded.has_value()) loaded = testing::RandomTwoPointBody(random);
  const auto first = AnalyzeRollingTransition(loaded->Loaded(1.0));
  const auto second = AnalyzeRollingTransition(loaded->Loaded(1.0));
  ASSERT_EQ(first->limit_directions.size(), second->limit_directions.size());
  for (size_t i = 0; i < first->limit_directions.size(); ++i) {
    EXPECT_EQ(first->limit_directions[i].angles_rad, second->limit_directions[i].angles_rad);
  }
}

// The ball wedged by no torque about the axis: with m_z = 0 the limit direction is in a corner of
// the squares. Rolling would be statically possible beyond the planes, by forces that press the
// ball into the walls.
TEST(RollingTransition, StaticallyPossibleIsMoreThanRealizable) {
  TroughBall ball;
  const double mu = ball.sliding_friction;
  const Vec3 load = FindTroughLoad(ball.inertia_ratio, {1.03 * mu, 1.03 * mu}, 0.0);
  const auto transition = AnalyzeRollingTransition(MakeTroughBody(ball, load));
  EXPECT_TRUE(transition->IsRealizable(kSlipSlip));
  EXPECT_FALSE(transition->IsRealizable(kRollRoll));
  EXPECT_TRUE(transition->rolling_statically_possible);
  EXPECT_GT(transition->least_line_force_n, 0.0);
  EXPECT_TRUE(transition->limit_directions[0].repelling);
  // Friction has all of its 3 % of excess left over: both points accelerate alike.
  const PairMotion& motion = transition->limit_directions[0].motion;
  EXPECT_NEAR(motion.slip_accelerations_world_m_s2[0].norm(),
              motion.slip_accelerations_world_m_s2[1].norm(), 1e-9);
}

// Where the line through the contacts lies in both cones, any pressing force along it is admitted.
TEST(RollingTransition, WedgedLineForceIsInfinite) {
  TwoPointBody body = MakeTroughBody(TroughBall{}, Vec3::Zero());
  for (TwoPointContact& contact : body.contacts) contact.sliding_friction = 1.2;
  const auto transition = AnalyzeRollingTransition(body);
  EXPECT_TRUE(transition->IsRealizable(kRollRoll));
  EXPECT_EQ(transition->largest_line_force_n, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isfinite(transition->least_line_force_n));
}

TEST(RollingTransition, NothingHoldsABodyThatIsPulledOff) {
  TwoPointBody body = MakeTroughBody(TroughBall{}, Vec3::Zero());
  body.force_world_n = -body.force_world_n;
  const auto transition = AnalyzeRollingTransition(body);
  EXPECT_THAT(transition->realizable, ::testing::Each(false));
  EXPECT_TRUE(transition->motions.empty());
  EXPECT_FALSE(transition->rolling_statically_possible);
}

TEST(RollingTransition, BodyWithoutLoadStaysWhereItIs) {
  TwoPointBody body = MakeTroughBody(TroughBall{}, Vec3::Zero());
  body.force_world_n = Vec3::Zero();
  const auto transition = AnalyzeRollingTransition(body);
  ASSERT_TRUE(transition->IsRealizable(kRollRoll));
  EXPECT_EQ(transition->motions[0].acceleration_world_m_s2, Vec3::Zero());
}

// A ball that rolls round on a floor along the inside of a round wall: its centre goes in a circle
// with v²/R towards the axis, and its spin turns with it. Only the wall's curvature can say so.
TEST(RollingTransition, BallAlongARoundWallTurnsWithIt) {
  const double r = 0.2;
  const double wall = 1.7;
  const double v = 0.8;
  TwoPointBody body;
  body.mass_kg = 2.0;
  body.inertia_world_kg_m2 = 0.4 * 2.0 * r * r * Mat3::Identity();
  body.force_world_n = Vec3(30.0, 0.0, -19.62);  // pressed onto both
  body.velocity_world_m_s = Vec3(0.0, v, 0.0);
  body.angular_velocity_world_rad_s = Vec3(-v / r, 0.0, -v / r);
  TwoPointContact& floor = body.contacts[0];
  floor.arm_world_m = Vec3(0.0, 0.0, -r);
  floor.normal_world = Vec3::UnitZ();
  floor.rolling_radius_world_m = Vec3(r, r, 0.0).asDiagonal();
  TwoPointContact& side = body.contacts[1];
  side.arm_world_m = Vec3(r, 0.0, 0.0);
  side.normal_world = -Vec3::UnitX();
  side.rolling_radius_world_m = Vec3(0.0, 1.0 / (1.0 / r - 1.0 / wall), r).asDiagonal();
  floor.sliding_friction = side.sliding_friction = 0.5;
  const auto transition = AnalyzeRollingTransition(body);
  ASSERT_TRUE(transition.ok()) << transition.status();
  ASSERT_TRUE(transition->IsRealizable(kRollRoll));
  const double turn = v / (wall - r);  // rate at which the ball goes round
  const PairMotion& motion = transition->motions[0];
  EXPECT_LT((motion.acceleration_world_m_s2 - Vec3(-v * turn, 0.0, 0.0)).norm(), 1e-13);
  EXPECT_LT((motion.angular_acceleration_world_rad_s2 - Vec3(0.0, -turn * v / r, 0.0)).norm(),
            1e-12);
}

// Two sharp tips on a floor: the body turns about the line through them, and its centre goes round
// that line.
TEST(RollingTransition, BodyOnTwoTipsTurnsAboutTheirLine) {
  TwoPointBody body;
  body.mass_kg = 3.0;
  body.inertia_world_kg_m2 = Vec3(0.05, 0.06, 0.07).asDiagonal();
  body.contacts[0].arm_world_m = Vec3(0.3, 0.0, -0.5);
  body.contacts[1].arm_world_m = Vec3(-0.3, 0.0, -0.5);
  for (TwoPointContact& contact : body.contacts) contact.sliding_friction = 0.8;
  const double spin = 1.5;
  body.angular_velocity_world_rad_s = Vec3(spin, 0.0, 0.0);
  body.velocity_world_m_s = Vec3(0.0, -spin * 0.5, 0.0);
  body.force_world_n = Vec3(0.0, 0.0, -3.0 * 9.81);
  const auto transition = AnalyzeRollingTransition(body);
  ASSERT_TRUE(transition.ok()) << transition.status();
  ASSERT_TRUE(transition->IsRealizable(kRollRoll));
  const PairMotion& motion = transition->motions[0];
  EXPECT_LT((motion.acceleration_world_m_s2 - Vec3(0.0, 0.0, -spin * spin * 0.5)).norm(), 1e-13);
  EXPECT_LT(motion.angular_acceleration_world_rad_s2.norm(), 1e-12);
}

// Walls that run with the ball are walls at rest seen by another; walls that run apart along the
// trough turn the ball on the spot.
TEST(RollingTransition, BeltsChangeNothingButTheFrame) {
  const TroughBall ball;
  const Vec3 load(0.2, -0.1, 0.1);
  const auto still = AnalyzeRollingTransition(MakeTroughBody(ball, load));
  for (const double second_belt : {2.0, -2.0}) {
    TwoPointBody body = MakeTroughBody(ball, load);
    body.contacts[0].surface_velocity_world_m_s = Vec3(0.0, 0.0, 2.0);
    body.contacts[1].surface_velocity_world_m_s = Vec3(0.0, 0.0, second_belt);
    if (second_belt > 0.0) {
      body.velocity_world_m_s = Vec3(0.0, 0.0, 2.0);
    } else {
      body.angular_velocity_world_rad_s = Vec3(-2.0, -2.0, 0.0) / ball.radius_m;
    }
    const auto moving = AnalyzeRollingTransition(body);
    ASSERT_TRUE(moving.ok()) << moving.status();
    EXPECT_EQ(moving->realizable, still->realizable);
    EXPECT_LT(
        (moving->motions[0].acceleration_world_m_s2 - still->motions[0].acceleration_world_m_s2)
            .norm(),
        1e-12);
  }
}

// A ball on a turntable, at rest above its axis of rotation, and on a wall that goes round with it.
TEST(RollingTransition, TurningTogetherIsRestInATurningFrame) {
  const TroughBall ball;
  const double turn = 0.7;
  TwoPointBody body = MakeTroughBody(ball, Vec3::Zero());
  const Vec3 axis(0.0, 0.0, turn);  // through the ball's centre
  body.angular_velocity_world_rad_s = axis;
  for (TwoPointContact& contact : body.contacts) {
    contact.surface_angular_velocity_world_rad_s = axis;
    contact.surface_velocity_world_m_s = axis.cross(contact.arm_world_m);
    contact.surface_acceleration_world_m_s2 = axis.cross(contact.surface_velocity_world_m_s);
  }
  const auto transition = AnalyzeRollingTransition(body);
  ASSERT_TRUE(transition.ok()) << transition.status();
  ASSERT_TRUE(transition->IsRealizable(kRollRoll));
  EXPECT_LT(transition->motions[0].acceleration_world_m_s2.norm(), 1e-13);
  EXPECT_LT(transition->motions[0].angular_acceleration_world_rad_s2.norm(), 1e-13);
}

TEST(RollingTransition, RefusesSurfacesThatPart) {
  TwoPointBody body = MakeTroughBody(TroughBall{}, Vec3::Zero());
  body.contacts[0].surface_acceleration_world_m_s2 = Vec3(1.0, 0.0, 0.0);
  EXPECT_THAT(std::string(AnalyzeRollingTransition(body).status().message()),
              ::testing::StartsWith("the rate at which the surfaces part the contact points"));
}

}  // namespace
}  // namespace talus
