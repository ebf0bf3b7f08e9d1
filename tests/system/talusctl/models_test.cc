// Robots by talusctl: a URDF file and its meshes into a new scene and into one that stands, and
// what is said where that fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/system/talusctl/talusctl_server.h"

namespace talus::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kArm[] = R"(<robot name="arm">
<link name="base"><collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
<link name="hand"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
  <inertia ixx="0.1" iyy="0.2" izz="0.2"/></inertial>
  <visual><geometry><mesh filename="package://arm/meshes/drawn.stl"/></geometry></visual>
  <collision><geometry><mesh filename="package://arm/meshes/hand.obj"/></geometry></collision></link>
<joint name="wrist" type="revolute"><origin xyz="0 0 2"/><parent link="base"/><child link="hand"/>
  <axis xyz="0 1 0"/><limit lower="-1.5" upper="1.5" effort="5" velocity="2"/></joint>
<transmission name="unused"/>
</robot>)";

class TalusctlModels : public TalusctlServerTest {
 protected:
  void SetUp() override {
    TalusctlServerTest::SetUp();
    std::filesystem::create_directories(folder_ + "/arm/urdf");
    std::filesystem::create_directories(folder_ + "/arm/meshes");
    urdf_ = Write("arm/urdf/arm.urdf", kArm);
    Write("arm/meshes/hand.obj", "v 0 0 0\nv 1 0 0\nv 0 0.5 0\nv 0 0 0.25\nf 1 2 3\n");
    // Nobody needs it, and what is no mesh would be refused.
    Write("arm/meshes/drawn.stl", "no mesh");
  }
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }

  std::string urdf_;
};

