#include "solver/state/body_store.h"

#include <gtest/gtest.h>

#include <vector>

namespace talus {
namespace {

// Balls about the body's origin, and every third shape none.
ShapeRow MakeShape(int k, size_t index) {
  ShapeRow shape;
  const double size = 1.0 + k + 0.1 * static_cast<double>(index);
  shape.geometry = Sphere{size};
  shape.material = static_cast<uint32_t>(40 + k);
  const size_t kind = (static_cast<size_t>(k) + index) % 6;
  if (kind == 1) shape.pose_body.position.x() = size;
  if (kind == 4) shape.geometry = Box{Vec3::Constant(size)};
  return shape;
}

void ExpectSameShape(const ShapeRow& a, const ShapeRow& b) {
  EXPECT_EQ(a.geometry.index(), b.geometry.index());
  EXPECT_EQ(a.pose_body.position, b.pose_body.position);
  EXPECT_EQ(a.material, b.material);
  if (const auto* sphere = std::get_if<Sphere>(&a.geometry)) {
    EXPECT_EQ(sphere->radius_m, std::get<Sphere>(b.geometry).radius_m);
  } else {
    EXPECT_EQ(std::get<Box>(a.geometry).half_extents_m, std::get<Box>(b.geometry).half_extents_m);
  }
}

// Round, and of every fourth body not.
Mat3 MakeInertia(int k) {
  return k % 4 == 2 ? Mat3(Vec3(1.0 + k, 1.5 + k, 2.0 + k).asDiagonal())
                    : Mat3((1.0 + k) * Mat3::Identity());
}

// Body number k, told apart in every column; k % 3 + 1 shapes.
void AddNumbered(BodyStore& bodies, int k, const std::string& name = "") {
  std::vector<ShapeRow> shapes(static_cast<size_t>(k % 3 + 1));
  for (size_t index = 0; index < shapes.size(); ++index) {
    shapes[index] = MakeShape(k, index);
  }
  BodyRow row;
  row.name = name;
  row.kind = k % 2 == 0 ? BodyKind::kDynamic : BodyKind::kStatic;
  row.pose_world.position = Vec3::Constant(k);
  row.linear_velocity = Vec3::Constant(10 + k);
  row.angular_velocity = Vec3::Constant(20 + k);
  row.mass = 1.0 + k;
  row.inertia_body = MakeInertia(k);
  row.still_steps = static_cast<uint32_t>(30 + k);
  row.shapes = shapes;
  bodies.Add(row);
}

void ExpectNumbered(const BodyStore& bodies, const std::vector<int>& numbers) {
  ASSERT_EQ(bodies.size(), numbers.size());
  size_t shape_count = 0;
  for (size_t row = 0; row < numbers.size(); ++row) {
    const int k = numbers[row];
    EXPECT_EQ(bodies.positions()[row], Vec3::Constant(k));
    EXPECT_EQ(bodies.linear_velocities()[row], Vec3::Constant(10 + k));
    EXPECT_EQ(bodies.angular_velocities()[row], Vec3::Constant(20 + k));
    EXPECT_EQ(bodies.still_steps()[row], static_cast<uint32_t>(30 + k));
    EXPECT_EQ(bodies.inverse_masses()[row], k % 2 == 0 ? 1.0 / (1.0 + k) : 0.0);
    EXPECT_EQ(bodies.masses()[row], k % 2 == 0 ? 1.0 + k : 0.0);
    EXPECT_EQ(bodies.inertias().inertia(row), k % 2 == 0 ? MakeInertia(k) : Mat3(Mat3::Zero()));
    const auto [begin, end] = bodies.shapes().rows_of(row);
    ASSERT_EQ(end - begin, static_cast<size_t>(k % 3 + 1));
    for (size_t index = 0; index < end - begin; ++index) {
      const ShapeRow shape = bodies.shapes()[begin + index];
      EXPECT_EQ(shape.body, row);
      EXPECT_EQ(shape.index, index);
      ExpectSameShape(shape, MakeShape(k, index));
      ++shape_count;
    }
    EXPECT_EQ(bodies.FindRow(bodies.ids()[row]), row);
  }
  EXPECT_EQ(bodies.shapes().size(), shape_count);
}

TEST(BodyStoreTest, IdsGrowFromOne) {
  BodyStore bodies;
  for (int k = 0; k < 4; ++k) AddNumbered(bodies, k);
  ExpectNumbered(bodies, {0, 1, 2, 3});
  EXPECT_EQ(bodies.ids()[0], BodyId{1});
  EXPECT_EQ(bodies.ids()[3], BodyId{4});
  EXPECT_FALSE(bodies.FindRow(BodyId{0}).has_value());
  EXPECT_FALSE(bodies.FindRow(BodyId{5}).has_value());
}

TEST(BodyStoreTest, RemovalKeepsTheOrderAndReusesNoId) {
  BodyStore bodies;
  for (int k = 0; k < 6; ++k) AddNumbered(bodies, k);
  bodies.Remove(std::vector<uint8_t>{1, 0, 0, 1, 0, 1});
  ExpectNumbered(bodies, {1, 2, 4});
  AddNumbered(bodies, 6);
  ExpectNumbered(bodies, {1, 2, 4, 6});
  EXPECT_EQ(bodies.ids()[3], BodyId{7});
  EXPECT_FALSE(bodies.FindRow(BodyId{1}).has_value());
  bodies.Remove(std::vector<uint8_t>{1, 1, 1, 1});
  ExpectNumbered(bodies, {});
}

TEST(BodyStoreTest, NamesFollowTheirBodies) {
  BodyStore bodies;
  AddNumbered(bodies, 0, "a");
  AddNumbered(bodies, 1);
  AddNumbered(bodies, 2, "c");
  EXPECT_EQ(bodies.FindRow("c"), 2u);
  bodies.Remove(std::vector<uint8_t>{1, 0, 0});
  EXPECT_EQ(bodies.FindRow("c"), 1u);
  EXPECT_EQ(bodies.name(1), "c");
  EXPECT_EQ(bodies.name(0), "");
  EXPECT_FALSE(bodies.FindRow("a").has_value());
  EXPECT_FALSE(bodies.FindRow("").has_value());
}

TEST(BodyStoreTest, TruncateTakesBackAsIfNeverAdded) {
  BodyStore bodies;
  for (int k = 0; k < 3; ++k) AddNumbered(bodies, k);
  AddNumbered(bodies, 3, "late");
  AddNumbered(bodies, 4);
  bodies.Truncate(3, 4);
  ExpectNumbered(bodies, {0, 1, 2});
  EXPECT_FALSE(bodies.FindRow("late").has_value());
  AddNumbered(bodies, 3, "late");
  EXPECT_EQ(bodies.ids()[3], BodyId{4});
  ExpectNumbered(bodies, {0, 1, 2, 3});
}

TEST(BodyStoreTest, RoundBodiesHaveNoTensor) {
  BodyStore bodies;
  for (int k = 0; k < 7; ++k) AddNumbered(bodies, k);
  bodies.Remove(std::vector<uint8_t>{0, 0, 0, 0, 1, 0, 0});
  const InertiaTable& inertias = bodies.inertias();
  EXPECT_EQ(inertias.tensor_count(), 2u);
  EXPECT_EQ(inertias.tensor_rows()[2], 0u);
  EXPECT_EQ(inertias.tensor_rows()[5], 1u);
  EXPECT_TRUE(inertias.round(0));
  EXPECT_EQ(inertias.inverses()[0], 1.0);
  EXPECT_EQ(inertias.inverses()[1], 0.0);  // static
  EXPECT_TRUE((inertias.inverse(5) * inertias.inertia(5)).isIdentity(1e-15));
}

TEST(BodyStoreTest, SwapMotionExchangesColumns) {
  BodyStore bodies;
  AddNumbered(bodies, 0);
  std::vector<Vec3> positions = {Vec3(7, 7, 7)};
  std::vector<Quat> orientations = {Quat::Identity()};
  std::vector<Vec3> linear = {Vec3(8, 8, 8)};
  std::vector<Vec3> angular = {Vec3(9, 9, 9)};
  bodies.SwapMotion(positions, orientations, linear, angular);
  EXPECT_EQ(bodies.positions()[0], Vec3(7, 7, 7));
  EXPECT_EQ(bodies.angular_velocities()[0], Vec3(9, 9, 9));
  EXPECT_EQ(linear[0], Vec3::Constant(10));
}

TEST(BodyStoreTest, OnlyWhoSleepsIsWoken) {
  BodyStore bodies;
  AddNumbered(bodies, 0);
  AddNumbered(bodies, 1);
  std::vector<uint32_t> still_steps = {BodyStore::kAsleep, 5};
  bodies.SwapStillSteps(still_steps);
  EXPECT_EQ(still_steps, (std::vector<uint32_t>{30, 31}));
  EXPECT_TRUE(bodies.asleep(0));
  EXPECT_FALSE(bodies.asleep(1));
  bodies.Wake(0);
  bodies.Wake(1);
  EXPECT_EQ(bodies.still_steps()[0], 0u);
  EXPECT_EQ(bodies.still_steps()[1], 5u);
}

}  // namespace
}  // namespace talus
