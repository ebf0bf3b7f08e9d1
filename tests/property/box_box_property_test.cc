// Contacts of two boxes in random poses against brute force, and the symmetries that any contact
// has.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "solver/collision/box_box.h"
#include "tests/support/box_oracle.h"
#include "tests/support/contact_checks.h"
#include "tests/support/random_poses.h"

namespace talus {
namespace {

using testing::FindContactsOf;
using testing::LeastGap;
using testing::PointsOf;
using testing::ToOrientedBox;

constexpr uint64_t kBoxBoxSeed = 777;
constexpr int kTrials = 5000;

struct BoxPair {
  ShapeProxy a;
  ShapeProxy b;

  double Scale() const {
    return std::min(ToOrientedBox(a).half.minCoeff(), ToOrientedBox(b).half.minCoeff());
  }
};

// Two boxes of different sizes that are close to touching, in one of several arrangements: anyhow,
// nearly aligned, or resting flat.
BoxPair RandomPair(Random& random) {
  const Box box_a = testing::RandomBox(random, 0.3, 2.0);
  const Box box_b = testing::RandomBox(random, 0.1, 1.0);
  BoxPair pair{{box_a, {}}, {box_b, {}}};
  Pose& pose = pair.b.pose_world;
  const uint64_t arrangement = random.Next() % 4;
  if (arrangement == 0) pose.orientation = testing::RandomRotation(random);
  if (arrangement == 1) pose.orientation = ExpRotation(testing::RandomVector(random, 1e-4));
  if (arrangement == 2) pose.orientation = ExpRotation(Vec3(0, 0, random.Uniform(-3, 3)));
  if (arrangement == 3) {
    pose.orientation = ExpRotation(testing::RandomVector(random, 1e-2)) *
                       ExpRotation(Vec3(0, 0, random.Uniform(-3, 3)));
  }
  // From well apart along a random direction towards the other, to a little above or below contact.
  const Vec3 direction = testing::RandomDirection(random);
  double low = 0.0;
  double high = 8.0;
  for (int i = 0; i < 30; ++i) {
    const double middle = 0.5 * (low + high);
    pose.position = middle * direction;
    (testing::BoxesOverlap(ToOrientedBox(pair.a), ToOrientedBox(pair.b)) ? low : high) = middle;
  }
  pose.position = (high + random.Uniform(-0.1, 0.15)) * direction;
  return pair;
}

BoxPair Moved(const BoxPair& pair, const Pose& move) {
  return {{pair.a.geometry, move * pair.a.pose_world}, {pair.b.geometry, move * pair.b.pose_world}};
}

TEST(BoxBoxProperty, GapOfSeparateBoxesIsTheirDistance) {
  std::cout << "seed " << kBoxBoxSeed << '\n';
  Random random(kBoxBoxSeed);
  constexpr double kMargin = 0.1;
  int contacts = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(trial);
    const BoxPair pair = RandomPair(random);
    const OrientedBox a = ToOrientedBox(pair.a);
    const OrientedBox b = ToOrientedBox(pair.b);
    if (testing::BoxesOverlap(a, b)) continue;
    const double distance = testing::BoxDistance(a, b);
    const ContactManifold manifold = FindContactsOf(pair.a, pair.b, kMargin);
    testing::ExpectSound(manifold, kMargin);
    ASSERT_EQ(manifold.count > 0, distance <= kMargin) << distance;
    if (manifold.count == 0) continue;
    ++contacts;
    // Faces are preferred to closest points by 2 % of the distance and 1e-3 of the smaller box.
    const double slack = 0.02 * distance + 1.1e-3 * pair.Scale();
    EXPECT_LE(LeastGap(manifold), distance + slack);
    EXPECT_GE(LeastGap(manifold), distance - slack);
    // Each point is midway between the surfaces.
    for (const ContactPoint& point : PointsOf(manifold)) {
      EXPECT_LE(testing::PointDistance(point.point - 0.5 * point.gap * point.normal, a), slack);
      EXPECT_LE(testing::PointDistance(point.point + 0.5 * point.gap * point.normal, b), slack);
    }
  }
  EXPECT_GT(contacts, kTrials / 10);
}

TEST(BoxBoxProperty, OverlapIsUndoneAlongTheNormal) {
  std::cout << "seed " << kBoxBoxSeed + 1 << '\n';
  Random random(kBoxBoxSeed + 1);
  int overlaps = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(trial);
    const BoxPair pair = RandomPair(random);
    const OrientedBox a = ToOrientedBox(pair.a);
    const OrientedBox b = ToOrientedBox(pair.b);
    if (!testing::BoxesOverlap(a, b)) continue;
    ++overlaps;
    const ContactManifold manifold = FindContactsOf(pair.a, pair.b, 0.02);
    testing::ExpectSound(manifold, 0.02);
    ASSERT_GE(manifold.count, 1);
    // No direction parts them with a shorter way.
    const double depth = testing::OverlapAlong(a, b, manifold.points[0].normal);
    const double slack = 1.2e-3 * pair.Scale();
    for (int i = 0; i < 50; ++i) {
      ASSERT_LE(depth, testing::OverlapAlong(a, b, testing::RandomDirection(random)) + slack);
    }
    EXPECT_GE(LeastGap(manifold), -depth - 1e-12);
    for (const ContactPoint& point : PointsOf(manifold)) {
      const double reach = 0.5 * std::abs(point.gap) + slack;
      EXPECT_LE(testing::PointDistance(point.point, a), reach);
      EXPECT_LE(testing::PointDistance(point.point, b), reach);
    }
  }
  EXPECT_GT(overlaps, kTrials / 10);
}

