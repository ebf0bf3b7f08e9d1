// Rays against each kind of shape: cases worked out by hand, rules at the boundaries, and random
// rays against marching by the distance to the shape.
#include "solver/rays/shape_rays.h"

#include <gtest/gtest.h>

#include "tests/support/random_poses.h"

namespace talus {
namespace {

using testing::RandomBox;
using testing::RandomDirection;
using testing::RandomPose;
using testing::RandomVector;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

Pose At(double x, double y, double z) { return {Vec3(x, y, z), Quat::Identity()}; }

void ExpectContact(const std::optional<RayContact>& contact, double distance, const Vec3& point,
                   const Vec3& normal, double tolerance = 1e-15) {
  ASSERT_TRUE(contact.has_value());
  EXPECT_NEAR(contact->distance, distance, tolerance);
  EXPECT_LE((contact->point - point).norm(), tolerance) << contact->point.transpose();
  EXPECT_LE((contact->normal - normal).norm(), tolerance) << contact->normal.transpose();
}

TEST(SphereRay, MeetsTheNearSide) {
  const Ray ray{Vec3(-3, 0, 0), Vec3::UnitX(), kUnbounded};
  ExpectContact(MeetSphere(ray, Vec3::Zero(), 1.0), 2.0, Vec3(-1, 0, 0), -Vec3::UnitX());
  const Ray aside{Vec3(-3, 0.6, 0), Vec3::UnitX(), kUnbounded};
  ExpectContact(MeetSphere(aside, Vec3::Zero(), 1.0), 2.2, Vec3(-0.8, 0.6, 0), Vec3(-0.8, 0.6, 0));
}

TEST(SphereRay, IsMetWhereGrazedAndNotBeside) {
  const Ray grazing{Vec3(-3, 1, 0), Vec3::UnitX(), kUnbounded};
  ExpectContact(MeetSphere(grazing, Vec3::Zero(), 1.0), 3.0, Vec3::UnitY(), Vec3::UnitY());
  const Ray beside{Vec3(-3, std::nextafter(1.0, 2.0), 0), Vec3::UnitX(), kUnbounded};
  EXPECT_FALSE(MeetSphere(beside, Vec3::Zero(), 1.0).has_value());
}

TEST(SphereRay, BehindOrBeyondTheReachIsNotMet) {
  const Ray away{Vec3(-3, 0, 0), -Vec3::UnitX(), kUnbounded};
  EXPECT_FALSE(MeetSphere(away, Vec3::Zero(), 1.0).has_value());
  const Ray just{Vec3(-3, 0, 0), Vec3::UnitX(), 2.0};
  EXPECT_TRUE(MeetSphere(just, Vec3::Zero(), 1.0).has_value());
  const Ray shorter{Vec3(-3, 0, 0), Vec3::UnitX(), std::nextafter(2.0, 0.0)};
  EXPECT_FALSE(MeetSphere(shorter, Vec3::Zero(), 1.0).has_value());
}

// A ball, a box and a half-space, each with a point within and one on its surface.
TEST(AnyShape, IsMetAtOnceByWhatStartsInOrOnIt) {
  const struct {
    Geometry geometry;
    Vec3 inside;
    Vec3 surface;
  } cases[] = {{Sphere{1.0}, Vec3(0.2, 0.3, -0.1), Vec3::UnitX()},
               {Box{Vec3(1, 2, 3)}, Vec3(0.9, -1.9, 2.9), Vec3(1, 0.5, -0.5)},
               {Plane{Vec3::UnitZ()}, Vec3(5, 6, -7), Vec3(3, -4, 0)}};
  for (const auto& each : cases) {
    for (const Vec3& origin : {each.inside, each.surface}) {
      for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(-0.6, 0.8, 0)}) {
        const auto contact = MeetShape({origin, direction, kUnbounded}, each.geometry, Pose{});
        ExpectContact(contact, 0.0, origin, -direction, 0.0);
      }
    }
  }
}

TEST(BoxRay, MeetsEachFace) {
  const Box box{Vec3(1, 2, 3)};
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const Vec3 out = side * Vec3::Unit(axis);
      const Ray ray{Vec3(7, 7, 7) + 10 * out, -out, kUnbounded};
      ExpectContact(MeetBox(ray, box, At(7, 7, 7)), 10.0 - box.half_extents_m[axis],
                    Vec3(7, 7, 7) + box.half_extents_m[axis] * out, out, 0.0);
    }
  }
}

