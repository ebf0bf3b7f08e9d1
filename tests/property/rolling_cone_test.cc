// Moreau's conditions of the joint cone projection: for p = Π(x) and the rest r = x − p,
//   p ∈ Z,   −r ∈ Z* (r in the polar cone),   p · r = 0,
// which characterise the nearest point of a closed convex cone. A projection of one cone after the
// other fails them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "solver/base/random.h"
#include "solver/contact/kernels/block_kernels.h"
#include "tests/support/scalar_contact.h"

namespace talus {
namespace {

using testing::RollingCone;

constexpr uint64_t kRollingConeSeed = 20131119;
constexpr int kSamples = 100000;

// By the kernel, in the metric of `weight`; the other lanes hold something else.
Wrench Project(const RollingCone& cone, const Wrench& x, const Wrench& weight = Wrench::Ones()) {
  ContactBlock block{};
  WideBlock wide{};
  WrenchBlock impulse{};
  for (size_t lane = 0; lane < kLanes; ++lane) {
    block.friction[kSliding - kSliding][lane] = cone.sliding + 0.1 * static_cast<double>(lane);
    block.friction[kRolling - kSliding][lane] = cone.rolling;
    block.friction[kSpinning - kSliding][lane] = cone.spinning;
    for (int row = 0; row < 6; ++row) wide.weight.part[kPartOfRow[row]][lane] = weight[row];
    impulse.Set(lane, x);
  }
  ProjectImpulses({{&block, &wide, nullptr}, {}}, {0, 1, {}}, 0.0, nullptr, nullptr, &impulse);
  return impulse.Get(0);
}

double SlidingLength(const Wrench& x) { return std::hypot(x[1], x[2]); }
double RollingLength(const Wrench& x) { return std::hypot(x[4], x[5]); }

// The largest violation of the three conditions, relative to ‖x‖ (and to the coefficients where
// they scale a row).
double MoreauViolation(const RollingCone& cone, const Wrench& x, const Wrench& p) {
  const Wrench r = x - p;
  const double size = std::max(x.norm(), 1e-300);
  const double scale = std::max({1.0, cone.sliding, cone.rolling, cone.spinning});
  const double primal =
      std::max({SlidingLength(p) - cone.sliding * p[0], RollingLength(p) - cone.rolling * p[0],
                std::abs(p[3]) - cone.spinning * p[0], -p[0]});
  const double dual = r[0] + cone.sliding * SlidingLength(r) + cone.rolling * RollingLength(r) +
                      cone.spinning * std::abs(r[3]);
  return std::max(
      {primal / (size * scale), dual / (size * scale), std::abs(p.dot(r)) / (size * size)});
}

double RandomCoefficient(Random& random) {
  switch (random.Next() % 5) {
    case 0:
      return 0.0;
    case 1:
      return 1e6;
    case 2:
      return std::pow(10.0, random.Uniform(-8.0, 8.0));
    default:
      return random.Uniform(0.0, 2.0);
  }
}

Wrench RandomWrench(Random& random) {
  Wrench x;
  const double size = std::pow(10.0, random.Uniform(-3.0, 3.0));
  for (int i = 0; i < 6; ++i) {
    x[i] = random.Next() % 8 == 0 ? 0.0 : size * random.Uniform(-1.0, 1.0);
  }
  return x;
}

// What a widely used engine does: each cone on its own, in turn, with γ_n raised by each.
Wrench ProjectInTurn(const RollingCone& cone, Wrench x) {
  const std::array<std::pair<double, std::pair<int, int>>, 3> parts = {
      {{cone.sliding, {1, 2}}, {cone.rolling, {4, 5}}, {cone.spinning, {3, 3}}}};
  for (const auto& [m, rows] : parts) {
    const double length = rows.first == rows.second ? std::abs(x[rows.first])
                                                    : std::hypot(x[rows.first], x[rows.second]);
    if (length <= m * x[0]) continue;
    const double y = std::max(0.0, (x[0] + m * length) / (1.0 + m * m));
    const double shrink = length > 0.0 ? m * y / length : 0.0;
    x[0] = y;
    x[rows.first] *= shrink;
    if (rows.second != rows.first) x[rows.second] *= shrink;
  }
  return x;
}

TEST(RollingConeProperty, ProjectionSatisfiesMoreauConditions) {
  SCOPED_TRACE(::testing::Message() << "seed " << kRollingConeSeed);
  Random random(kRollingConeSeed);
  double worst = 0.0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const RollingCone cone{RandomCoefficient(random), RandomCoefficient(random),
                           RandomCoefficient(random)};
    const Wrench x = RandomWrench(random);
    const double violation = MoreauViolation(cone, x, Project(cone, x));
    worst = std::max(worst, violation);
    ASSERT_LE(violation, 1e-12) << "sample " << sample << " cone " << cone.sliding << " "
                                << cone.rolling << " " << cone.spinning << " x " << x.transpose();
  }
  RecordProperty("worst_violation", std::to_string(worst));
}

// Scaled by the roots of the weights the metric is Euclidean, and the cone another one.
TEST(RollingConeProperty, ProjectionSatisfiesMoreauConditionsInAnyMetric) {
  Random random(kRollingConeSeed + 3);
  for (int sample = 0; sample < kSamples; ++sample) {
    const RollingCone cone{random.Uniform(), 0.01 * random.Uniform(), 0.01 * random.Uniform()};
    std::array<double, kPartCount> part_weight;
    for (double& weight : part_weight) weight = std::pow(10.0, random.Uniform(-3.0, 3.0));
    Wrench weight;
    for (int row = 0; row < 6; ++row) weight[row] = part_weight[kPartOfRow[row]];
    const Wrench x = RandomWrench(random);
    const Wrench scale = weight.cwiseSqrt();
    const RollingCone scaled{cone.sliding * scale[1] / scale[0], cone.rolling * scale[4] / scale[0],
                             cone.spinning * scale[3] / scale[0]};
    const Wrench p = Project(cone, x, weight);
    ASSERT_LE(MoreauViolation(scaled, x.cwiseProduct(scale), p.cwiseProduct(scale)), 1e-12)
        << "seed " << kRollingConeSeed + 3 << " sample " << sample << " x " << x.transpose()
        << " weight " << weight.transpose();
    // The oracle compares distances, which differ by the square of how far points are apart.
    const Wrench oracle = testing::ProjectInMetric(cone, weight, x);
    ASSERT_LE((p - oracle).cwiseProduct(scale).norm(), 1e-7 * x.cwiseProduct(scale).norm());
  }
}

TEST(RollingConeProperty, ProjectingInTurnFailsTheSameCheck) {
  Random random(kRollingConeSeed);
  int wrong = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const RollingCone cone{random.Uniform(0.05, 1.0), random.Uniform(0.05, 1.0),
                           random.Uniform(0.05, 1.0)};
    const Wrench x = RandomWrench(random);
    wrong += MoreauViolation(cone, x, ProjectInTurn(cone, x)) > 1e-6 ? 1 : 0;
  }
  // It is right where at most one part is outside its bound or everything is polar: well below half
  // of all points.
  EXPECT_GT(wrong, kSamples / 2) << "seed " << kRollingConeSeed;
}

