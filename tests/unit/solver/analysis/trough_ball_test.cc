// The closed form of the ball in a trough against itself (faces meet where the marks say) and
// against the general analysis, for μ = 0.1, 0.3, 0.6.
#include "solver/analysis/trough_ball.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

#include "solver/base/random.h"
#include "tests/support/two_point_bodies.h"

namespace talus {
namespace {

class TroughBallTest : public ::testing::TestWithParam<double> {
 protected:
  TroughBallTest() { ball_.sliding_friction = GetParam(); }

  bool Rolls(const Vec3& load) const {
    return AnalyzeRollingTransition(MakeTroughBody(ball_, load))
        ->IsRealizable(ContactPairState::kRollRoll);
  }
  Vec3 LoadAt(const TroughDemand& demand, double m_z) const {
    return FindTroughLoad(ball_.inertia_ratio, demand, m_z);
  }

  TroughBall ball_;
};

TEST_P(TroughBallTest, DemandAndLoadAreInverse) {
  Random random(1);
  for (int i = 0; i < 10; ++i) {
    const Vec3 load = testing::RandomVector(random);
    const TroughDemand demand = FindTroughDemand(ball_.inertia_ratio, load);
    EXPECT_LT((LoadAt(demand, load.z()) - load).norm(), 1e-15);
  }
}

// The general analysis finds the outline of the closed form: all three kinds of faces, at heights
// in each of the ranges that the marks bound. A part of 10⁻⁶ beyond, slipping grows at 10⁻⁷ and
// more, of which the threshold of 10⁻⁹ is no part worth counting.
TEST_P(TroughBallTest, OutlineIsWhereTheGeneralAnalysisSaysSlippingStarts) {
  const double mu = ball_.sliding_friction;
  const TroughMarks marks = FindTroughMarks(mu, 1.0);
  for (const double m_z : {0.5 * marks.m_z1, 0.5 * (marks.m_z1 + mu), 0.5 * (mu + marks.m_z2),
                           0.5 * (marks.m_z2 + marks.m_z3)}) {
    const TroughOutline outline = FindTroughOutline(mu, m_z, TroughBody::kLimitDirections);
    const TroughDemand on_curve =
        FindSlipSlipPoint(mu, m_z, 0.4 * outline.q_start + 0.6 * outline.q_end);
    const TroughDemand on_top = {0.5 * outline.top.first, outline.top.second};
    const TroughDemand on_side = {outline.side.first, 0.5 * outline.side.second};
    for (const TroughDemand& demand : {on_curve, on_top, on_side}) {
      const Vec3 load = LoadAt({demand.first, -demand.second}, m_z);
      const Vec3 mirrored = LoadAt({demand.second, -demand.first}, -m_z);
      for (const Vec3& boundary : {load, mirrored}) {
        EXPECT_TRUE(Rolls((1.0 - 1e-6) * boundary)) << boundary.transpose();
        EXPECT_FALSE(Rolls((1.0 + 1e-6) * boundary)) << boundary.transpose();
      }
    }
  }
}

TEST_P(TroughBallTest, MarksAreWhereFacesMeet) {
  const double mu = ball_.sliding_friction;
  const TroughMarks marks = FindTroughMarks(mu, ball_.gravity_m_s2);
  // m_z1: the corner of the planes lies on the SS surface.
  const double m_z1 = marks.m_z1;
  EXPECT_NEAR(SlipSlipSurface(mu, {mu * (1.0 - m_z1), mu * (1.0 + m_z1)}, m_z1), 0.0, 1e-9);
  // m_z2: so does the SR plane's middle, B = 0.
  EXPECT_NEAR(SlipSlipSurface(mu, {mu * (1.0 - marks.m_z2), 0.0}, marks.m_z2), 0.0, 1e-9);
  // m_z3: and the axis.
  EXPECT_NEAR(SlipSlipSurface(mu, {0.0, 0.0}, marks.m_z3), 0.0, 1e-9);
  EXPECT_LT(m_z1, mu);
  EXPECT_LT(mu, marks.m_z2);
  EXPECT_LT(marks.m_z2, marks.m_z3);
  // The general analysis: the ball rolls under a pure torque about z just up to m_z3.
  EXPECT_TRUE(Rolls(Vec3(0.0, 0.0, marks.m_z3 - 1e-7)));
  EXPECT_FALSE(Rolls(Vec3(0.0, 0.0, marks.m_z3 + 1e-7)));
  // The edge: m_x = k − μ m_z, m_y = −k − μ m_z. Its acceleration is that of every point on it.
  const double k = mu * (1.0 + 2.0 * ball_.inertia_ratio);
  for (const double m_z : {-m_z1, 0.0, 0.5 * m_z1, m_z1}) {
    const Vec3 edge(k - mu * m_z, -k - mu * m_z, m_z);
    EXPECT_NEAR(FindRollingAcceleration(ball_, edge), marks.edge_acceleration_m_s2, 1e-12);
    EXPECT_NEAR(marks.edge_acceleration_m_s2, std::numbers::sqrt2 * mu * ball_.gravity_m_s2, 1e-15);
  }
}

// Over a fine net of either body, no acceleration is beyond what the marks say, and one comes
// within the square of the net's width of it.
TEST_P(TroughBallTest, LargestAccelerationsAreThoseOfTheMarks) {
  const double mu = ball_.sliding_friction;
  const TroughMarks marks = FindTroughMarks(mu, ball_.gravity_m_s2);
  for (const TroughBody body : {TroughBody::kLimitDirections, TroughBody::kAllFaces}) {
    double largest = 0.0;
    for (int i = 0; i <= 1000; ++i) {
      const double m_z = marks.m_z3 * i / 1000.0;
      const TroughOutline outline = FindTroughOutline(mu, m_z, body);
      for (int n = 0; n <= 100; ++n) {
        const double q = outline.q_start + (outline.q_end - outline.q_start) * n / 100.0;
        const TroughDemand curve = n == 0 ? outline.top : FindSlipSlipPoint(mu, m_z, q);
        const Vec3 load = LoadAt({curve.first, -curve.second}, m_z);
        if (outline.q_start != outline.q_end || n == 0) {
          largest = std::max(largest, FindRollingAcceleration(ball_, load));
        }
      }
    }
    const double expected = body == TroughBody::kAllFaces ? marks.edge_acceleration_m_s2
                                                          : marks.largest_acceleration_m_s2;
    EXPECT_LE(largest, expected * (1.0 + 1e-12));
    EXPECT_GT(largest, expected * (1.0 - 1e-5));
  }
}

TEST_P(TroughBallTest, AccelerationInsideIsThatOfTheGeneralAnalysis) {
  const Vec3 load = 0.4 * GetParam() * Vec3(1.0, -0.7, 0.3);
  const auto transition = AnalyzeRollingTransition(MakeTroughBody(ball_, load));
  ASSERT_TRUE(transition->IsRealizable(ContactPairState::kRollRoll));
  const Vec3 expected(0.0, 0.0, FindRollingAcceleration(ball_, load));
  EXPECT_LT((transition->motions[0].acceleration_world_m_s2 - expected).norm(), 1e-13);
}

// The bulge between the SR plane and the SS surface: beyond the plane, and yet the ball rolls,
// under limit directions as under smooth friction.
TEST_P(TroughBallTest, BallRollsInTheBulgeBeyondThePlanes) {
  const double mu = ball_.sliding_friction;
  const double m_z = 0.5 * (FindTroughMarks(mu, 1.0).m_z1 + mu);
  const TroughOutline planes = FindTroughOutline(mu, m_z, TroughBody::kAllFaces);
  // In the middle between the two places where the curve meets the plane.
  TroughDemand demand = FindSlipSlipPoint(mu, m_z, 0.5 * planes.q_end);
  ASSERT_GT(demand.first, mu * (1.0 - m_z));
  demand.first = 0.1 * demand.first + 0.9 * mu * (1.0 - m_z);
  const Vec3 load = LoadAt(demand, m_z);
  EXPECT_EQ(ClassifyTroughLoad(ball_, load), ContactPairState::kRollRoll);
  EXPECT_TRUE(Rolls(load));
  // The bulge is about μ²/2 thick, so that smooth friction holds the ball where its slope is μ³ of
  // the steepest one, and the time it takes grows: the rates of slip must be nothing in the end,
  // where beyond the surface they stay at that part of the load.
  const double duration = 2000.0 / (mu * mu);
  const auto outcome = testing::RegularizedPair(MakeTroughBody(ball_, load)).Run(duration);
  EXPECT_LT(std::abs(outcome.rates[0]), 1e-9);
  EXPECT_LT(std::abs(outcome.rates[1]), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Frictions, TroughBallTest, ::testing::Values(0.1, 0.3, 0.6));

TEST(TroughBall, ClosedFormAgreesWithTheGeneralAnalysis) {
  const uint64_t seed = 41;
  SCOPED_TRACE(seed);
  Random random(seed);
  int counts[kContactPairStates] = {};
  for (int found = 0; found < 100;) {
    const testing::LoadedBall loaded = testing::RandomBallInTrough(random);
    const auto state = testing::FindClearState(loaded);
    if (!state.has_value()) continue;
    ++found;
    ++counts[static_cast<size_t>(*state)];
    EXPECT_EQ(ClassifyTroughLoad(loaded.ball, loaded.load), *state)
        << "mu " << loaded.ball.sliding_friction << " load " << loaded.load.transpose();
  }
  for (const int count : counts) EXPECT_GT(count, 0);
}

TEST(TroughBall, RefusesWhatIsNoBall) {
  const auto message = [](auto change) {
    TroughBall ball;
    change(ball);
    return std::string(ValidateTroughBall(ball).message());
  };
  EXPECT_EQ(message([](TroughBall&) {}), "");
  EXPECT_EQ(message([](TroughBall& ball) { ball.sliding_friction = 0.0; }),
            "sliding_friction = 0 must lie within 1e-100 to 0.99999999");
  EXPECT_EQ(message([](TroughBall& ball) { ball.sliding_friction = 1.0 - 0.9e-8; }),
            "sliding_friction = 0.999999991 must lie within 1e-100 to 0.99999999");
  EXPECT_EQ(message([](TroughBall& ball) { ball.sliding_friction = std::nan(""); }),
            "sliding_friction = nan must lie within 1e-100 to 0.99999999");
  EXPECT_EQ(message([](TroughBall& ball) { ball.inertia_ratio = 0.0; }),
            "inertia_ratio = 0 must be > 0");
  EXPECT_THAT(message([](TroughBall& ball) { ball.inertia_ratio = 0.7; }),
              ::testing::StartsWith("inertia_ratio = 0.7 must lie within 0 to"));
  EXPECT_THAT(message([](TroughBall& ball) { ball.mass_kg = -1.0; }),
              ::testing::StartsWith("mass_kg = -1 must lie within"));
  EXPECT_THAT(message([](TroughBall& ball) { ball.radius_m = 0.0; }),
              ::testing::StartsWith("radius_m = 0 must lie within"));
  EXPECT_THAT(message([](TroughBall& ball) { ball.gravity_m_s2 = 0.0; }),
              ::testing::StartsWith("gravity_m_s2 = 0 must lie within"));
}

}  // namespace
}  // namespace talus