TEST(BoxRay, WithinAFaceItMeetsTheEdgeAndBesideItNothing) {
  const Box box{Vec3(1, 1, 1)};
  const Ray within{Vec3(-3, 1, 0.25), Vec3::UnitX(), kUnbounded};
  ExpectContact(MeetBox(within, box, Pose{}), 2.0, Vec3(-1, 1, 0.25), -Vec3::UnitX(), 0.0);
  const Ray beside{Vec3(-3, std::nextafter(1.0, 2.0), 0.25), Vec3::UnitX(), kUnbounded};
  EXPECT_FALSE(MeetBox(beside, box, Pose{}).has_value());
  // Along an edge, and away from it.
  const Ray edge{Vec3(-3, 1, 1), Vec3::UnitX(), kUnbounded};
  ExpectContact(MeetBox(edge, box, Pose{}), 2.0, Vec3(-1, 1, 1), -Vec3::UnitX(), 0.0);
  const Ray away{Vec3(-3, 1, 1), -Vec3::UnitX(), kUnbounded};
  EXPECT_FALSE(MeetBox(away, box, Pose{}).has_value());
}

TEST(BoxRay, OnAnEdgeOrACornerTheFirstAxisTellsTheNormal) {
  const Box box{Vec3(1, 1, 1)};
  // Touches the edge x = -1, y = 1 in a single point.
  const Ray edge{Vec3(-2, 0, 0), Vec3(1, 1, 0).normalized(), kUnbounded};
  ExpectContact(MeetBox(edge, box, Pose{}), std::sqrt(2.0), Vec3(-1, 1, 0), -Vec3::UnitX());
  const Ray corner{Vec3(2, 2, 2), Vec3(-1, -1, -1).normalized(), kUnbounded};
  ExpectContact(MeetBox(corner, box, Pose{}), std::sqrt(3.0), Vec3(1, 1, 1), Vec3::UnitX());
}

TEST(BoxRay, TurnedByAnEighth) {
  // The edge towards the ray is half a diagonal from the centre.
  const Pose pose{Vec3(0, 0, 5), ExpRotation(Vec3(0, 0, 0.25 * M_PI))};
  const Ray ray{Vec3(-4, 0.5, 5), Vec3::UnitX(), kUnbounded};
  const Vec3 normal = Vec3(-1, 1, 0).normalized();
  ExpectContact(MeetBox(ray, {Vec3(1, 1, 1)}, pose), 4.5 - std::sqrt(2.0),
                Vec3(0.5 - std::sqrt(2.0), 0.5, 5), normal, 2e-15);
}

TEST(PlaneRay, IsMetFromAboveOnly) {
  const Plane plane{Vec3::UnitZ()};
  const Ray down{Vec3(1, 2, 4), Vec3(0.6, 0, -0.8), kUnbounded};
  ExpectContact(MeetPlane(down, plane, At(0, 0, 0)), 5.0, Vec3(4, 2, 0), Vec3::UnitZ());
  const Ray up{Vec3(1, 2, 4), Vec3(0.6, 0, 0.8), kUnbounded};
  EXPECT_FALSE(MeetPlane(up, plane, At(0, 0, 0)).has_value());
  const Ray along{Vec3(1, 2, 4), Vec3::UnitX(), kUnbounded};
  EXPECT_FALSE(MeetPlane(along, plane, At(0, 0, 0)).has_value());
  EXPECT_FALSE(MeetPlane({Vec3(1, 2, 4), Vec3(0.6, 0, -0.8), 4.9}, plane, Pose{}).has_value());
}

TEST(AnyShape, IsMetExactlyFromFarAway) {
  const double far = 1e8;
  const Vec3 direction = Vec3(1, 2, 2) / 3.0;
  const Vec3 center(0.25, -0.5, 1.0);
  const Ray ray{center - far * direction, direction, kUnbounded};
  // Coordinates of the origin are rounded by up to 1e-8 m; the hit lies on the surface all the
  // same.
  const auto ball = MeetSphere(ray, center, 0.5);
  ExpectContact(ball, far - 0.5, center - 0.5 * direction, -direction, 1e-7);
  EXPECT_NEAR((ball->point - center).norm(), 0.5, 1e-15);
  const auto box = MeetBox(ray, {Vec3(0.5, 0.1, 0.1)}, {center, Quat::Identity()});
  ASSERT_TRUE(box.has_value());
  EXPECT_TRUE(((box->point - center).cwiseAbs() - Vec3(0.5, 0.1, 0.1)).maxCoeff() <= 1e-15);
  const auto plane = MeetPlane(ray, {-direction}, {center, Quat::Identity()});
  ExpectContact(plane, far, center, -direction, 1e-7);
}

