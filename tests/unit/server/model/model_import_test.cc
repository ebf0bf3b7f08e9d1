// What bodies and joints a model becomes: frames, matter, axes, names, and what is refused.
#include "server/model/model_import.h"

#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <vector>

#include "solver/base/field_error.h"

namespace talus::model {
namespace {

constexpr double kPi = std::numbers::pi;

std::string Inertial(double mass, const std::string& origin = "0 0 0") {
  return "<inertial><origin xyz=\"" + origin + "\"/><mass value=\"" + std::to_string(mass) +
         "\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";
}
std::string Link(const std::string& name, const std::string& inside = Inertial(1.0)) {
  return "<link name=\"" + name + "\">" + inside + "</link>\n";
}
std::string Joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& inside = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/>" + inside + "</joint>\n";
}
std::string Robot(const std::string& inside) {
  return "<robot name=\"r\">\n" + inside + "</robot>";
}
const std::string kBall = "<collision><geometry><sphere radius=\"0.5\"/></geometry></collision>";
const std::string kLimit = R"(<limit lower="-1" upper="2" effort="30" velocity="4"/>)";

ImportedModel Import(const std::string& inside, const ModelOptions& options = {},
                     const std::vector<ModelFile>& files = {}) {
  absl::StatusOr<ImportedModel> model = ImportModel(Robot(inside), files, options);
  EXPECT_TRUE(model.ok()) << model.status();
  return model.ok() ? *std::move(model) : ImportedModel{};
}
std::string ErrorOf(const std::string& inside, const ModelOptions& options = {},
                    const std::vector<ModelFile>& files = {}) {
  return std::string(ImportModel(Robot(inside), files, options).status().message());
}

TEST(ModelImportTest, LinksThatAreFixedToEachOtherAreOneBody) {
  const ImportedModel model =
      Import(Link("base", Inertial(1.0) + kBall) + Link("tool", Inertial(3.0, "0 0 1") + kBall) +
             Link("camera", "") +
             Joint("mount", "fixed", "base", "tool",
                   R"(<origin xyz="2 0 0" rpy="0 1.5707963267948966 0"/>)") +
             Joint("eye", "fixed", "tool", "camera", R"(<origin xyz="0 0 4"/>)"));
  ASSERT_EQ(model.bodies.size(), 1u);
  EXPECT_TRUE(model.joints.empty());
  const BodyDef& body = model.bodies[0];
  EXPECT_EQ(body.name, "base");
  EXPECT_EQ(body.kind, BodyKind::kDynamic);
  EXPECT_EQ(body.mass_kg, 4.0);
  // The tool's matter is at (3, 0, 0): turned about y, its z is the base's x.
  EXPECT_LT((body.pose_world.position - Vec3(2.25, 0, 0)).norm(), 1e-15);
  // 1 kg m² of each, and 1 kg at 2.25 m, 3 kg at 0.75 m from the common centre.
  const double about = 2.0 + 1.0 * 2.25 * 2.25 + 3.0 * 0.75 * 0.75;
  EXPECT_LT(
      (*body.inertia_body_kg_m2 - Vec3(2.0, about, about).asDiagonal().toDenseMatrix()).norm(),
      1e-14);
  ASSERT_EQ(body.shapes.size(), 2u);
  EXPECT_LT((body.shapes[0].pose_body.position - Vec3(-2.25, 0, 0)).norm(), 1e-15);
  EXPECT_LT((body.shapes[1].pose_body.position - Vec3(-0.25, 0, 0)).norm(), 1e-15);
  ASSERT_EQ(model.report.links.size(), 3u);
  EXPECT_EQ(model.report.links[2].link, "camera");
  EXPECT_EQ(model.report.links[2].body, "base");
  EXPECT_LT((model.report.links[2].pose_body.position - Vec3(3.75, 0, 0)).norm(), 1e-14);
}

TEST(ModelImportTest, AJointMovesAlongTheAxisOfTheFile) {
  ModelOptions options;
  options.name = "left";
  options.pose_world = {Vec3(0, 0, 5), Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()))};
  options.base = ModelBase::kFixed;
  const ImportedModel model =
      Import(Link("base", kBall) + Link("arm", Inertial(2.0, "1 0 0")) +
                 Joint("shoulder", "revolute", "base", "arm",
                       R"(<origin xyz="0 1 0"/><axis xyz="0 0 2"/>)" + kLimit),
             options);
  ASSERT_EQ(model.bodies.size(), 2u);
  EXPECT_EQ(model.bodies[0].name, "left.base");
  EXPECT_EQ(model.bodies[0].kind, BodyKind::kStatic);
  EXPECT_FALSE(model.bodies[0].mass_kg.has_value());
  EXPECT_EQ(model.bodies[1].name, "left.arm");
  EXPECT_TRUE(model.bodies[1].shapes.empty());
  // base y is world -x, base x is world y.
  EXPECT_LT((model.bodies[1].pose_world.position - Vec3(-1, 1, 5)).norm(), 1e-14);
  ASSERT_EQ(model.joints.size(), 1u);
  const JointDef& joint = model.joints[0];
  EXPECT_EQ(joint.name, "left.shoulder");
  EXPECT_EQ(joint.body_a, "left.base");
  EXPECT_EQ(joint.body_b, "left.arm");
  EXPECT_LT((joint.frame_a.position - Vec3(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((joint.frame_b.position - Vec3(-1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((joint.frame_a.orientation * Vec3::UnitX() - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((joint.frame_b.orientation * Vec3::UnitX() - Vec3::UnitZ()).norm(), 1e-15);
  for (const size_t locked : {0, 1, 2, 4, 5}) {
    EXPECT_EQ(joint.axes[locked].mode, AxisMode::kLocked) << locked;
  }
  EXPECT_EQ(joint.axes[3].mode, AxisMode::kLimited);
  EXPECT_EQ(joint.axes[3].lower, -1.0);
  EXPECT_EQ(joint.axes[3].upper, 2.0);
  ASSERT_EQ(model.report.joints.size(), 1u);
  EXPECT_EQ(model.report.joints[0].name, "left.shoulder");
  EXPECT_EQ(model.report.joints[0].axis, 3);
  EXPECT_EQ(model.report.joints[0].limit.effort, 30.0);
}

TEST(ModelImportTest, StartsWhereTheJointsAreAskedToBe) {
  ModelOptions options;
  options.base = ModelBase::kFixed;
  options.joint_positions = {{"turn", kPi / 2}, {"slide", 0.5}};
  const ImportedModel model =
      Import(Link("base", kBall) + Link("arm") + Link("rod") +
                 Joint("turn", "continuous", "base", "arm", R"(<axis xyz="0 0 1"/>)") +
                 Joint("slide", "prismatic", "arm", "rod", R"(<origin xyz="1 0 0"/>)" + kLimit),
             options);
  ASSERT_EQ(model.bodies.size(), 3u);
  EXPECT_LT((model.bodies[2].pose_world.position - Vec3(0, 1.5, 0)).norm(), 1e-15);
  // The joint's own zero stays where it was.
  EXPECT_EQ(model.joints[1].frame_a.position, Vec3(1, 0, 0));
  options.joint_positions = {{"slide", 2.5}};
  const std::string robot = Link("base", kBall) + Link("rod") +
                            Joint("slide", "prismatic", "base", "rod", kLimit) + Link("tip") +
                            Joint("tip", "fixed", "rod", "tip");
  EXPECT_EQ(ErrorOf(robot, options),
            "options.joint_positions[0].position = 2.5 must be in [-1, 2]");
  options.joint_positions = {{"tip", 0.0}};
  EXPECT_EQ(ErrorOf(robot, options),
            "options.joint_positions[0].joint = \"tip\" must name a revolute, continuous or "
            "prismatic joint of the model");
  options.joint_positions = {{"slide", 0.5}, {"slide", 0.5}};
  EXPECT_EQ(ErrorOf(robot, options),
            "options.joint_positions[1].joint = \"slide\" must be given once");
}

TEST(ModelImportTest, TheWorldHoldsWhatIsFixedAndHasNoShape) {
  const std::string robot =
      Link("world", "") + Link("cart") + Joint("rail", "prismatic", "world", "cart", kLimit);
  ModelOptions options;
  options.pose_world.position = Vec3(1, 2, 3);
  const ImportedModel model = Import(robot, options);
  ASSERT_EQ(model.bodies.size(), 1u);
  EXPECT_EQ(model.joints[0].body_a, "");
  EXPECT_EQ(model.joints[0].frame_a.position, Vec3(1, 2, 3));
  EXPECT_EQ(model.report.links[0].body, "");
  EXPECT_EQ(model.report.links[0].pose_body.position, Vec3(1, 2, 3));
  // A root of that name that is to be free needs matter like any other.
  options.base = ModelBase::kFree;
  EXPECT_EQ(
      ErrorOf(robot, options),
      "urdf.link[world].inertial.mass = 0 must be > 0, with that of the links fixed to it, on "
      "a link that moves (line 2)");
}

TEST(ModelImportTest, EachKindOfJointLeavesItsFreedoms) {
  const auto free_axes = [](const std::string& kind, const std::string& inside = "") {
    const ImportedModel model = Import(Link("a") + Link("b") + Joint("j", kind, "a", "b", inside));
    std::string axes;
    if (model.joints.empty()) return "none of " + std::to_string(model.bodies.size());
    for (const JointAxis& axis : model.joints[0].axes) {
      axes += axis.mode == AxisMode::kLocked ? '-' : axis.mode == AxisMode::kFree ? 'f' : 'l';
    }
    return axes;
  };
  EXPECT_EQ(free_axes("continuous"), "---f--");
  EXPECT_EQ(free_axes("revolute", kLimit), "---l--");
  EXPECT_EQ(free_axes("prismatic", kLimit), "l-----");
  EXPECT_EQ(free_axes("planar"), "-fff--");
  EXPECT_EQ(free_axes("floating"), "none of 2");
  EXPECT_EQ(free_axes("fixed"), "none of 1");
  // Limits that meet hold the joint.
  EXPECT_EQ(free_axes("revolute", R"(<limit lower="1" upper="1" effort="1" velocity="1"/>)"),
            "------");
}

TEST(ModelImportTest, LimitsBeyondThreeRadiansAreListedAndTheJointIsFree) {
  const ImportedModel model =
      Import(Link("a") + Link("b") +
             Joint("j", "revolute", "a", "b",
                   R"(<limit lower="-3.14" upper="3.14" effort="1" velocity="1"/>)"));
  EXPECT_EQ(model.joints[0].axes[3].mode, AxisMode::kFree);
  ASSERT_EQ(model.report.unsupported.first().size(), 1u);
  EXPECT_EQ(model.report.unsupported.first()[0].element, "joint[j].limit");
  EXPECT_EQ(model.report.unsupported.first()[0].line, 4);
  EXPECT_EQ(model.report.unsupported.first()[0].effect,
            "limits beyond 3 rad: it turns without any");
}

TEST(ModelImportTest, FrictionAndMotorsAreJointsOfTheirOwn) {
  ModelOptions options;
  options.motors = true;
  const ImportedModel model =
      Import(Link("a") + Link("b") + Link("c") +
                 Joint("j", "revolute", "a", "b", kLimit + R"(<dynamics friction="0.25"/>)") +
                 Joint("k", "continuous", "b", "c"),
             options);
  std::vector<std::string> names;
  for (const JointDef& joint : model.joints) names.push_back(joint.name);
  EXPECT_EQ(names, (std::vector<std::string>{"j", "j.friction", "j.motor", "k", "k.motor"}));
  EXPECT_EQ(model.joints[1].axes[3].mode, AxisMode::kFriction);
  EXPECT_EQ(model.joints[1].axes[3].max_force, 0.25);
  EXPECT_EQ(model.joints[1].axes[0].mode, AxisMode::kFree);
  EXPECT_EQ(model.joints[2].axes[3].mode, AxisMode::kMotor);
  EXPECT_EQ(model.joints[2].axes[3].max_force, 30.0);
  EXPECT_TRUE(std::isinf(model.joints[4].axes[3].max_force));
}

TEST(ModelImportTest, BoundingBoxesStandForCylindersAndMeshesWhereAsked) {
  const std::string robot = Link("a", Inertial(1.0) + R"(
<collision><geometry><cylinder radius="0.25" length="3"/></geometry></collision>
<collision><origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/>
  <geometry><mesh filename="package://r/m.obj" scale="2 1 -1"/></geometry></collision>
<collision><geometry><mesh filename="package://r/gone.stl"/></geometry></collision>
<collision><geometry><capsule/></geometry></collision>)");
  const std::vector<ModelFile> files = {{"m.obj", "v 0 0 0\nv 1 2 4\n"}};
  const ImportedModel plain = Import(robot, {}, files);
  EXPECT_TRUE(plain.bodies[0].shapes.empty());
  EXPECT_EQ(plain.report.unsupported.count(), 4);
  EXPECT_EQ(plain.report.stand_in_count, 0);
  ModelOptions options;
  options.stand_in = ShapeStandIn::kBoundingBox;
  options.material = "steel";
  const ImportedModel boxes = Import(robot, options, files);
  ASSERT_EQ(boxes.bodies[0].shapes.size(), 2u);
  const ShapeDef& cylinder = boxes.bodies[0].shapes[0];
  EXPECT_EQ(std::get<Box>(cylinder.geometry).half_extents_m, Vec3(0.25, 0.25, 1.5));
  EXPECT_EQ(cylinder.material, "steel");
  const ShapeDef& mesh = boxes.bodies[0].shapes[1];
  EXPECT_EQ(std::get<Box>(mesh.geometry).half_extents_m, Vec3(1, 1, 2));
  // Its centre (1, 1, -2) turned about z and moved.
  EXPECT_LT((mesh.pose_body.position - Vec3(-1, 1, -1)).norm(), 1e-14);
  EXPECT_EQ(boxes.report.stand_in_count, 2);
  ASSERT_EQ(boxes.report.unsupported.first().size(), 2u);
  EXPECT_EQ(boxes.report.unsupported.first()[0].effect,
            "no file came for \"package://r/gone.stl\", so it is left out");
  EXPECT_EQ(boxes.report.unsupported.first()[1].effect,
            "a shape of the kind \"capsule\" is left out");
  const std::vector<ModelFile> broken = {{"x", ""}, {"m.obj", "v 1 2\n"}};
  EXPECT_EQ(ErrorOf(robot, options, broken),
            "files[1] = \"m.obj\" must be a mesh: line 1: \"\" is no coordinate");
}

TEST(ModelImportTest, StrictRefusesTheFirstThatIsUnsupported) {
  ModelOptions options;
  options.strict = true;
  EXPECT_EQ(
      ErrorOf(Link("a") + "<gazebo/>\n<gazebo/>", options),
      "urdf.robot.gazebo = unsupported must not be there in a strict import: nothing comes of "
      "it (line 3, 1 of 2)");
  EXPECT_EQ(ErrorOf(Link("a") + "<material name=\"red\"/>", options), "");
}

TEST(ModelImportTest, TellsSoManyUnsupportedAndCountsTheRest) {
  std::string many = Link("a");
  for (int count = 0; count < 300; ++count) many += "<gazebo/>\n";
  const ImportedModel model = Import(many);
  EXPECT_EQ(model.report.unsupported.first().size(), kMostUnsupportedTold);
  EXPECT_EQ(model.report.unsupported.count(), 300);
}

TEST(UnsupportedListTest, KeepsTheFirstOfTheFile) {
  UnsupportedList list;
  for (int64_t line = 1000; line > 0; --line) list.Add({"a", line, ""});
  list.Add({"b", 1, ""});
  EXPECT_EQ(list.count(), 1001);
  ASSERT_EQ(list.first().size(), kMostUnsupportedTold);
  EXPECT_EQ(list.first()[0].element, "a");
  EXPECT_EQ(list.first()[1].element, "b");
  EXPECT_EQ(list.first().back().line, static_cast<int64_t>(kMostUnsupportedTold) - 1);
}

TEST(ModelImportTest, LinksMakeOneTree) {
  const std::string two = Link("a") + Link("b");
  EXPECT_EQ(ErrorOf(""), "urdf.link = none must be at least one");
  EXPECT_EQ(ErrorOf(Link("a") + Link("a")), "urdf.link.name = \"a\" must be given once (line 3)");
  EXPECT_EQ(ErrorOf(two),
            "urdf.link[b] = no child of a joint must hang on \"a\", the root (line 3)");
  EXPECT_EQ(ErrorOf(two + Joint("j", "floating", "a", "c")),
            "urdf.joint[j].child.link = \"c\" must be the name of a link (line 4)");
  EXPECT_EQ(ErrorOf(two + Joint("j", "fixed", "a", "b") + Joint("j", "fixed", "a", "b")),
            "urdf.joint.name = \"j\" must be given once (line 5)");
  EXPECT_EQ(ErrorOf(two + Joint("j", "fixed", "a", "b") + Joint("k", "fixed", "a", "b")),
            "urdf.joint[k].child.link = \"b\" must be the child of one joint alone (line 5)");
  EXPECT_EQ(ErrorOf(two + Joint("j", "fixed", "a", "b") + Joint("k", "fixed", "b", "a")),
            "urdf.joint = a ring of links must make a tree of all links");
  EXPECT_EQ(
      ErrorOf(Link("r") + two + Joint("j", "fixed", "a", "b") + Joint("k", "fixed", "b", "a")),
      "urdf.joint = a ring of links must make a tree of all links");
}

TEST(ModelImportTest, RefusesInTheWordsOfTheFile) {
  ModelOptions options;
  options.name = "no name";
  EXPECT_NE(ErrorOf(Link("a"), options).find("options.name"), std::string::npos);
  options = {};
  options.pose_world.position.x() = 1e300;
  EXPECT_NE(ErrorOf(Link("a"), options).find("options.position_world_m.x"), std::string::npos);
  const std::string flat = R"(<inertial><mass value="1"/><inertia ixx="1"/></inertial>)";
  EXPECT_EQ(ErrorOf(Link("a") + Link("b", flat) + Joint("j", "floating", "a", "b")),
            "urdf.link[b].inertia_body_kg_m2.yy = 0 must be > 0");
  const std::string tiny = "<collision><geometry><sphere radius=\"-1\"/></geometry></collision>";
  EXPECT_EQ(ErrorOf(Link("a", Inertial(1.0) + tiny)),
            "urdf.link[a].shapes[0].sphere.radius_m = -1 must be > 0");
  std::string many;
  for (int count = 0; count < 65; ++count) many += kBall;
  EXPECT_EQ(ErrorOf(Link("a", Inertial(1.0) + many)),
            "size(urdf.link[a].shapes) = 65 must be in [0, 64]");
  const std::string far = R"(<origin xyz="1e300 0 0"/>)";
  EXPECT_NE(ErrorOf(Link("a") + Link("b") + Joint("j", "continuous", "a", "b", far)).find("urdf."),
            std::string::npos);
}

TEST(ModelImportTest, NamesFieldsOfWhatAreItsOwn) {
  const ImportedModel model = Import(Link("a") + Link("b") + Joint("j", "continuous", "a", "b"));
  EXPECT_EQ(NameField("bodies[3].name", model, 2, 0), "urdf.link[b].name");
  EXPECT_EQ(NameField("bodies[1].name", model, 2, 0), "bodies[1].name");
  EXPECT_EQ(NameField("bodies[4].name", model, 2, 0), "bodies[4].name");
  EXPECT_EQ(NameField("size(bodies[2].shapes)", model, 2, 0), "size(urdf.link[a].shapes)");
  EXPECT_EQ(NameField("joints[0].name", model, 0, 0), "urdf.joint[j].name");
  EXPECT_EQ(NameField("settings.solver.solver", model, 0, 0), "settings.solver.solver");
  EXPECT_EQ(NameField("bodies[x", model, 0, 0), "bodies[x");
}

}  // namespace
}  // namespace talus::model
