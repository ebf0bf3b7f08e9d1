// Joints survive encoding and decoding bit for bit; what no description can hold is refused by
// name.
#include "server/wire/joint_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "server/wire/scene_codec.h"
#include "solver/base/field_error.h"

namespace talus::wire {
namespace {

JointDef MakeJoint() {
  JointDef joint;
  joint.name = "drive";
  joint.body_a = "rail";
  joint.body_b = "block";
  joint.frame_a = {Vec3(0.1, -0.2, 0.3), Quat(0.5, 0.5, 0.5, 0.5)};
  joint.frame_b = {Vec3(1.0, 2.0, 3.0), Quat(0.0, 0.0, 1.0, 0.0)};
  joint.axes = {JointAxis::Motor(0.1),       JointAxis::Motor(-1.0, 490.0),
                JointAxis::Friction(5.3),    JointAxis::Locked(0.25),
                JointAxis::Spring(0.5, 3.0), JointAxis::Limited(-1.0, 2.0)};
  joint.bodies_collide = true;
  return joint;
}

TEST(JointCodec, KeepsEveryField) {
  SceneDef scene;
  scene.joints = {MakeJoint(), JointDef{}};
  v1::SceneSpec message;
  EncodeScene(scene, message);
  EXPECT_FALSE(message.joints(0).axes(0).has_max_force());
  const absl::StatusOr<SceneDef> back = DecodeScene(message, "spec");
  ASSERT_TRUE(back.ok()) << back.status();
  ASSERT_EQ(back->joints.size(), 2u);
  const JointDef& joint = back->joints[0];
  const JointDef sent = MakeJoint();
  EXPECT_EQ(joint.name, sent.name);
  EXPECT_EQ(joint.body_a, sent.body_a);
  EXPECT_EQ(joint.body_b, sent.body_b);
  EXPECT_EQ(joint.frame_a.position, sent.frame_a.position);
  EXPECT_EQ(joint.frame_a.orientation.coeffs(), sent.frame_a.orientation.coeffs());
  EXPECT_EQ(joint.frame_b.position, sent.frame_b.position);
  EXPECT_EQ(joint.frame_b.orientation.coeffs(), sent.frame_b.orientation.coeffs());
  EXPECT_TRUE(joint.bodies_collide);
  for (size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(joint.axes[k].mode, sent.axes[k].mode);
    EXPECT_EQ(joint.axes[k].position, sent.axes[k].position);
    EXPECT_EQ(joint.axes[k].compliance, sent.axes[k].compliance);
    EXPECT_EQ(joint.axes[k].lower, sent.axes[k].lower);
    EXPECT_EQ(joint.axes[k].upper, sent.axes[k].upper);
    EXPECT_EQ(joint.axes[k].velocity, sent.axes[k].velocity);
    EXPECT_EQ(joint.axes[k].max_force, sent.axes[k].max_force);
  }
}

TEST(JointCodec, AxesLeftOutAreFreeAndFramesLeftOutAreThoseOfTheBodies) {
  v1::SceneSpec message;
  v1::JointSpec& spec = *message.add_joints();
  spec.set_body_b("block");
  v1::JointAxis& axis = *spec.add_axes();
  axis.set_mode(v1::AXIS_MODE_FRICTION);
  const absl::StatusOr<SceneDef> scene = DecodeScene(message, "spec");
  ASSERT_TRUE(scene.ok());
  const JointDef& joint = scene->joints[0];
  EXPECT_EQ(joint.axes[0].max_force, 0.0);  // a seal has no force but the one it is given
  for (size_t k = 1; k < 6; ++k) EXPECT_EQ(joint.axes[k].mode, AxisMode::kFree);
  EXPECT_EQ(joint.frame_a.orientation.coeffs(), Quat::Identity().coeffs());
}

// Not even a force that no axis can have turns into one that it can.
TEST(JointCodec, OnlyAMotorIsWithoutLimit) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  JointDef joint = MakeJoint();
  joint.axes[1] = JointAxis::Friction(kInfinity);
  joint.axes[2] = JointAxis::Motor(1.0, std::numeric_limits<double>::quiet_NaN());
  SceneDef scene;
  scene.joints = {joint};
  v1::SceneSpec message;
  EncodeScene(scene, message);
  const absl::StatusOr<SceneDef> back = DecodeScene(message, "spec");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->joints[0].axes[0].max_force, kInfinity);
  EXPECT_EQ(back->joints[0].axes[1].max_force, kInfinity);
  EXPECT_TRUE(std::isnan(back->joints[0].axes[2].max_force));
}

TEST(JointCodec, RefusesWhatNoJointCanHold) {
  v1::SceneSpec message;
  v1::JointSpec& spec = *message.add_joints();
  spec.add_axes()->set_mode(static_cast<v1::AxisMode>(9));
  std::optional<FieldErrorParts> parts = GetFieldError(DecodeScene(message, "spec").status());
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->field, "spec.joints[0].axes[0].mode");
  spec.clear_axes();
  for (int k = 0; k < 7; ++k) spec.add_axes();
  parts = GetFieldError(DecodeScene(message, "spec").status());
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->field, "size(spec.joints[0].axes)");
}

TEST(JointCodec, TellsWhatAJointCarried) {
  JointRecord record;
  record.id = JointId{7};
  record.name = "drive";
  record.body_b = BodyId{3};
  record.force_n = Vec3(3.5, 0.0, -1.0);
  record.torque_n_m = Vec3(0.0, 2.0, 0.0);
  record.translation_m = Vec3(0.25, 0.0, 0.0);
  v1::JointState message;
  EncodeJointState(record, message);
  EXPECT_EQ(message.joint_id(), 7u);
  EXPECT_EQ(message.name(), "drive");
  EXPECT_EQ(message.body_a_id(), 0u);
  EXPECT_EQ(message.body_b_id(), 3u);
  EXPECT_EQ(message.force_n().x(), 3.5);
  EXPECT_EQ(message.force_n().z(), -1.0);
  EXPECT_EQ(message.torque_n_m().y(), 2.0);
  EXPECT_EQ(message.translation_m().x(), 0.25);
  EXPECT_EQ(message.axes_world().w(), 1.0);
}

}  // namespace
}  // namespace talus::wire