TEST(BoxBoxProperty, MovesWithTheBoxes) {
  std::cout << "seed " << kBoxBoxSeed + 2 << '\n';
  Random random(kBoxBoxSeed + 2);
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(trial);
    const BoxPair pair = RandomPair(random);
    const Pose move = testing::RandomPose(random, 10.0);
    const BoxPair moved = Moved(pair, move);
    testing::ExpectMoved(FindContactsOf(pair.a, pair.b, 0.1), FindContactsOf(moved.a, moved.b, 0.1),
                         move, 1e-11);
    if (HasFatalFailure()) return;
  }
}

// The answer may differ by the stated preference for the faces of a, never in kind.
TEST(BoxBoxProperty, ExchangingTheBoxesTurnsTheNormal) {
  std::cout << "seed " << kBoxBoxSeed + 3 << '\n';
  Random random(kBoxBoxSeed + 3);
  int identical = 0;
  int contacts = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(trial);
    const BoxPair pair = RandomPair(random);
    const ContactManifold one = FindContactsOf(pair.a, pair.b, 0.1);
    const ContactManifold other = FindContactsOf(pair.b, pair.a, 0.1);
    ASSERT_EQ(one.count > 0, other.count > 0);
    if (one.count == 0) continue;
    ++contacts;
    const double slack = 0.02 * std::abs(LeastGap(one)) + 2.2e-3 * pair.Scale();
    EXPECT_NEAR(LeastGap(one), LeastGap(other), slack);
    std::map<uint32_t, ContactPoint> points;
    for (const ContactPoint& point : PointsOf(one)) points[point.feature] = point;
    bool same = one.count == other.count;
    for (const ContactPoint& point : PointsOf(other)) {
      const auto found = points.find(BoxPairFeature(point.feature >> 6, point.feature & 0x3Fu));
      same = same && found != points.end() && (found->second.point - point.point).norm() < 1e-11 &&
             (found->second.normal + point.normal).norm() < 1e-11;
    }
    identical += same ? 1 : 0;
  }
  EXPECT_GT(identical, contacts * 4 / 5) << "of " << contacts;
}

// The contacts of two boxes lying on each other span the whole area they share.
TEST(BoxBoxProperty, FlatContactsSpanTheOverlapOfTheFaces) {
  std::cout << "seed " << kBoxBoxSeed + 4 << '\n';
  Random random(kBoxBoxSeed + 4);
  constexpr double kMargin = 0.01;
  for (int trial = 0; trial < kTrials / 4; ++trial) {
    SCOPED_TRACE(trial);
    const Box box_a = testing::RandomBox(random, 0.5, 2.0);
    const Box box_b = testing::RandomBox(random, 0.5, 2.0);
    const Vec3 shift(
        random.Uniform(-1, 1), random.Uniform(-1, 1),
        box_a.half_extents_m.z() + box_b.half_extents_m.z() + random.Uniform(-1e-3, 1e-3));
    const Pose pose_b{shift, ExpRotation(testing::RandomVector(random, 1e-6)) *
                                 ExpRotation(Vec3(0, 0, random.Uniform(-3, 3)))};
    const ShapeProxy a{box_a, {}};
    const ShapeProxy b{box_b, pose_b};
    if (!testing::BoxesOverlap(
            ToOrientedBox(a),
            ToOrientedBox({box_b, {shift - Vec3(0, 0, 0.01), pose_b.orientation}}))) {
      continue;
    }
    const ContactManifold manifold = FindContactsOf(a, b, kMargin);
    testing::ExpectSound(manifold, kMargin);
    // No sampled point of the shared area lies outside the hull: in no direction beyond the
    // furthest contact.
    for (int sample = 0; sample < 200; ++sample) {
      const Vec3 point(random.Uniform(-1, 1) * box_a.half_extents_m.x(),
                       random.Uniform(-1, 1) * box_a.half_extents_m.y(), 0.0);
      const Vec3 in_b = pose_b.InverseTransform(point + Vec3(0, 0, box_a.half_extents_m.z()));
      if ((in_b.cwiseAbs() - box_b.half_extents_m).head<2>().maxCoeff() > 0.0) continue;
      ASSERT_GE(manifold.count, 3);
      for (int turn = 0; turn < 16; ++turn) {
        const Vec3 direction(std::cos(turn * M_PI / 8), std::sin(turn * M_PI / 8), 0.0);
        double reach = -1e9;
        for (const ContactPoint& contact : PointsOf(manifold)) {
          reach = std::max(reach, direction.dot(contact.point));
        }
        ASSERT_LE(direction.dot(point), reach + 2e-3);
      }
    }
  }
}

}  // namespace
}  // namespace talus
