// Spheres against spheres, planes and boxes, in closed form.
#include <gtest/gtest.h>

#include "tests/support/contact_checks.h"
#include "tests/support/random_poses.h"

namespace talus {
namespace {

using testing::FindContactsOf;

ShapeProxy SphereAt(double radius, double x, double y, double z) {
  return {Sphere{radius}, {Vec3(x, y, z), Quat::Identity()}};
}

ShapeProxy BoxAt(const Vec3& half, const Vec3& center, const Quat& turn = Quat::Identity()) {
  return {Box{half}, {center, turn}};
}

TEST(SphereSphere, TouchesOnTheLineOfCentres) {
  const ContactManifold manifold =
      FindContactsOf(SphereAt(1.0, 0, 0, 0), SphereAt(0.5, 0, 1.6, 0), 0.2);
  ASSERT_EQ(manifold.count, 1);
  EXPECT_NEAR(manifold.points[0].gap, 0.1, 1e-15);
  EXPECT_EQ(manifold.points[0].normal, Vec3::UnitY());
  EXPECT_LT((manifold.points[0].point - Vec3(0, 1.05, 0)).norm(), 1e-15);
  EXPECT_EQ(manifold.points[0].feature, 0u);
}

TEST(SphereSphere, OverlapIsANegativeGap) {
  const ContactManifold manifold =
      FindContactsOf(SphereAt(1.0, 0, 0, 0), SphereAt(1.0, -1.5, 0, 0), 0.0);
  ASSERT_EQ(manifold.count, 1);
  EXPECT_NEAR(manifold.points[0].gap, -0.5, 1e-15);
  EXPECT_EQ(manifold.points[0].normal, Vec3(-1, 0, 0));
  EXPECT_LT((manifold.points[0].point - Vec3(-0.75, 0, 0)).norm(), 1e-15);
}

TEST(SphereSphere, BeyondTheMarginIsNoContact) {
  EXPECT_EQ(FindContactsOf(SphereAt(1.0, 0, 0, 0), SphereAt(1.0, 0, 0, 2.2), 0.1).count, 0);
  EXPECT_EQ(FindContactsOf(SphereAt(1.0, 0, 0, 0), SphereAt(1.0, 0, 0, 1e300), 0.1).count, 0);
  EXPECT_EQ(FindContactsOf(SphereAt(1.0, 0, 0, -1e300), SphereAt(1.0, 1e308, 0, 1e300), 0.1).count,
            0);
}

TEST(SphereSphere, ConcentricSpheresPartAlongZ) {
  for (const double size : {1e-6, 1.0, 1e6}) {
    const Vec3 center(0.3 * size, 0.2 * size, 0.1 * size);
    const ContactManifold manifold =
        FindContactsOf({Sphere{size}, {center, Quat::Identity()}},
                       {Sphere{0.5 * size}, {center, Quat::Identity()}}, 0.0);
    ASSERT_EQ(manifold.count, 1);
    EXPECT_EQ(manifold.points[0].normal, Vec3::UnitZ());
    EXPECT_NEAR(manifold.points[0].gap, -1.5 * size, 1e-12 * size);
  }
}

TEST(SpherePlane, TouchesBelowTheCentre) {
  // The plane through (0, 0, 2) that looks along -x + z.
  const Vec3 normal = Vec3(-1, 0, 1).normalized();
  const ShapeProxy plane{Plane{normal}, {Vec3(0, 0, 2), Quat::Identity()}};
  const Vec3 center = Vec3(0, 0, 2) + 1.05 * normal + 3.0 * Vec3::UnitY();
  const ShapeProxy sphere{Sphere{1.0}, {center, Quat::Identity()}};
  const ContactManifold manifold = FindContactsOf(sphere, plane, 0.1);
  ASSERT_EQ(manifold.count, 1);
  EXPECT_NEAR(manifold.points[0].gap, 0.05, 1e-15);
  EXPECT_LT((manifold.points[0].normal + normal).norm(), 1e-15);
  EXPECT_LT((manifold.points[0].point - (center - 1.025 * normal)).norm(), 1e-14);
  EXPECT_EQ(FindContactsOf(sphere, plane, 0.04).count, 0);
  // From the plane's side the normal points the other way.
  EXPECT_LT((FindContactsOf(plane, sphere, 0.1).points[0].normal - normal).norm(), 1e-15);
}

TEST(SpherePlane, ASunkenSphereIsPushedOutWhereverItIs) {
  const ShapeProxy plane{Plane{}, {}};
  const ContactManifold manifold = FindContactsOf(SphereAt(1.0, 7, 8, -50), plane, 0.0);
  ASSERT_EQ(manifold.count, 1);
  EXPECT_EQ(manifold.points[0].gap, -51.0);
  EXPECT_EQ(manifold.points[0].normal, Vec3(0, 0, -1));
}

TEST(SphereBox, TouchesFaceEdgeAndCorner) {
  const ShapeProxy box = BoxAt(Vec3(1, 2, 3), Vec3::Zero());
  const struct {
    Vec3 center;
    Vec3 closest;
  } cases[] = {{Vec3(0.5, 1, 4), Vec3(0.5, 1, 3)},
               {Vec3(2, 0, 4), Vec3(1, 0, 3)},
               {Vec3(-2, 3, -4), Vec3(-1, 2, -3)}};
  for (const auto& c : cases) {
    const double distance = (c.center - c.closest).norm();
    const ContactManifold manifold =
        FindContactsOf({Sphere{0.9}, {c.center, Quat::Identity()}}, box, 1.0);
    ASSERT_EQ(manifold.count, 1);
    EXPECT_NEAR(manifold.points[0].gap, distance - 0.9, 1e-15);
    EXPECT_LT((manifold.points[0].normal - (c.closest - c.center) / distance).norm(), 1e-15);
    const Vec3 on_sphere = c.center + 0.9 * manifold.points[0].normal;
    EXPECT_LT((manifold.points[0].point - 0.5 * (on_sphere + c.closest)).norm(), 1e-15);
  }
}

TEST(SphereBox, ACentreInsideLeavesByTheNearestFace) {
  const ShapeProxy box = BoxAt(Vec3(1, 2, 3), Vec3::Zero());
  const ContactManifold manifold = FindContactsOf(SphereAt(0.1, -0.2, -1.5, 1.0), box, 0.0);
  ASSERT_EQ(manifold.count, 1);
  EXPECT_EQ(manifold.points[0].normal,
            Vec3::UnitY());  // the box is pushed along +y, the sphere along -y
  EXPECT_NEAR(manifold.points[0].gap, -0.6, 1e-15);
}

TEST(SphereBox, TiesHaveAFixedAnswer) {
  const ShapeProxy cube = BoxAt(Vec3::Ones(), Vec3::Zero());
  const auto normal_at = [&](double x, double y, double z) {
    return FindContactsOf(SphereAt(0.1, x, y, z), cube, 0.0).points[0].normal;
  };
  EXPECT_EQ(normal_at(0, 0, 0), Vec3(-1, 0, 0));
  EXPECT_EQ(normal_at(-0.0, 0, 0), Vec3(-1, 0, 0));
  EXPECT_EQ(normal_at(0, 0.5, -0.5), Vec3(0, -1, 0));
  // On the surface, an edge and a corner: no direction to the centre.
  EXPECT_EQ(normal_at(0, 0, 1), Vec3(0, 0, -1));
  EXPECT_EQ(normal_at(0, -1, 1), Vec3(0, 1, 0));
  EXPECT_EQ(normal_at(1, 1, 1), Vec3(-1, 0, 0));
}

TEST(SphereBox, SmallAndLargeBehaveAlike) {
  for (const double size : {1e-9, 1.0, 1e9}) {
    const ShapeProxy box = BoxAt(size * Vec3(1, 2, 3), Vec3::Zero());
    const ContactManifold manifold =
        FindContactsOf(SphereAt(size, 1.5 * size, 2.5 * size, 0), box, size);
    ASSERT_EQ(manifold.count, 1);
    EXPECT_NEAR(manifold.points[0].gap / size, std::sqrt(0.5) - 1.0, 1e-14);
  }
}

TEST(SphereBox, TurnsWithTheBox) {
  constexpr uint64_t kSeed = 41;
  Random random(kSeed);
  const ShapeProxy box = BoxAt(Vec3(1, 2, 3), Vec3::Zero());
  for (int trial = 0; trial < 500; ++trial) {
    SCOPED_TRACE(trial);
    const ShapeProxy sphere{Sphere{1.0}, testing::RandomPose(random, 4.0)};
    const Pose move = testing::RandomPose(random, 10.0);
    const auto moved = [&](ShapeProxy shape) {
      shape.pose_world = move * shape.pose_world;
      return shape;
    };
    testing::ExpectMoved(FindContactsOf(sphere, box, 0.5),
                         FindContactsOf(moved(sphere), moved(box), 0.5), move, 1e-13);
  }
}

}  // namespace
}  // namespace talus
