// Rays among many bodies: the nearest shape and the rules for ties, and that the tree of bounds
// leaves nothing out.
#include "solver/rays/ray_query.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "solver/base/field_error.h"
#include "solver/rays/shape_rays.h"
#include "tests/support/random_poses.h"

namespace talus {
namespace {

using testing::RandomBox;
using testing::RandomDirection;
using testing::RandomPose;
using testing::RandomVector;

constexpr double kWithoutEnd = std::numeric_limits<double>::infinity();

ShapeRow ShapeOf(const Geometry& geometry, const Pose& pose_body = {}) {
  ShapeRow shape;
  shape.geometry = geometry;
  shape.pose_body = pose_body;
  return shape;
}

BodyId AddBody(BodyStore& bodies, const std::vector<ShapeRow>& shapes, const Pose& pose) {
  BodyRow row;
  row.kind = BodyKind::kStatic;
  row.pose_world = pose;
  row.shapes = shapes;
  return bodies.Add(row);
}

BodyId AddBall(BodyStore& bodies, double radius, const Vec3& center) {
  return AddBody(bodies, {ShapeOf(Sphere{radius})}, {center, Quat::Identity()});
}

RayHit CastOne(const BodyStore& bodies, const Ray& ray, std::vector<BodyId> ignored = {}) {
  const auto hits = CastRays(bodies, {{ray}, std::move(ignored)});
  EXPECT_TRUE(hits.ok()) << hits.status();
  EXPECT_EQ(hits->size(), 1u);
  return hits->front();
}

const Ray kAlongX{Vec3(-10, 0, 0), Vec3::UnitX(), kWithoutEnd};

TEST(RayQueryTest, NothingIsHitInAnEmptySceneOrByNoRay) {
  BodyStore bodies;
  EXPECT_FALSE(CastOne(bodies, kAlongX).hit);
  EXPECT_TRUE(CastRays(bodies, {})->empty());
}

TEST(RayQueryTest, TheNearestIsHit) {
  BodyStore bodies;
  AddBall(bodies, 1.0, Vec3(5, 0, 0));
  const BodyId near = AddBall(bodies, 1.0, Vec3(0, 0, 0));
  AddBody(bodies, {ShapeOf(Plane{-Vec3::UnitX()})}, {Vec3(9, 0, 0), Quat::Identity()});
  const RayHit hit = CastOne(bodies, kAlongX);
  EXPECT_TRUE(hit.hit);
  EXPECT_EQ(hit.body, near);
  EXPECT_EQ(hit.contact.distance, 9.0);
  EXPECT_EQ(hit.contact.point, Vec3(-1, 0, 0));
  EXPECT_EQ(hit.contact.normal, Vec3(-1, 0, 0));
  // The plane is behind both balls, but not behind them for a ray beside them.
  EXPECT_EQ(CastOne(bodies, {Vec3(-10, 2, 0), Vec3::UnitX(), kWithoutEnd}).contact.distance, 19.0);
  EXPECT_FALSE(CastOne(bodies, {Vec3(-10, 0, 0), Vec3::UnitX(), 8.99}).hit);
  EXPECT_TRUE(CastOne(bodies, {Vec3(-10, 0, 0), Vec3::UnitX(), 9.0}).hit);
}

TEST(RayQueryTest, OfEquallyFarTheLowestIdThenTheLowestShapeIsHit) {
  BodyStore bodies;
  const Geometry cube = Box{Vec3::Constant(1.0)};
  const Pose aside{Vec3(0, 5, 0), Quat::Identity()};
  const BodyId first = AddBody(bodies, {ShapeOf(cube, aside), ShapeOf(cube), ShapeOf(cube)}, {});
  const BodyId second = AddBody(bodies, {ShapeOf(cube)}, {});
  AddBody(bodies, {ShapeOf(Plane{-Vec3::UnitX()})}, {Vec3(-1, 0, 0), Quat::Identity()});
  for (const size_t rays : {1, 1000}) {
    const auto hits = CastRays(bodies, {std::vector<Ray>(rays, kAlongX), {}});
    for (const RayHit& hit : *hits) {
      EXPECT_EQ(hit.body, first);
      EXPECT_EQ(hit.shape, 1u);
    }
  }
  EXPECT_EQ(CastOne(bodies, kAlongX, {first}).body, second);
  EXPECT_EQ(CastOne(bodies, kAlongX, {second, first}).contact.distance, 9.0);
  // So it is for what a ray starts in.
  EXPECT_EQ(CastOne(bodies, {Vec3::Zero(), Vec3::UnitX(), kWithoutEnd}).shape, 1u);
}

TEST(RayQueryTest, BodiesToIgnoreMustBeThere) {
  BodyStore bodies;
  const BodyId ball = AddBall(bodies, 1.0, Vec3::Zero());
  const auto missing = CastRays(bodies, {{kAlongX}, {ball, BodyId{7}}});
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(GetFieldError(missing.status())->field, "ignored_body_ids[1]");
  EXPECT_EQ(GetFieldError(missing.status())->value, "7");
}

TEST(RayQueryTest, StopsWhenItIsToldTo) {
  BodyStore bodies;
  AddBall(bodies, 1.0, Vec3::Zero());
  int asked = 0;
  const auto stop = [&asked] { return ++asked == 3; };
  EXPECT_EQ(CastRays(bodies, {std::vector<Ray>(1000, kAlongX), {}}, stop).status().code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(asked, 3);
}

// Bodies of all kinds, some far away, many that overlap.
BodyStore RandomBodies(Random& random, int count) {
  BodyStore bodies;
  for (int index = 0; index < count; ++index) {
    const double spread = index % 50 == 0 ? 1e6 : 20.0;
    const Pose pose = RandomPose(random, spread);
    if (index % 3 == 0) {
      AddBody(bodies,
              {ShapeOf(RandomBox(random, 0.01, 2.0), RandomPose(random, 1.0)),
               ShapeOf(Sphere{0.5}, RandomPose(random, 1.0))},
              pose);
    } else {
      AddBall(bodies, random.Uniform(0.01, 1.0), pose.position);
    }
  }
  AddBody(bodies, {ShapeOf(Plane{Vec3::UnitZ()})}, {Vec3(0, 0, -15), Quat::Identity()});
  return bodies;
}

// Every shape, in the order of rows.
RayHit CastAtAll(const BodyStore& bodies, const Ray& ray) {
  RayHit best;
  for (size_t row = 0; row < bodies.shapes().size(); ++row) {
    const ShapeRow shape = bodies.shapes()[row];
    const Pose body{bodies.positions()[shape.body], bodies.orientations()[shape.body]};
    const auto contact = MeetShape(ray, shape.geometry, body * shape.pose_body);
    if (!contact.has_value() || (best.hit && contact->distance >= best.contact.distance)) continue;
    best = {true, *contact, bodies.ids()[shape.body], shape.index};
  }
  return best;
}

void ExpectSame(const RayHit& hit, const RayHit& expected) {
  ASSERT_EQ(hit.hit, expected.hit);
  ASSERT_EQ(hit.body, expected.body);
  ASSERT_EQ(hit.shape, expected.shape);
  ASSERT_EQ(hit.contact.distance, expected.contact.distance);
  ASSERT_EQ(hit.contact.point, expected.contact.point);
  ASSERT_EQ(hit.contact.normal, expected.contact.normal);
}

TEST(RayQueryTest, TheTreeLeavesNothingOutWhateverItsLeaves) {
  constexpr uint64_t kSeed = 4711;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  Random random(kSeed);
  const BodyStore bodies = RandomBodies(random, 2000);
  std::vector<Ray> rays;
  for (int index = 0; index < 3000; ++index) {
    Ray ray{RandomVector(random, 30.0), RandomDirection(random), kWithoutEnd};
    if (index % 5 == 0) ray.direction = Vec3::Unit(index % 3);
    if (index % 7 == 0) ray.origin = 1e8 * -ray.direction;
    if (index % 4 == 0) ray.reach_m = random.Uniform(0.1, 10.0);
    rays.push_back(ray);
  }
  const auto all = CastRays(bodies, {rays, {}});
  const auto few = CastRays(bodies, {{rays.begin(), rays.begin() + 7}, {}});
  int hit_count = 0;
  for (size_t index = 0; index < rays.size(); ++index) {
    SCOPED_TRACE(index);
    ExpectSame((*all)[index], CastAtAll(bodies, rays[index]));
    hit_count += (*all)[index].hit ? 1 : 0;
    if (index < few->size()) ExpectSame((*few)[index], (*all)[index]);
  }
  EXPECT_GT(hit_count, 500);
  EXPECT_LT(hit_count, 2900);
}

}  // namespace
}  // namespace talus
