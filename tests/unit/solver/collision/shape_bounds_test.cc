#include "solver/collision/shape_bounds.h"

#include <gtest/gtest.h>

#include "solver/collision/oriented_box.h"
#include "tests/support/random_poses.h"

namespace talus {
namespace {

constexpr uint64_t kShapeBoundsSeed = 31;

TEST(ShapeBounds, OfASphereIsItsCube) {
  const Pose pose{Vec3(1, 2, 3), ExpRotation(Vec3(0.3, 0.2, 0.1))};
  const Aabb bounds = FindBounds(Sphere{0.5}, pose, 0.25);
  EXPECT_TRUE(bounds.min.isApprox(Vec3(0.25, 1.25, 2.25)));
  EXPECT_TRUE(bounds.max.isApprox(Vec3(1.75, 2.75, 3.75)));
}

TEST(ShapeBounds, OfABoxHoldItsCornersTightly) {
  Random random(kShapeBoundsSeed);
  for (int trial = 0; trial < 200; ++trial) {
    const Box box = testing::RandomBox(random, 0.1, 2.0);
    const Pose pose = testing::RandomPose(random, 3.0);
    const Aabb bounds = FindBounds(box, pose, 0.0);
    const OrientedBox oriented{pose.position, pose.orientation.toRotationMatrix(),
                               box.half_extents_m};
    Vec3 low = oriented.FindCorner(0);
    Vec3 high = low;
    for (uint32_t id = 1; id < OrientedBox::kCornerCount; ++id) {
      low = low.cwiseMin(oriented.FindCorner(id));
      high = high.cwiseMax(oriented.FindCorner(id));
    }
    EXPECT_LT((bounds.min - low).norm(), 1e-14)
        << "seed " << kShapeBoundsSeed << " trial " << trial;
    EXPECT_LT((bounds.max - high).norm(), 1e-14)
        << "seed " << kShapeBoundsSeed << " trial " << trial;
    const Aabb grown = FindBounds(box, pose, 0.5);
    EXPECT_LT((grown.max - bounds.max - Vec3::Constant(0.5)).norm(), 1e-14);
    EXPECT_LT((grown.min - bounds.min + Vec3::Constant(0.5)).norm(), 1e-14);
  }
}

TEST(ShapeBounds, OfAPlaneAreAHalfSpace) {
  EXPECT_TRUE(IsBounded(Sphere{1.0}));
  EXPECT_TRUE(IsBounded(Box{Vec3::Ones()}));
  EXPECT_FALSE(IsBounded(Plane{}));
  // The plane z = 0 of a frame turned about x by 90 degrees looks along -y.
  const Pose pose{Vec3(5, 2, 7), ExpRotation(Vec3(M_PI / 2, 0, 0))};
  const HalfSpace half_space = FindHalfSpace(Plane{}, pose, 0.1);
  EXPECT_LT((half_space.normal + Vec3::UnitY()).norm(), 1e-15);
  EXPECT_NEAR(half_space.offset_m, -2.0 + 0.1, 1e-14);
}

TEST(ShapeBounds, AHalfSpaceMeetsABoxByItsDeepestCorner) {
  const HalfSpace half_space{Vec3(1, -1, 1).normalized(), 0.0};
  const Aabb box{Vec3::Zero(), Vec3::Ones()};
  EXPECT_TRUE(half_space.Overlaps(box));
  EXPECT_TRUE(half_space.Overlaps({Vec3(0.99, -1, 0), Vec3(2, 1, 1)}));
  EXPECT_FALSE(half_space.Overlaps({Vec3(1.01, -1, 0), Vec3(2, 1, 1)}));
}

TEST(ShapeBoundsDeathTest, AContainerHasToBeExpandedFirst) {
  EXPECT_DEATH(FindBounds(Container{1, 1, 1, 0.1}, Pose{}, 0.0), "check failed");
  EXPECT_DEATH(FindBounds(Plane{}, Pose{}, 0.0), "check failed");
}

}  // namespace
}  // namespace talus