TEST_F(TalusctlModels, MakeASceneOfARobotAlone) {
  const TalusctlResult made = Run({"create", "--urdf", urdf_, "--base", "fixed", "--id", "a"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out,
              AllOf(StartsWith("scenes/a "), HasSubstr("bodies 2 "), HasSubstr("\nwrist "),
                    HasSubstr("axis 3  from -1.5 to 1.5 rad"), HasSubstr("effort 5 N m")));
  EXPECT_THAT(made.err, AllOf(HasSubstr(urdf_ + ":6: link[hand].collision"),
                              HasSubstr(urdf_ + ":9: robot.transmission: nothing comes of it")));
}

TEST_F(TalusctlModels, BringTheMeshesOfShapesAlong) {
  const auto made = RunForJson<v1::CreateSceneResponse>(
      {"create", "--urdf", urdf_, "--base", "fixed", "--stand-in", "bounding_box"});
  EXPECT_EQ(made.model().stand_in_count(), 1);
  EXPECT_EQ(made.model().unsupported_count(), 1);
  const std::string moved = Write("arm.urdf", kArm);
  EXPECT_EQ(RunForJson<v1::CreateSceneResponse>(
                {"create", "--urdf", moved, "--base", "fixed", "--stand-in", "bounding_box"})
                .model()
                .stand_in_count(),
            1)
      << "the package lies beside the file";
  std::filesystem::remove(folder_ + "/arm/meshes/hand.obj");
  const TalusctlResult without =
      Run({"create", "--urdf", urdf_, "--base", "fixed", "--stand-in", "bounding_box"});
  EXPECT_EQ(without.exit_code, 0);
  EXPECT_THAT(without.err, HasSubstr("no file came for"));
}

TEST_F(TalusctlModels, PutARobotIntoASceneFile) {
  const auto made = RunForJson<v1::CreateSceneResponse>(
      {"create", "rolling_disk", "--solver", "newton", "--urdf", urdf_, "--base", "fixed",
       "--position", "-5,0,1", "--orientation", "0,0,0,1", "--model-name", "left", "--motors",
       "--joint", "wrist=-0.5"});
  EXPECT_EQ(made.model().links(0).body(), "left.base");
  EXPECT_EQ(made.scene().joint_count(), 2);
  EXPECT_GT(made.scene().body_count(), 2);
}

TEST_F(TalusctlModels, PutARobotIntoASceneThatStands) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--solver", "newton", "--id", "a"}).exit_code, 0);
  const TalusctlResult first = Run({"import", urdf_, "--base", "fixed", "--model-name", "left"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, AllOf(StartsWith("scenes/a has "), HasSubstr("\nleft.wrist ")));
  const auto second =
      RunForJson<v1::ModelReport>({"import", urdf_, "a", "--base", "fixed", "--model-name", "right",
                                   "--stand-in", "bounding_box"});
  EXPECT_EQ(second.joints(0).name(), "right.wrist");
  EXPECT_EQ(second.stand_in_count(), 1);
  const TalusctlResult again = Run({"import", "--base", "fixed", "--joint", "wrist=0.5", "--joint",
                                    "wrist=0.5", "--model-name", "right", urdf_, "a"});
  EXPECT_EQ(again.exit_code, 13);
  EXPECT_THAT(again.err, HasSubstr("joint_positions[1].joint"));
  const TalusctlResult taken = Run(
      {"import", "--base", "fixed", "--joint", "wrist=0.5", "--model-name", "right", urdf_, "a"});
  EXPECT_EQ(taken.exit_code, 16);
  EXPECT_THAT(taken.err, HasSubstr("right.base"));
}

TEST_F(TalusctlModels, SayWhereAFileIsWrong) {
  std::string broken = kArm;
  broken.replace(broken.find("upper=\"1.5\""), 11, "upper=\"much\"");
  const std::string path = Write("broken.urdf", broken);
  const TalusctlResult refused = Run({"create", "--urdf", path});
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr(path + ": urdf.joint[wrist].limit.upper"), HasSubstr("(line 8)")));
  const TalusctlResult option =
      Run({"create", "--urdf", urdf_, "--base", "fixed", "--joint", "elbow=1"});
  EXPECT_EQ(option.exit_code, 13);
  EXPECT_THAT(option.err, AllOf(HasSubstr("joint_positions[0].joint"), Not(HasSubstr(urdf_))));
  EXPECT_EQ(Run({"create", "--urdf", urdf_, "--strict"}).exit_code, 13);
  const std::string scene = Write("scene.json", "{\n\"settings\": {\n\"timeStepS\": -1}}");
  EXPECT_THAT(Run({"create", scene, "--urdf", urdf_, "--base", "fixed"}).err,
              HasSubstr(scene + ":3: urdf.scene.settings.time_step_s"));
}

TEST_F(TalusctlModels, RefuseWhatMakesNoSense) {
  EXPECT_EQ(Run({"create"}).exit_code, 2);
  EXPECT_EQ(Run({"create", "--urdf", folder_ + "/nothing.urdf"}).exit_code, 2);
  EXPECT_EQ(Run({"import", folder_ + "/nothing.urdf"}).exit_code, 2);
  EXPECT_EQ(Run({"import"}).exit_code, 2);
  EXPECT_EQ(Run({"create", "--urdf", urdf_, "--snapshot", "s"}).exit_code, 2);
  EXPECT_EQ(Run({"create", "--urdf", urdf_, "--named", "rolling_disk"}).exit_code, 2);
  EXPECT_EQ(Run({"create", "--urdf", urdf_, "--law", "ncp"}).exit_code, 2)
      << "there is no scene file to change";
  EXPECT_EQ(Run({"create", "rolling_disk", "--motors"}).exit_code, 2) << "there is no robot";
  for (const char* joint : {"wrist", "wrist=", "=1", "wrist=1x"}) {
    const TalusctlResult result = Run({"create", "--urdf", urdf_, "--joint", joint});
    EXPECT_EQ(result.exit_code, 2) << joint;
    EXPECT_THAT(result.err, HasSubstr("NAME=POSITION"));
  }
  EXPECT_EQ(Run({"create", "--urdf", urdf_, "--position", "1,2"}).exit_code, 2);
  EXPECT_EQ(Run({"import", urdf_, "none"}).exit_code, 15);
}

}  // namespace
}  // namespace talus::testing
