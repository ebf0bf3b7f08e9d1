// A sphere and a box in random poses against the exact distance of the centre from the box.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/support/box_oracle.h"
#include "tests/support/contact_checks.h"
#include "tests/support/random_poses.h"

namespace talus {
namespace {

using testing::FindContactsOf;

constexpr uint64_t kSphereBoxSeed = 4242;

TEST(SphereBoxProperty, GapIsTheDistanceOfTheCentreLessTheRadius) {
  std::cout << "seed " << kSphereBoxSeed << '\n';
  Random random(kSphereBoxSeed);
  constexpr double kMargin = 0.3;
  for (int trial = 0; trial < 50000; ++trial) {
    SCOPED_TRACE(trial);
    const ShapeProxy box{testing::RandomBox(random, 0.1, 2.0), testing::RandomPose(random, 1.0)};
    const ShapeProxy sphere{Sphere{random.Uniform(0.01, 1.0)}, testing::RandomPose(random, 3.0)};
    const double radius = std::get<Sphere>(sphere.geometry).radius_m;
    const OrientedBox oriented = testing::ToOrientedBox(box);
    const Vec3& center = sphere.pose_world.position;
    // Inside, the distance is the depth below the nearest face.
    const Vec3 local = oriented.axes.transpose() * (center - oriented.center);
    const double depth = (oriented.half - local.cwiseAbs()).minCoeff();
    const double distance = depth > 0.0 ? -depth : testing::PointDistance(center, oriented);
    const ContactManifold manifold = FindContactsOf(sphere, box, kMargin);
    testing::ExpectSound(manifold, kMargin);
    ASSERT_EQ(manifold.count, distance - radius <= kMargin ? 1 : 0);
    if (manifold.count == 0) continue;
    const ContactPoint& contact = manifold.points[0];
    EXPECT_NEAR(contact.gap, distance - radius, 1e-13);
    // From the contact half the gap either way: the sphere's surface and the box's.
    const Vec3 on_sphere = contact.point - 0.5 * contact.gap * contact.normal;
    const Vec3 on_box = contact.point + 0.5 * contact.gap * contact.normal;
    EXPECT_NEAR((on_sphere - center).norm(), radius, 1e-13);
    EXPECT_LT(testing::PointDistance(on_box, oriented), 1e-13);
    // The same seen from the box.
    const ContactManifold exchanged = FindContactsOf(box, sphere, kMargin);
    EXPECT_EQ(exchanged.points[0].normal, -contact.normal);
    EXPECT_EQ(exchanged.points[0].point, contact.point);
    EXPECT_EQ(exchanged.points[0].gap, contact.gap);
  }
}

}  // namespace
}  // namespace talus
