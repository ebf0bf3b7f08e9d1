#include "solver/collision/box_box.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "solver/collision/oriented_box.h"
#include "tests/support/contact_checks.h"
#include "tests/support/random_poses.h"

namespace talus {
namespace {

using testing::ExpectSound;
using testing::FindContactsOf;
using testing::LeastGap;
using testing::PointsOf;

ShapeProxy TurnedBox(const Vec3& half, const Vec3& center, const Vec3& turn = Vec3::Zero()) {
  return {Box{half}, {center, ExpRotation(turn)}};
}

const ShapeProxy kCube = TurnedBox(Vec3::Ones(), Vec3::Zero());

std::set<uint32_t> FeaturesOf(const ContactManifold& manifold) {
  std::set<uint32_t> features;
  for (const ContactPoint& point : PointsOf(manifold)) features.insert(point.feature);
  return features;
}

// Extent of the contacts along `direction`.
double Extent(const ContactManifold& manifold, const Vec3& direction) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const ContactPoint& point : PointsOf(manifold)) {
    low = std::min(low, direction.dot(point.point));
    high = std::max(high, direction.dot(point.point));
  }
  return high - low;
}

TEST(BoxBox, AStackedCubeStandsOnFourCorners) {
  for (const double gap : {-0.01, -1e-9, 0.0, 1e-9, 1e-6, 0.001}) {
    const ContactManifold manifold =
        FindContactsOf(kCube, TurnedBox(Vec3::Ones(), Vec3(0, 0, 2 + gap)), 0.01);
    ExpectSound(manifold, 0.01);
    ASSERT_EQ(manifold.count, 4) << gap;
    for (const ContactPoint& point : PointsOf(manifold)) {
      EXPECT_NEAR(point.gap, gap, 1e-14);
      EXPECT_EQ(point.normal, Vec3::UnitZ());
      EXPECT_LT((point.point.cwiseAbs() - Vec3(1, 1, 1 + 0.5 * gap)).norm(), 1e-14);
    }
  }
}

TEST(BoxBox, AShiftedCubeTouchesWhereTheFacesOverlap) {
  const ContactManifold manifold =
      FindContactsOf(kCube, TurnedBox(Vec3::Ones(), Vec3(0.5, -1.2, 2.0)), 0.01);
  ASSERT_EQ(manifold.count, 4);
  for (const ContactPoint& point : PointsOf(manifold)) {
    EXPECT_NEAR(std::abs(point.point.x() - 0.25), 0.75, 1e-14);
    EXPECT_NEAR(std::abs(point.point.y() + 0.6), 0.4, 1e-14);
  }
}

TEST(BoxBox, ATurnedCubeTouchesInAnOctagon) {
  const ContactManifold manifold =
      FindContactsOf(kCube, TurnedBox(Vec3::Ones(), Vec3(0, 0, 2.0), Vec3(0, 0, M_PI / 4)), 0.01);
  ExpectSound(manifold, 0.01);
  ASSERT_EQ(manifold.count, 8);
  for (const ContactPoint& point : PointsOf(manifold)) {
    // A regular octagon with inner radius 1: its corners at distance 1 / cos 22.5 degrees.
    EXPECT_NEAR(point.point.head<2>().norm(), 1.0 / std::cos(M_PI / 8), 1e-14);
  }
}

TEST(BoxBox, CrossedBeamsTouchInTheirSquare) {
  const ShapeProxy lower = TurnedBox(Vec3(5, 0.5, 0.5), Vec3::Zero());
  for (const ShapeProxy& upper :
       {TurnedBox(Vec3(0.5, 5, 0.5), Vec3(0, 0, 1)),
        TurnedBox(Vec3(5, 0.5, 0.5), Vec3(0, 0, 1), Vec3(0, 0, M_PI / 2))}) {
    const ContactManifold manifold = FindContactsOf(lower, upper, 0.01);
    ExpectSound(manifold, 0.01);
    ASSERT_EQ(manifold.count, 4);
    for (const ContactPoint& point : PointsOf(manifold)) {
      EXPECT_LT((point.point.cwiseAbs() - Vec3(0.5, 0.5, 0.5)).norm(), 1e-12);
      EXPECT_NEAR(point.gap, 0.0, 1e-12);
    }
  }
}

