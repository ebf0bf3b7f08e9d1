#include "solver/collision/box_plane.h"

#include <gtest/gtest.h>

#include "tests/support/contact_checks.h"
#include "tests/support/random_poses.h"

namespace talus {
namespace {

using testing::FindContactsOf;
using testing::PointsOf;

const ShapeProxy kFloor{Plane{}, {}};

ShapeProxy UnitBoxAt(const Vec3& center, const Quat& turn = Quat::Identity()) {
  return {Box{Vec3(1, 2, 3)}, {center, turn}};
}

TEST(BoxPlane, ARestingBoxStandsOnFourCorners) {
  const ContactManifold manifold = FindContactsOf(UnitBoxAt(Vec3(5, 6, 3.001)), kFloor, 0.01);
  ASSERT_EQ(manifold.count, 4);
  for (const ContactPoint& point : PointsOf(manifold)) {
    EXPECT_NEAR(point.gap, 0.001, 1e-14);
    EXPECT_EQ(point.normal, Vec3(0, 0, -1));
    EXPECT_NEAR(std::abs(point.point.x() - 5), 1.0, 1e-14);
    EXPECT_NEAR(std::abs(point.point.y() - 6), 2.0, 1e-14);
    EXPECT_NEAR(point.point.z(), 0.0005, 1e-14);
  }
}

TEST(BoxPlane, FeaturesAreTheCorners) {
  const ContactManifold manifold = FindContactsOf(UnitBoxAt(Vec3(0, 0, 3)), kFloor, 0.01);
  ASSERT_EQ(manifold.count, 4);
  for (uint32_t id = 0; id < 4; ++id) {
    const ContactPoint& point = manifold.points[id];
    EXPECT_EQ(point.feature, id);
    EXPECT_GT(point.point.x() * ((id & 1u) != 0 ? 1.0 : -1.0), 0.0);
    EXPECT_GT(point.point.y() * ((id & 2u) != 0 ? 1.0 : -1.0), 0.0);
  }
}

TEST(BoxPlane, AnEdgeOrACornerMayTouchAlone) {
  const Quat on_edge = ExpRotation(Vec3(M_PI / 4, 0, 0));
  const double height = (2.0 + 3.0) / std::sqrt(2.0);
  EXPECT_EQ(FindContactsOf(UnitBoxAt(Vec3(0, 0, height), on_edge), kFloor, 1e-3).count, 2);
  const Quat on_corner = Quat::FromTwoVectors(Vec3(1, 2, 3), Vec3(0, 0, -1));
  const ContactManifold corner =
      FindContactsOf(UnitBoxAt(Vec3(0, 0, std::sqrt(14.0) - 0.01), on_corner), kFloor, 0.0);
  ASSERT_EQ(corner.count, 1);
  EXPECT_EQ(corner.points[0].feature, 7u);
  EXPECT_NEAR(corner.points[0].gap, -0.01, 1e-14);
}

TEST(BoxPlane, ASunkenBoxHasEightContactsAndADistantOneNone) {
  EXPECT_EQ(FindContactsOf(UnitBoxAt(Vec3(0, 0, -9)), kFloor, 0.0).count, 8);
  EXPECT_EQ(FindContactsOf(UnitBoxAt(Vec3(0, 0, 3.1)), kFloor, 0.05).count, 0);
  EXPECT_EQ(FindContactsOf(UnitBoxAt(Vec3(0, 0, 1e300)), kFloor, 0.05).count, 0);
}

TEST(BoxPlane, MovesWithThePlane) {
  constexpr uint64_t kSeed = 51;
  Random random(kSeed);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    const Quat turn = testing::RandomRotation(random);
    const ShapeProxy box = UnitBoxAt(Vec3(0, 0, random.Uniform(0, 4)), turn);
    const Pose move = testing::RandomPose(random, 10.0);
    const ContactManifold original = FindContactsOf(box, kFloor, 0.5);
    testing::ExpectSound(original, 0.5);
    const ContactManifold moved =
        FindContactsOf({box.geometry, move * box.pose_world}, {kFloor.geometry, move}, 0.5);
    testing::ExpectMoved(original, moved, move, 1e-13);
  }
}

TEST(NarrowPhase, TwoPlanesNeverTouch) { EXPECT_EQ(FindContactsOf(kFloor, kFloor, 1.0).count, 0); }

TEST(NarrowPhase, AppendsAndKeepsWhatWasThere) {
  ContactManifold manifold = FindContactsOf(UnitBoxAt(Vec3(0, 0, 3)), kFloor, 0.01);
  const ContactManifold before = manifold;
  FindContacts(kFloor, UnitBoxAt(Vec3(0, 0, 3)), 0.01, manifold);
  ASSERT_EQ(manifold.count, 8);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(manifold.points[i].normal, before.points[i].normal);
    EXPECT_EQ(manifold.points[i + 4].normal, -before.points[i].normal);
    EXPECT_EQ(manifold.points[i + 4].point, before.points[i].point);
  }
}

}  // namespace
}  // namespace talus
