#include "solver/scene/container.h"

#include <gtest/gtest.h>

namespace talus {
namespace {

ShapeDef MakeTray(double wall_height) {
  ShapeDef tray;
  tray.geometry = Container{2.0, 3.0, wall_height, 0.1};
  tray.material = "stone";
  return tray;
}

TEST(ContainerTest, WithoutWallsItIsItsFloor) {
  const auto boxes = ExpandContainers({MakeTray(0.0)});
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_TRUE(std::get<Box>(boxes[0].geometry).half_extents_m.isApprox(Vec3(1.0, 1.5, 0.05)));
  EXPECT_TRUE(boxes[0].pose_body.position.isApprox(Vec3(0.0, 0.0, -0.05)));
  EXPECT_EQ(boxes[0].material, "stone");
}

TEST(ContainerTest, WallsStandOnTheFloorInTheStatedOrder) {
  const auto boxes = ExpandContainers({MakeTray(0.4)});
  ASSERT_EQ(boxes.size(), 5u);
  EXPECT_TRUE(std::get<Box>(boxes[0].geometry).half_extents_m.isApprox(Vec3(1.1, 1.6, 0.05)));
  EXPECT_TRUE(boxes[1].pose_body.position.isApprox(Vec3(-1.05, 0.0, 0.2)));
  EXPECT_TRUE(boxes[2].pose_body.position.isApprox(Vec3(1.05, 0.0, 0.2)));
  EXPECT_TRUE(boxes[3].pose_body.position.isApprox(Vec3(0.0, -1.55, 0.2)));
  EXPECT_TRUE(boxes[4].pose_body.position.isApprox(Vec3(0.0, 1.55, 0.2)));
  // The x walls reach round the corners, the y walls fit between them.
  EXPECT_TRUE(std::get<Box>(boxes[1].geometry).half_extents_m.isApprox(Vec3(0.05, 1.6, 0.2)));
  EXPECT_TRUE(std::get<Box>(boxes[3].geometry).half_extents_m.isApprox(Vec3(1.0, 0.05, 0.2)));
}

TEST(ContainerTest, ItsPoseIsThatOfTheTray) {
  ShapeDef tray = MakeTray(0.0);
  tray.pose_body.position = Vec3(0.0, 0.0, 5.0);
  tray.pose_body.orientation = Quat(Eigen::AngleAxisd(1.5707963267948966, Vec3::UnitX()));
  const auto boxes = ExpandContainers({tray});
  // The floor's centre, 0.05 m below the tray's origin, is now beside it along +y.
  EXPECT_TRUE(boxes[0].pose_body.position.isApprox(Vec3(0.0, 0.05, 5.0), 1e-12));
}

TEST(ContainerTest, OtherShapesStayWhereTheyAre) {
  ShapeDef ball;
  ball.geometry = Sphere{0.5};
  const auto shapes = ExpandContainers({ball, MakeTray(0.4), ball});
  ASSERT_EQ(shapes.size(), 7u);
  EXPECT_TRUE(std::holds_alternative<Sphere>(shapes[0].geometry));
  EXPECT_TRUE(std::holds_alternative<Box>(shapes[1].geometry));
  EXPECT_TRUE(std::holds_alternative<Sphere>(shapes[6].geometry));
}

}  // namespace
}  // namespace talus
