// Rolling transitions with little friction or none at a point: what the body does then is known
// exactly, and nothing changes from μ = 1 down to 10⁻¹² but the size of the answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "solver/analysis/rolling_transition.h"
#include "solver/analysis/trough_ball.h"
#include "solver/base/random.h"
#include "tests/support/two_point_bodies.h"

namespace talus {
namespace {

using ::testing::ElementsAre;

TwoPointBody TroughBodyOf(double first, double second, const Vec3& load) {
  TwoPointBody body = MakeTroughBody(TroughBall{}, load);
  body.contacts[0].sliding_friction = first;
  body.contacts[1].sliding_friction = second;
  return body;
}

std::vector<ContactPairState> StatesOf(const RollingTransition& transition) {
  std::vector<ContactPairState> states;
  for (size_t i = 0; i < kContactPairStates; ++i) {
    if (transition.realizable[i]) states.push_back(static_cast<ContactPairState>(i));
  }
  return states;
}

std::vector<ContactPairState> StatesUnder(double first, double second, const Vec3& load) {
  return StatesOf(*AnalyzeRollingTransition(TroughBodyOf(first, second, load)));
}

TEST(SmallFriction, BodyAtRestNeedsNone) {
  using enum ContactPairState;
  const uint64_t seed = 71;
  SCOPED_TRACE(seed);
  Random random(seed);
  for (int found = 0; found < 50;) {
    const auto loaded = testing::RandomTwoPointBody(random);
    if (!loaded.has_value()) continue;
    ++found;
    TwoPointBody body = loaded->body;  // pressed onto both along their normals
    const double weight = body.force_world_n.norm();
    for (const auto& [first, second] :
         {std::pair{0.0, 0.0}, {0.0, 0.3}, {0.3, 0.0}, {1e-16, 1e-16}, {1e-9, 0.0}}) {
      body.contacts[0].sliding_friction = first;
      body.contacts[1].sliding_friction = second;
      const auto transition = AnalyzeRollingTransition(body);
      ASSERT_THAT(StatesOf(*transition), ElementsAre(kRollRoll)) << first << " " << second;
      EXPECT_TRUE(transition->rolling_statically_possible);
      const PairMotion& motion = transition->motions[0];
      EXPECT_LT(body.mass_kg * motion.acceleration_world_m_s2.norm(), 1e-12 * weight);
      if (first + second > 0.0) continue;
      EXPECT_TRUE(transition->limit_directions.empty());
      // Nothing along the line may be added.
      EXPECT_EQ(transition->least_line_force_n, transition->largest_line_force_n);
      for (size_t i = 0; i < 2; ++i) {
        const Vec3& force = motion.contact_forces_world_n[i];
        EXPECT_LT(force.cross(body.contacts[i].normal_world).norm(), 1e-14 * weight);
      }
    }
  }
}

// No force but that of weight and walls: ω̇ = M/J, and each point slips as that turns it. A point
// on the axis of turning does not slip.
TEST(SmallFriction, BallOnSmoothWallsSpinsUp) {
  using enum ContactPairState;
  const TroughBall ball;
  const double turn = ball.gravity_m_s2 / std::numbers::sqrt2 / ball.inertia_ratio;  // r ω̇ over m
  const std::pair<Vec3, ContactPairState> cases[] = {
      {Vec3(0.1, 0.0, 0.0), kSlipRoll},     {Vec3(-0.1, 0.0, 0.0), kSlipRoll},
      {Vec3(0.0, 1e-9, 0.0), kRollSlip},    {Vec3(0.0, 0.0, 0.1), kSlipSlip},
      {Vec3(0.1, 0.1, 0.0), kSlipSlip},     {Vec3(0.1, -1e-6, 0.0), kSlipSlip},
      {Vec3(1e-12, 2e-12, 0.0), kSlipSlip}, {Vec3(0.3, -0.2, 0.1), kSlipSlip}};
  for (const auto& [load, state] : cases) {
    const auto transition = AnalyzeRollingTransition(TroughBodyOf(0.0, 0.0, load));
    ASSERT_THAT(StatesOf(*transition), ElementsAre(state)) << load.transpose();
    EXPECT_FALSE(transition->rolling_statically_possible);
    ASSERT_EQ(transition->motions.size(), 1u);
    const PairMotion& motion = transition->motions[0];
    const Vec3 first = turn * Vec3(load.z(), 0.0, -load.x());
    const Vec3 second = turn * Vec3(0.0, -load.z(), load.y());
    // Rounding of the ball's weight.
    EXPECT_LT((motion.slip_accelerations_world_m_s2[0] - first).norm(), 1e-13);
    EXPECT_LT((motion.slip_accelerations_world_m_s2[1] - second).norm(), 1e-13);
    const Vec3 fall = -ball.gravity_m_s2 / std::numbers::sqrt2 * Vec3(1.0, 1.0, 0.0);
    const double scale = std::max((fall + first).norm(), (fall + second).norm());
    EXPECT_NEAR(motion.growth, std::hypot(first.norm(), second.norm()) / scale, 1e-14);
    EXPECT_LT(motion.acceleration_world_m_s2.norm(), 1e-13);
  }
}

// Only the second wall has friction. It may hold μ of torque about z, with no help from the first
// wall; of torque about y it takes m_y / (1 + j) and rolls along the trough, the first point
// slipping; torque about x it does not feel.
TEST(SmallFriction, BallOnOneSmoothWall) {
  using enum ContactPairState;
  const TroughBall ball;
  const double mu = 0.3;
  const double most = mu * (1.0 + ball.inertia_ratio);
  const auto states = [&](const Vec3& load) { return StatesUnder(0.0, mu, load); };
  for (const double sign : {1.0, -1.0}) {
    EXPECT_THAT(states(Vec3(0.0, 0.0, sign * 0.999 * mu)), ElementsAre(kRollRoll));
    EXPECT_THAT(states(Vec3(0.0, 0.0, sign * 1.001 * mu)), ElementsAre(kSlipSlip));
    EXPECT_THAT(states(Vec3(sign * 0.1, 0.0, 0.0)), ElementsAre(kSlipRoll));
    EXPECT_THAT(states(Vec3(0.0, sign * 0.999 * most, 0.0)), ElementsAre(kSlipRoll));
    EXPECT_THAT(states(Vec3(0.0, sign * 1.001 * most, 0.0)), ElementsAre(kSlipSlip));
    // The same with the walls exchanged, which is a mirror image: torques change their signs.
    EXPECT_THAT(StatesUnder(mu, 0.0, Vec3(0.0, 0.0, sign * 0.999 * mu)), ElementsAre(kRollRoll));
    EXPECT_THAT(StatesUnder(mu, 0.0, Vec3(0.0, sign * 0.1, 0.0)), ElementsAre(kRollSlip));
    EXPECT_THAT(StatesUnder(mu, 0.0, Vec3(sign * 1.001 * most, 0.0, 0.0)), ElementsAre(kSlipSlip));
  }
  const auto rolling = AnalyzeRollingTransition(TroughBodyOf(0.0, mu, Vec3(0.0, 0.5 * most, 0.0)));
  EXPECT_NEAR(rolling->motions[0].acceleration_world_m_s2.z(),
              -0.5 * mu * ball.gravity_m_s2 / std::numbers::sqrt2, 1e-13);
}

// The unloaded ball: slipping dies out, along z at both walls alike at −(2 + 1/j) μ or against each
// other at −μ/j, and across, turning about z, at −2μ / (j (1 + μ²)); the two signs of each. Across
// μ_c² = (1/j − 2) / (1/j + 2), 1/3² for j = 2/5, where the last one's equations become singular,
// two more come off each of it. At μ = 1 turning about z lifts the ball off a wall.
TEST(SmallFriction, LimitDirectionsAtRestAreThoseOfTheClosedForm) {
  const double j = TroughBall{}.inertia_ratio;
  for (const auto& [mu, count] : {std::pair{1.0, 8},
                                  {0.99, 10},
                                  {0.6, 10},
                                  {0.34, 10},
                                  {0.33, 6},
                                  {0.3, 6},
                                  {0.1, 6},
                                  {1e-2, 6},
                                  {1e-3, 6},
                                  {1e-4, 6},
                                  {1e-6, 6},
                                  {1e-9, 6},
                                  {1e-12, 6},
                                  {1e-14, 6}}) {
    const auto transition = AnalyzeRollingTransition(TroughBodyOf(mu, mu, Vec3::Zero()));
    ASSERT_EQ(transition->limit_directions.size(), static_cast<size_t>(count)) << mu;
    int met[3] = {};
    const double growths[3] = {-(2.0 + 1.0 / j) * mu, -mu / j, -2.0 * mu / (j * (1.0 + mu * mu))};
    for (const LimitDirection& direction : transition->limit_directions) {
      EXPECT_TRUE(direction.attracting && !direction.repelling) << mu;
      for (int kind = 0; kind < 3; ++kind) {
        // Near μ_c the two that come off are near.
        met[kind] += std::abs(direction.motion.growth - growths[kind]) < 1e-9 * mu;
      }
    }
    // At μ = 1 the last two are one number.
    EXPECT_THAT(met, ElementsAre(2, 2, 2)) << mu;
  }
}

// Loads in proportion to μ: what they lead to does not depend on it, but for the second order.
TEST(SmallFriction, StatesAreThoseOfTheClosedFormDownToNothing) {
  using enum ContactPairState;
  TroughBall ball;
  const double j = ball.inertia_ratio;
  for (double mu = 0.1; mu > 0.5e-12; mu *= 0.1) {
    ball.sliding_friction = mu;
    const auto expect = [&](double first, double second, double m_z, ContactPairState state) {
      const Vec3 load = FindTroughLoad(j, {first * mu, second * mu}, m_z * mu);
      ASSERT_EQ(ClassifyTroughLoad(ball, load), state);
      const auto transition = AnalyzeRollingTransition(MakeTroughBody(ball, load));
      EXPECT_THAT(StatesOf(*transition), ElementsAre(state)) << mu << ": " << load.transpose();
      EXPECT_LE(transition->limit_directions.size(), 6u);
    };
    expect(0.5, -0.3, 0.2, kRollRoll);
    expect(0.8, 0.8, 0.1, kRollRoll);
    expect(1.5, 0.3, 0.2, kSlipRoll);
    expect(-0.3, 1.5, 0.2, kRollSlip);
    expect(1.5, -1.5, 0.2, kSlipSlip);
    expect(0.2, 0.1, 2.5, kSlipSlip);
  }
}

// Just beyond the loads that statics has forces for, growth is less than what counts as repelling,
// and is the answer all the same.
TEST(SmallFriction, NoLoadBesideTheBoundaryIsWithoutAnAnswer) {
  using enum ContactPairState;
  TroughBall ball;
  for (const double mu : {1e-3, 0.1, 0.3, 0.6}) {
    ball.sliding_friction = mu;
    const double tip = FindTroughMarks(mu, 1.0).m_z3;
    for (double beyond = 1e-2; beyond > 0.5e-10; beyond *= 0.1) {
      const Vec3 load(0.0, 0.0, tip * (1.0 + beyond));
      EXPECT_THAT(StatesUnder(mu, mu, load), ElementsAre(kSlipSlip)) << mu << " " << beyond;
      EXPECT_THAT(StatesUnder(mu, mu, Vec3(0.0, 0.0, tip * (1.0 - beyond))), ElementsAre(kRollRoll))
          << mu << " " << beyond;
    }
  }
}

}  // namespace
}  // namespace talus
