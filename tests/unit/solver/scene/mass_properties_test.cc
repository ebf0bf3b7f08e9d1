#include "solver/scene/mass_properties.h"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

namespace talus {
namespace {

ShapeDef Shape(const Geometry& geometry, const Vec3& position = Vec3::Zero()) {
  ShapeDef shape;
  shape.geometry = geometry;
  shape.pose_body.position = position;
  return shape;
}

TEST(MassPropertiesTest, ASphere) {
  const ShapeDef ball = Shape(Sphere{0.5});
  const MassProperties mass = ComputeMassProperties({&ball, 1}, 2500.0);
  EXPECT_NEAR(mass.mass_kg, 2500.0 * std::numbers::pi / 6.0, 1e-9);
  EXPECT_TRUE(mass.inertia_body_kg_m2.isApprox(0.4 * mass.mass_kg * 0.25 * Mat3::Identity()));
}

TEST(MassPropertiesTest, ABoxAndTheSameBoxCutInTwo) {
  const ShapeDef whole = Shape(Box{Vec3(1.0, 0.5, 0.25)});
  const std::vector<ShapeDef> halves = {Shape(Box{Vec3(0.5, 0.5, 0.25)}, Vec3(-0.5, 0, 0)),
                                        Shape(Box{Vec3(0.5, 0.5, 0.25)}, Vec3(0.5, 0, 0))};
  const MassProperties a = ComputeMassProperties({&whole, 1}, 10.0);
  const MassProperties b = ComputeMassProperties(halves, 10.0);
  EXPECT_NEAR(a.mass_kg, 10.0, 1e-12);
  EXPECT_NEAR(a.inertia_body_kg_m2(0, 0), 10.0 / 3.0 * (0.25 + 0.0625), 1e-12);
  EXPECT_TRUE(a.inertia_body_kg_m2.isApprox(b.inertia_body_kg_m2, 1e-14));
  EXPECT_TRUE(b.center_body_m.isZero(1e-15));
}

TEST(MassPropertiesTest, ATurnedBoxTurnsItsInertia) {
  ShapeDef box = Shape(Box{Vec3(1.0, 0.5, 0.25)});
  const MassProperties straight = ComputeMassProperties({&box, 1}, 1.0);
  box.pose_body.orientation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  const Mat3 turn = box.pose_body.orientation.toRotationMatrix();
  const MassProperties turned = ComputeMassProperties({&box, 1}, 1.0);
  EXPECT_TRUE(turned.inertia_body_kg_m2.isApprox(
      turn * straight.inertia_body_kg_m2 * turn.transpose(), 1e-14));
  EXPECT_EQ(turned.inertia_body_kg_m2, Mat3(turned.inertia_body_kg_m2.transpose()));
}

TEST(MassPropertiesTest, AnOffCentreBallIsTakenAboutItsOwnCentre) {
  const ShapeDef ball = Shape(Sphere{1.0}, Vec3(3.0, 0.0, 0.0));
  const MassProperties mass = ComputeMassProperties({&ball, 1}, 1.0);
  EXPECT_TRUE(mass.center_body_m.isApprox(Vec3(3.0, 0.0, 0.0)));
  EXPECT_NEAR(mass.inertia_body_kg_m2(1, 1), 0.4 * mass.mass_kg, 1e-12);
}

TEST(MassPropertiesTest, PlanesWeighNothing) {
  const std::vector<ShapeDef> shapes = {Shape(Sphere{1.0}), Shape(Plane{})};
  const MassProperties both = ComputeMassProperties(shapes, 1.0);
  const MassProperties ball = ComputeMassProperties({shapes.data(), 1}, 1.0);
  EXPECT_EQ(both.mass_kg, ball.mass_kg);
  EXPECT_EQ(both.inertia_body_kg_m2, ball.inertia_body_kg_m2);
}

TEST(MassPropertiesTest, ScalingKeepsTheDistribution) {
  const ShapeDef box = Shape(Box{Vec3(1.0, 0.5, 0.25)});
  const MassProperties mass = ComputeMassProperties({&box, 1}, 3.0);
  const MassProperties scaled = ScaleToMass(mass, 6.0);
  EXPECT_EQ(scaled.mass_kg, 6.0);
  EXPECT_TRUE(
      (scaled.inertia_body_kg_m2 / 6.0).isApprox(mass.inertia_body_kg_m2 / mass.mass_kg, 1e-15));
}

TEST(MassPropertiesTest, TheBoundingRadiusHoldsEverything) {
  const std::vector<ShapeDef> shapes = {Shape(Sphere{1.0}, Vec3(0, 2, 0)),
                                        Shape(Box{Vec3(1, 2, 2)})};
  EXPECT_DOUBLE_EQ(ComputeBoundingRadius(shapes), 3.0);
}

}  // namespace
}  // namespace talus