TEST(RollingConeProperty, ProjectionIsIdempotentAndKeepsTheCone) {
  Random random(kRollingConeSeed + 1);
  for (int sample = 0; sample < kSamples / 10; ++sample) {
    const RollingCone cone{random.Uniform(), random.Uniform(), random.Uniform()};
    const Wrench p = Project(cone, RandomWrench(random));
    EXPECT_LE((Project(cone, p) - p).norm(), 1e-14 * std::max(1.0, p.norm()));
  }
}

TEST(RollingConeProperty, ProjectionNeverIncreasesDistances) {
  Random random(kRollingConeSeed + 2);
  for (int sample = 0; sample < kSamples / 10; ++sample) {
    const RollingCone cone{RandomCoefficient(random), RandomCoefficient(random),
                           RandomCoefficient(random)};
    const Wrench x = RandomWrench(random);
    const Wrench y = RandomWrench(random);
    EXPECT_LE((Project(cone, x) - Project(cone, y)).norm(), (x - y).norm() * (1.0 + 1e-12));
  }
}

TEST(RollingConeProperty, ZeroCoefficientsLeaveTheNormalAlone) {
  Wrench x;
  x << 2.0, 1.0, -1.0, 3.0, 4.0, 5.0;
  Wrench expected = Wrench::Zero();
  expected[0] = 2.0;
  EXPECT_EQ(Project({}, x), expected);
  x[0] = -2.0;
  EXPECT_EQ(Project({}, x), Wrench(Wrench::Zero()));
}

}  // namespace
}  // namespace talus