TEST(BoxBox, ASmallBoxOnALargeOneAndUpsideDown) {
  const ShapeProxy floor = TurnedBox(Vec3(100, 100, 1), Vec3(0, 0, -1));
  const ShapeProxy small = TurnedBox(Vec3(0.01, 0.02, 0.03), Vec3(7, 8, 0.03));
  for (const bool swapped : {false, true}) {
    const ContactManifold manifold =
        swapped ? FindContactsOf(small, floor, 1e-3) : FindContactsOf(floor, small, 1e-3);
    ASSERT_EQ(manifold.count, 4);
    for (const ContactPoint& point : PointsOf(manifold)) {
      EXPECT_LT((point.normal - (swapped ? -1 : 1) * Vec3::UnitZ()).norm(), 1e-15);
      EXPECT_NEAR(point.gap, 0.0, 1e-14);
      EXPECT_NEAR(std::abs(point.point.x() - 7), 0.01, 1e-13);
      EXPECT_NEAR(std::abs(point.point.y() - 8), 0.02, 1e-13);
    }
  }
}

TEST(BoxBox, ACornerOnAFaceIsOneContact) {
  const Quat turn = Quat::FromTwoVectors(Vec3(1, 1, 1), Vec3(0, 0, -1));
  for (const double gap : {-0.02, 0.0, 0.02}) {
    const ShapeProxy tip{Box{Vec3::Ones()}, {Vec3(0.3, 0.2, 1 + std::sqrt(3.0) + gap), turn}};
    const ContactManifold manifold = FindContactsOf(kCube, tip, 0.05);
    ASSERT_EQ(manifold.count, 1) << gap;
    EXPECT_NEAR(manifold.points[0].gap, gap, 1e-14);
    EXPECT_LT((manifold.points[0].normal - Vec3::UnitZ()).norm(), 1e-14);
    EXPECT_LT((manifold.points[0].point - Vec3(0.3, 0.2, 1 + 0.5 * gap)).norm(), 1e-14);
    EXPECT_EQ(manifold.points[0].feature, BoxPairFeature(BoxFace(2, true), 0b010101u));
  }
}

TEST(BoxBox, CrossingEdgesAreOneContact) {
  // The upper edge of a, along y, and the lower edge of b, along x, both boxes standing on edge.
  for (const double gap : {-0.02, 0.02}) {
    const double height = 2.0 * std::sqrt(2.0) + gap;
    const ShapeProxy a = TurnedBox(Vec3::Ones(), Vec3::Zero(), Vec3(0, M_PI / 4, 0));
    const ShapeProxy b = TurnedBox(Vec3::Ones(), Vec3(0.2, 0.3, height), Vec3(M_PI / 4, 0, 0));
    const ContactManifold manifold = FindContactsOf(a, b, 0.05);
    ASSERT_EQ(manifold.count, 1) << gap;
    EXPECT_NEAR(manifold.points[0].gap, gap, 1e-14);
    EXPECT_LT((manifold.points[0].normal - Vec3::UnitZ()).norm(), 1e-14);
    EXPECT_LT((manifold.points[0].point - Vec3(0, 0.3, std::sqrt(2.0) + 0.5 * gap)).norm(), 1e-13);
  }
}

