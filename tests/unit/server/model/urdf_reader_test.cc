// What the reader takes from a URDF file, what it lists, and what it says of a bad one.
#include "server/model/urdf_reader.h"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace talus::model {
namespace {

std::string FileOf(const std::string& inside) {
  return "<?xml version=\"1.0\"?>\n<robot name=\"arm\">\n" + inside + "\n</robot>\n";
}

UrdfModel ReadGood(const std::string& inside) {
  absl::StatusOr<UrdfModel> model = ReadUrdf(FileOf(inside));
  EXPECT_TRUE(model.ok()) << model.status();
  return model.ok() ? *std::move(model) : UrdfModel{};
}

std::string ReadErrorOf(const std::string& inside) {
  return std::string(ReadUrdf(FileOf(inside)).status().message());
}

TEST(UrdfReaderTest, ReadsALinkWithItsMatterAndShapes) {
  const UrdfModel model = ReadGood(R"(<link name="hand">
    <inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="2.5"/>
      <inertia ixx="1" iyy="2" izz="3" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial>
    <visual><geometry><mesh filename="package://arm/hand.dae"/></geometry></visual>
    <collision><geometry><box size="2 4 6"/></geometry></collision>
    <collision><origin xyz="0 0 1"/><geometry><sphere radius="0.5"/></geometry></collision>
    <collision><geometry><cylinder radius="0.25" length="3"/></geometry></collision>
    <collision><geometry><mesh filename="package://arm/hand.stl" scale="1 2 -3"/></geometry></collision>
    <collision><geometry><capsule radius="1" length="2"/></geometry></collision>
  </link>)");
  EXPECT_EQ(model.name, "arm");
  ASSERT_EQ(model.links.size(), 1u);
  const UrdfLink& hand = model.links[0];
  EXPECT_EQ(hand.name, "hand");
  EXPECT_EQ(hand.line, 3);
  ASSERT_TRUE(hand.inertial.has_value());
  EXPECT_EQ(hand.inertial->mass_kg, 2.5);
  EXPECT_EQ(hand.inertial->origin.position, Vec3(1, 2, 3));
  EXPECT_LT((hand.inertial->origin.orientation * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_EQ(hand.inertial->inertia_kg_m2(0, 1), 0.1);
  EXPECT_EQ(hand.inertial->inertia_kg_m2(2, 0), 0.2);
  EXPECT_EQ(hand.inertial->inertia_kg_m2(2, 1), 0.3);
  ASSERT_EQ(hand.collisions.size(), 5u);
  EXPECT_EQ(std::get<UrdfBox>(hand.collisions[0].shape).size_m, Vec3(2, 4, 6));
  EXPECT_EQ(std::get<UrdfSphere>(hand.collisions[1].shape).radius_m, 0.5);
  EXPECT_EQ(hand.collisions[1].origin.position, Vec3(0, 0, 1));
  EXPECT_EQ(hand.collisions[1].element, "link[hand].collision[1]");
  EXPECT_EQ(std::get<UrdfCylinder>(hand.collisions[2].shape).length_m, 3.0);
  EXPECT_EQ(std::get<UrdfMesh>(hand.collisions[3].shape).uri, "package://arm/hand.stl");
  EXPECT_EQ(std::get<UrdfMesh>(hand.collisions[3].shape).scale, Vec3(1, 2, -3));
  EXPECT_EQ(std::get<UrdfUnknownShape>(hand.collisions[4].shape).kind, "capsule");
  EXPECT_EQ(model.unsupported.count(), 0);
}

TEST(UrdfReaderTest, ReadsAJointWithItsAxisAndLimits) {
  const UrdfModel model = ReadGood(R"(<joint name="elbow" type="revolute">
    <origin xyz="0 0 1" rpy="0.1 0.2 0.3"/><parent link="a"/><child link="b"/>
    <axis xyz="0 3 4"/><limit lower="-1" upper="2" effort="30" velocity="4"/>
    <dynamics friction="0.5"/></joint>
    <joint name="slide" type="prismatic"><parent link="b"/><child link="c"/>
    <limit effort="1" velocity="1"/></joint>)");
  ASSERT_EQ(model.joints.size(), 2u);
  const UrdfJoint& elbow = model.joints[0];
  EXPECT_EQ(elbow.kind, UrdfJointKind::kRevolute);
  EXPECT_EQ(elbow.parent, "a");
  EXPECT_EQ(elbow.child, "b");
  EXPECT_LT((elbow.axis - Vec3(0, 0.6, 0.8)).norm(), 1e-15);
  ASSERT_TRUE(elbow.limit.has_value());
  EXPECT_EQ(elbow.limit->lower, -1.0);
  EXPECT_EQ(elbow.limit->upper, 2.0);
  EXPECT_EQ(elbow.limit->effort, 30.0);
  EXPECT_EQ(elbow.limit->velocity, 4.0);
  EXPECT_EQ(elbow.friction, 0.5);
  // About fixed axes, x first.
  const Mat3 turn = (Eigen::AngleAxisd(0.3, Vec3::UnitZ()) * Eigen::AngleAxisd(0.2, Vec3::UnitY()) *
                     Eigen::AngleAxisd(0.1, Vec3::UnitX()))
                        .toRotationMatrix();
  EXPECT_LT((elbow.origin.orientation.toRotationMatrix() - turn).norm(), 1e-15);
  EXPECT_EQ(model.joints[1].kind, UrdfJointKind::kPrismatic);
  EXPECT_EQ(model.joints[1].axis, Vec3::UnitX());
}

TEST(UrdfReaderTest, ListsWhatMeansNothingToASceneWithItsLine) {
  const UrdfModel model = ReadGood(R"(<link name="a"><self_collide/></link>
<transmission name="t"/><material name="red"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/>
<mimic joint="k"/><safety_controller k_velocity="1"/><dynamics damping="0.1"/></joint>
<gazebo reference="a"/>)");
  std::vector<std::string> listed;
  for (const UnsupportedElement& element : model.unsupported.first()) {
    listed.push_back(element.element + " " + std::to_string(element.line));
  }
  EXPECT_EQ(listed, (std::vector<std::string>{"link[a].self_collide 3", "robot.transmission 4",
                                              "joint[j].dynamics.damping 6", "joint[j].mimic 6",
                                              "joint[j].safety_controller 6", "robot.gazebo 7"}));
}

TEST(UrdfReaderTest, SaysWhatIsWrongAndWhere) {
  const std::string ends = R"(<parent link="a"/><child link="b"/>)";
  EXPECT_EQ(
      ReadErrorOf(R"(<link name="a b"/>)"),
      "urdf.link.name = \"a b\" must be 1 to 64 ASCII letters, digits, '-', '_', '.' (line 3)");
  EXPECT_EQ(ReadErrorOf("\n"
                        R"(<link name="a"><inertial><mass value="heavy"/></inertial></link>)"),
            "urdf.link[a].inertial.mass.value = \"heavy\" must be a finite number (line 4)");
  EXPECT_EQ(ReadErrorOf(R"(<link name="a"><inertial/></link>)"),
            "urdf.link[a].inertial.mass.value = \"\" must be a finite number (line 3)");
  EXPECT_EQ(ReadErrorOf(R"(<link name="a"><inertial><mass value="-1"/></inertial></link>)"),
            "urdf.link[a].inertial.mass.value = -1 must be >= 0 (line 3)");
  EXPECT_EQ(
      ReadErrorOf(
          R"(<link name="a"><collision><geometry><box size="1 2"/></geometry></collision></link>)"),
      "urdf.link[a].collision[0].geometry.box.size = \"1 2\" must be three finite numbers (line "
      "3)");
  EXPECT_EQ(
      ReadErrorOf(R"(<link name="a"><collision/></link>)"),
      "urdf.link[a].collision[0].geometry = nothing must hold a box, sphere, cylinder or mesh "
      "(line 1)");
  EXPECT_EQ(
      ReadErrorOf(R"(<joint name="j" type="ball">)" + ends + "</joint>"),
      "urdf.joint[j].type = \"ball\" must be fixed, revolute, continuous, prismatic, planar or "
      "floating (line 3)");
  EXPECT_EQ(ReadErrorOf(R"(<joint name="j" type="fixed"><child link="b"/></joint>)"),
            "urdf.joint[j].parent.link = \"\" must be 1 to 64 ASCII letters, digits, '-', '_', '.' "
            "(line 3)");
  EXPECT_EQ(
      ReadErrorOf(R"(<joint name="j" type="revolute">)" + ends + "</joint>"),
      "urdf.joint[j].limit = nothing must be there on a revolute or prismatic joint (line 3)");
  EXPECT_EQ(ReadErrorOf(R"(<joint name="j" type="revolute">)" + ends +
                        R"(<limit lower="2" upper="1" effort="1" velocity="1"/></joint>)"),
            "urdf.joint[j].limit.upper = 1 must be >= lower = 2 (line 3)");
  EXPECT_EQ(ReadErrorOf(R"(<joint name="j" type="continuous">)" + ends +
                        R"(<limit effort="inf" velocity="1"/></joint>)"),
            "urdf.joint[j].limit.effort = \"inf\" must be a finite number (line 3)");
  EXPECT_EQ(ReadErrorOf(R"(<joint name="j" type="continuous">)" + ends +
                        R"(<axis xyz="0 0 0"/></joint>)"),
            "urdf.joint[j].axis.xyz = (0, 0, 0) must not be zero (line 3)");
}

TEST(UrdfReaderTest, RefusesWhatIsNoUrdf) {
  EXPECT_EQ(ReadUrdf("<robot><link></robot>").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadUrdf("").status().message(),
            "urdf = No document element found must be XML (line 1)");
  EXPECT_EQ(ReadUrdf("<sdf/>").status().message(),
            "urdf = \"sdf\" must have the root element robot");
  EXPECT_EQ(ReadUrdf(std::string(kMaxUrdfBytes + 1, ' ')).status().message(),
            "urdf = 8388609 bytes must have at most 8388608");
  std::string many;
  for (size_t link = 0; link <= kMaxLinks; ++link) {
    many += "<link name=\"l" + std::to_string(link) + "\"/>";
  }
  EXPECT_EQ(ReadErrorOf(many), "urdf.link = one more must be at most 10000 (line 3)");
}

// Depth and entities are what other readers of XML break on.
TEST(UrdfReaderTest, DeepNestingAndEntitiesHarmNothing) {
  std::string deep;
  for (int level = 0; level < 200'000; ++level) deep += "<a>";
  EXPECT_FALSE(ReadUrdf(FileOf(deep)).ok());
  std::string closed = deep;
  for (int level = 0; level < 200'000; ++level) closed += "</a>";
  EXPECT_EQ(ReadGood(closed).unsupported.count(), 1);
  const std::string laughs =
      "<!DOCTYPE robot [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
      "<robot name=\"&b;\"/>";
  const absl::StatusOr<UrdfModel> model = ReadUrdf(laughs);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->name, "&b;");
}

}  // namespace
}  // namespace talus::model