double DistanceTo(const Geometry& geometry, const Pose& pose, const Vec3& point) {
  const Vec3 local = pose.InverseTransform(point);
  if (const auto* sphere = std::get_if<Sphere>(&geometry)) return local.norm() - sphere->radius_m;
  if (const auto* plane = std::get_if<Plane>(&geometry)) return plane->normal.dot(local);
  const Vec3 beyond = local.cwiseAbs() - std::get<Box>(geometry).half_extents_m;
  return beyond.cwiseMax(0.0).norm() + std::min(beyond.maxCoeff(), 0.0);
}

// Goes on by the distance to the shape until it is reached; negative where it is not.
double MarchTo(const Ray& ray, const Geometry& geometry, const Pose& pose, double& nearest) {
  nearest = kUnbounded;
  double way = 0.0;
  while (way <= ray.reach_m) {
    const double gap = DistanceTo(geometry, pose, ray.origin + way * ray.direction);
    nearest = std::min(nearest, gap);
    if (gap <= 1e-12) return way;
    way += gap;
  }
  return -1.0;
}

Geometry RandomGeometry(Random& random, int kind) {
  if (kind == 0) return Sphere{random.Uniform(0.1, 2.0)};
  if (kind == 1) return RandomBox(random, 0.05, 2.0);
  return Plane{RandomDirection(random)};
}

TEST(AnyShape, IsMetWhereMarchingArrives) {
  constexpr uint64_t kSeed = 20261130;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  Random random(kSeed);
  for (int kind = 0; kind < 3; ++kind) {
    int met = 0;
    int missed = 0;
    for (int trial = 0; trial < 20'000; ++trial) {
      const Geometry geometry = RandomGeometry(random, kind);
      const Pose pose = RandomPose(random, 1.0);
      const Vec3 origin = RandomVector(random, 4.0);
      // Half of them towards the shape, near which most would not come.
      const Vec3 target = pose.position + RandomVector(random, 1.5);
      const Vec3 direction =
          trial % 2 == 0 ? RandomDirection(random) : Vec3((target - origin).normalized());
      const Ray ray{origin, direction, random.Uniform(0.5, 12.0)};
      double nearest = 0.0;
      const double way = MarchTo(ray, geometry, pose, nearest);
      const auto contact = MeetShape(ray, geometry, pose);
      // Within rounding of a surface that is grazed, or of the end of the ray, either is right.
      if (contact.has_value() != (way >= 0.0)) {
        const double end = DistanceTo(geometry, pose, ray.origin + ray.reach_m * ray.direction);
        EXPECT_TRUE(nearest < 1e-9 || std::abs(end) < 1e-9) << kind << " " << trial;
        continue;
      }
      if (!contact.has_value()) {
        ++missed;
        continue;
      }
      ++met;
      // Where it is grazed, marching stops up to sqrt(2 r 1e-12) before.
      EXPECT_NEAR(contact->distance, way, 1e-5) << kind << " " << trial;
      EXPECT_LE((ray.origin + contact->distance * ray.direction - contact->point).norm(), 1e-13);
      EXPECT_NEAR(contact->normal.norm(), 1.0, 1e-14);
      if (contact->distance == 0.0) continue;
      EXPECT_NEAR(DistanceTo(geometry, pose, contact->point), 0.0, 1e-14);
      EXPECT_LE(contact->normal.dot(ray.direction), 1e-15);
      // The distance grows along the normal as fast as it can.
      EXPECT_NEAR(DistanceTo(geometry, pose, contact->point + 1e-3 * contact->normal), 1e-3, 1e-14);
    }
    EXPECT_GT(met, 2000) << kind;
    EXPECT_GT(missed, 2000) << kind;
  }
}

}  // namespace
}  // namespace talus