TEST(BoxBox, SeparateCornersAndEdgesKeepTheirDistance) {
  // Corner to corner.
  ContactManifold manifold =
      FindContactsOf(kCube, TurnedBox(Vec3::Ones(), Vec3(2.1, 2.1, 2.1)), 0.2);
  ASSERT_EQ(manifold.count, 1);
  EXPECT_NEAR(manifold.points[0].gap, 0.1 * std::sqrt(3.0), 1e-14);
  EXPECT_LT((manifold.points[0].normal - Vec3::Ones().normalized()).norm(), 1e-14);
  EXPECT_LT((manifold.points[0].point - Vec3::Constant(1.05)).norm(), 1e-14);
  EXPECT_EQ(manifold.points[0].feature, BoxPairFeature(0b010101u, 0b101010u));
  // Parallel edges: both ends of the part they share.
  manifold = FindContactsOf(kCube, TurnedBox(Vec3::Ones(), Vec3(2.03, 0.5, 2.04)), 0.2);
  ASSERT_EQ(manifold.count, 2);
  for (const ContactPoint& point : PointsOf(manifold)) {
    EXPECT_NEAR(point.gap, 0.05, 1e-14);
    EXPECT_LT((point.normal - Vec3(0.6, 0, 0.8)).norm(), 1e-12);
  }
  EXPECT_NEAR(Extent(manifold, Vec3::UnitY()), 1.5, 1e-14);
  // A distance above the margin, though no separating axis of the 15 shows it.
  EXPECT_EQ(FindContactsOf(kCube, TurnedBox(Vec3::Ones(), Vec3(2.1, 2.1, 2.1)), 0.15).count, 0);
}

TEST(BoxBox, ConcentricBoxesHaveAFixedNormal) {
  const ContactManifold manifold = FindContactsOf(kCube, kCube, 0.0);
  ASSERT_GE(manifold.count, 1);
  EXPECT_EQ(manifold.points[0].normal, Vec3::UnitX());
  EXPECT_NEAR(LeastGap(manifold), -2.0, 1e-15);
  EXPECT_GE(
      FindContactsOf(kCube, TurnedBox(Vec3(0.1, 0.2, 0.3), Vec3::Zero(), Vec3(1, 2, 3)), 0).count,
      1);
}

TEST(BoxBox, FarApartOrInvalidIsNoContact) {
  EXPECT_EQ(FindContactsOf(kCube, TurnedBox(Vec3::Ones(), Vec3(0, 0, 1e300)), 0.1).count, 0);
  EXPECT_EQ(FindContactsOf(kCube, TurnedBox(Vec3::Ones(), Vec3(1e308, -1e308, 0)), 0.1).count, 0);
  const Vec3 undefined = Vec3::Constant(std::nan(""));
  EXPECT_EQ(FindContactsOf(kCube, TurnedBox(Vec3::Ones(), undefined), 0.1).count, 0);
}

TEST(BoxBox, ThinPlatesStackToo) {
  const ShapeProxy plate = TurnedBox(Vec3(1, 1, 1e-3), Vec3::Zero());
  const ContactManifold manifold =
      FindContactsOf(plate, TurnedBox(Vec3(1, 1, 1e-3), Vec3(0.1, 0.1, 2e-3 - 1e-5)), 1e-4);
  ASSERT_EQ(manifold.count, 4);
  EXPECT_NEAR(LeastGap(manifold), -1e-5, 1e-15);
}

