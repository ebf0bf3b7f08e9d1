#include "solver/world/free_space.h"

#include <gtest/gtest.h>

#include "solver/base/random.h"

namespace talus {
namespace {

void AddShape(BodyStore& bodies, const Geometry& geometry, const Vec3& position) {
  ShapeRow shape;
  shape.geometry = geometry;
  BodyRow row;
  row.kind = BodyKind::kStatic;
  row.pose_world.position = position;
  row.shapes = {&shape, 1};
  bodies.Add(row);
}

constexpr double kSide = 1.0;
const Aabb kRegion{Vec3::Constant(-kSide), Vec3::Constant(kSide)};

TEST(FreeSpaceTest, SpheresAreComparedExactly) {
  BodyStore bodies;
  AddShape(bodies, Sphere{0.5}, Vec3::Zero());
  FreeSpace space;
  space.Reset(bodies, kRegion, 0.5);
  EXPECT_TRUE(space.IsFree(Vec3(0.75, 0, 0), 0.25));  // touching
  EXPECT_FALSE(space.IsFree(Vec3(0.7499, 0, 0), 0.25));
  // Its bounds overlap, it does not.
  EXPECT_TRUE(space.IsFree(Vec3(0.6, 0.6, 0), 0.25));
}

TEST(FreeSpaceTest, BoxesByBoundsPlanesExactly) {
  BodyStore bodies;
  AddShape(bodies, Box{Vec3(0.5, 0.5, 0.1)}, Vec3::Zero());
  AddShape(bodies, Plane{Vec3::UnitZ()}, Vec3(0, 0, -0.9));
  FreeSpace space;
  space.Reset(bodies, kRegion, 0.2);
  EXPECT_FALSE(space.IsFree(Vec3(0, 0, 0.15), 0.1));
  EXPECT_TRUE(space.IsFree(Vec3(0, 0, 0.25), 0.1));
  EXPECT_FALSE(space.IsFree(Vec3(0.8, 0.8, -0.85), 0.1));
  EXPECT_TRUE(space.IsFree(Vec3(0.8, 0.8, -0.75), 0.1));
}

TEST(FreeSpaceTest, AFloorMuchLargerThanTheRegionCounts) {
  BodyStore bodies;
  AddShape(bodies, Box{Vec3(1e6, 1e6, 1.0)}, Vec3(0, 0, -1.0));
  FreeSpace space;
  space.Reset(bodies, kRegion, 0.2);
  EXPECT_FALSE(space.IsFree(Vec3(0, 0, 0.05), 0.1));
  EXPECT_TRUE(space.IsFree(Vec3(0, 0, 0.15), 0.1));
}

TEST(FreeSpaceTest, AgreesWithComparingAll) {
  const uint64_t seed = 5;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  Random random(seed);
  for (int round = 0; round < 20; ++round) {
    struct Ball {
      Vec3 center;
      double radius;
    };
    std::vector<Ball> balls;
    const auto draw = [&](double side) {
      return Vec3(random.Uniform(-side, side), random.Uniform(-side, side),
                  random.Uniform(-side, side));
    };
    BodyStore bodies;
    for (int n = 0; n < 60; ++n) {
      balls.push_back({draw(2.0), random.Uniform(0.01, n % 10 == 0 ? 0.6 : 0.1)});
      AddShape(bodies, Sphere{balls.back().radius}, balls.back().center);
    }
    FreeSpace space;
    space.Reset(bodies, kRegion, 0.2);
    for (int n = 0; n < 500; ++n) {
      const Vec3 center = draw(kSide);
      const double radius = random.Uniform(0.01, 0.1);
      bool free = true;
      for (const Ball& ball : balls) {
        if ((ball.center - center).norm() < ball.radius + radius) free = false;
      }
      EXPECT_EQ(space.IsFree(center, radius), free);
      if (free && n % 5 == 0) {
        space.AddSphere(center, radius);
        balls.push_back({center, radius});
      }
    }
  }
}

}  // namespace
}  // namespace talus