// A box at rest jitters: the contacts and their features must not.
TEST(BoxBox, FeaturesOfARestingBoxSurviveSmallMotion) {
  constexpr uint64_t kSeed = 61;
  Random random(kSeed);
  const struct {
    Vec3 half;
    Vec3 center;
    double yaw;
    size_t count;
  } cases[] = {
      {Vec3::Ones(), Vec3(0, 0, 2), 0.0, 4},         // aligned: edges on edges
      {Vec3::Ones(), Vec3(0.3, 0.4, 2), 0.2, 4},     // one corner of each sticks out of the other
      {Vec3(0.5, 0.4, 1), Vec3(0.1, 0, 2), 0.5, 4},  // inside
      {Vec3::Ones(), Vec3(0, 0, 2), M_PI / 4, 8},    // octagon
      {Vec3(3, 0.2, 1), Vec3(0, 0, 2), 0.1, 4},      // across
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.yaw);
    const auto at = [&](double motion) {
      const Vec3 shift = testing::RandomVector(random, motion);
      const Vec3 tilt = testing::RandomVector(random, motion);
      return ShapeProxy{Box{c.half},
                        {c.center + shift, ExpRotation(tilt) * ExpRotation(Vec3(0, 0, c.yaw))}};
    };
    const std::set<uint32_t> expected = FeaturesOf(FindContactsOf(kCube, at(0.0), 0.01));
    EXPECT_EQ(expected.size(), c.count);
    for (int trial = 0; trial < 200; ++trial) {
      const ContactManifold manifold = FindContactsOf(kCube, at(1e-5), 0.01);
      ExpectSound(manifold, 0.01);
      EXPECT_EQ(FeaturesOf(manifold), expected) << "seed " << kSeed << " trial " << trial;
    }
  }
}

// Where the algorithm changes (which box has the reference face, which of two faces is opposite),
// the names do not.
TEST(BoxBox, FeaturesDoNotDependOnTheReferenceFace) {
  const double tilt = 5e-3;  // far more than the preference for the faces of a
  const ShapeProxy turned = TurnedBox(Vec3::Ones(), Vec3(0.3, 0.4, 2), Vec3(tilt, 0, 0.5));
  const std::set<uint32_t> expected = FeaturesOf(
      FindContactsOf(kCube, TurnedBox(Vec3::Ones(), Vec3(0.3, 0.4, 2), Vec3(0, 0, 0.5)), 0.1));
  EXPECT_EQ(FeaturesOf(FindContactsOf(kCube, turned, 0.1)), expected);
  const ContactManifold exchanged = FindContactsOf(turned, kCube, 0.1);
  std::set<uint32_t> renamed;
  for (const uint32_t feature : FeaturesOf(exchanged)) {
    renamed.insert(BoxPairFeature(feature >> 6, feature & 0x3Fu));
  }
  EXPECT_EQ(renamed, expected);
  // An edge resting on the face: at 45 degrees either face of b may be the opposite one.
  std::set<uint32_t> edge;
  for (const double turn : {M_PI / 4 - 1e-4, M_PI / 4, M_PI / 4 + 1e-4}) {
    const ContactManifold manifold = FindContactsOf(
        kCube,
        TurnedBox(0.5 * Vec3::Ones(), Vec3(0, 0, 1 + 0.5 * std::sqrt(2.0)), Vec3(turn, 0, 0)),
        0.01);
    EXPECT_EQ(manifold.count, 2);
    const std::set<uint32_t> features = FeaturesOf(manifold);
    edge.insert(features.begin(), features.end());
  }
  EXPECT_EQ(edge.size(), 2u);
}

// A tilted box comes down on the floor: the deepest point is always seen, and the manifold grows to
// four.
TEST(BoxBox, ATippingBoxKeepsItsLowestCorner) {
  const ShapeProxy floor = TurnedBox(Vec3(10, 10, 1), Vec3(0, 0, -1));
  for (double tilt = 0.7; tilt > 1e-8; tilt *= 0.7) {
    const Quat turn = ExpRotation(Vec3(0, tilt, 0));
    const double height = turn.toRotationMatrix().row(2).cwiseAbs().dot(Vec3(1, 1, 1));
    const ShapeProxy box{Box{Vec3::Ones()}, {Vec3(0, 0, height), turn}};
    const ContactManifold manifold = FindContactsOf(floor, box, 0.05);
    ExpectSound(manifold, 0.05);
    EXPECT_EQ(manifold.count, 2.0 * std::sin(tilt) > 0.05 ? 2 : 4) << tilt;
    EXPECT_NEAR(LeastGap(manifold), 0.0, 1e-3 * tilt + 1e-14) << tilt;
  }
}

}  // namespace
}  // namespace talus
