// What a joint must be: one valid case, and beside it each way to be wrong, by the field it names.
#include <gtest/gtest.h>

#include <functional>

#include "solver/base/field_error.h"
#include "solver/scene/validate.h"
#include "tests/support/special_numbers.h"

namespace talus {
namespace {

using testing::kInfinity;
using testing::kNan;

std::optional<BodyKind> FindBodyKind(std::string_view name) {
  if (name == "arm" || name == "base") return BodyKind::kDynamic;
  if (name == "rail") return BodyKind::kStatic;
  if (name == "belt") return BodyKind::kKinematic;
  return std::nullopt;
}

JointDef ValidHinge() {
  JointDef hinge;
  hinge.name = "hinge";
  hinge.body_a = "base";
  hinge.body_b = "arm";
  for (int k = 0; k < 5; ++k) hinge.axes[k] = JointAxis::Locked();
  hinge.axes[5] = JointAxis::Limited(-1.0, 2.0);
  return hinge;
}

absl::Status Check(std::vector<JointDef> joints) {
  return ValidateJoints(
      joints, [](std::string_view name) { return name == "taken"; }, FindBodyKind);
}

TEST(ValidateJoint, TakesWhatIsValid) {
  EXPECT_TRUE(Check({ValidHinge()}).ok()) << Check({ValidHinge()});
  JointDef to_world = ValidHinge();
  to_world.name.clear();
  to_world.body_a.clear();
  to_world.axes[0] = JointAxis::Motor(1.0);
  to_world.axes[1] = JointAxis::Spring(0.5, 1e6);
  to_world.axes[2] = JointAxis::Friction(0.0);
  EXPECT_TRUE(Check({ValidHinge(), to_world}).ok()) << Check({ValidHinge(), to_world});
}

TEST(ValidateJoint, MakesOrientationsUnit) {
  std::vector<JointDef> joints{ValidHinge()};
  joints[0].frame_b.orientation.coeffs() *= 1.0 + 1e-7;
  ASSERT_TRUE(ValidateJoints(
                  joints, [](std::string_view) { return false; }, FindBodyKind)
                  .ok());
  EXPECT_NEAR(joints[0].frame_b.orientation.norm(), 1.0, 1e-15);
}

TEST(ValidateJoint, NamesTheFieldThatIsWrong) {
  struct Case {
    const char* field;
    std::function<void(JointDef&)> spoil;
  };
  const Case cases[] = {
      {"joints[0].name", [](JointDef& j) { j.name = "a b"; }},
      {"joints[0].name", [](JointDef& j) { j.name = "taken"; }},
      {"joints[0].body_a", [](JointDef& j) { j.body_a = "nobody"; }},
      {"joints[0].body_b", [](JointDef& j) { j.body_b = ""; }},
      {"joints[0].body_b", [](JointDef& j) { j.body_b = "base"; }},
      {"joints[0].body_b", [](JointDef& j) { j.body_a = "", j.body_b = "rail"; }},
      {"joints[0].body_b", [](JointDef& j) { j.body_a = "rail", j.body_b = "belt"; }},
      {"joints[0].position_a_m.y", [](JointDef& j) { j.frame_a.position.y() = kNan; }},
      {"joints[0].position_b_m.x", [](JointDef& j) { j.frame_b.position.x() = 1e7; }},
      {"joints[0].orientation_a", [](JointDef& j) { j.frame_a.orientation.w() = 2.0; }},
      {"joints[0].axes[1].mode", [](JointDef& j) { j.axes[1].mode = static_cast<AxisMode>(5); }},
      {"joints[0].axes[0].position", [](JointDef& j) { j.axes[0].position = kInfinity; }},
      {"joints[0].axes[3].position", [](JointDef& j) { j.axes[3].position = 3.1; }},
      {"joints[0].axes[0].compliance", [](JointDef& j) { j.axes[0].compliance = -1.0; }},
      {"joints[0].axes[5].lower", [](JointDef& j) { j.axes[5].lower = -3.1; }},
      {"joints[0].axes[5].upper", [](JointDef& j) { j.axes[5].upper = -1.0; }},
      {"joints[0].axes[5].velocity", [](JointDef& j) { j.axes[5].velocity = 1.0; }},
      {"joints[0].axes[5].compliance", [](JointDef& j) { j.axes[5].compliance = 1.0; }},
      {"joints[0].axes[0].velocity", [](JointDef& j) { j.axes[0] = JointAxis::Motor(2e6); }},
      {"joints[0].axes[0].max_force", [](JointDef& j) { j.axes[0] = JointAxis::Motor(1.0, -1.0); }},
      {"joints[0].axes[0].max_force",
       [](JointDef& j) { j.axes[0] = JointAxis::Motor(1.0, -kInfinity); }},
      {"joints[0].axes[0].max_force",
       [](JointDef& j) { j.axes[0] = JointAxis::Friction(kInfinity); }},
      {"joints[0].axes", [](JointDef& j) { j.axes[4] = JointAxis::Free(); }},
      {"joints[0].axes[5]", [](JointDef& j) { j.axes[3] = j.axes[4] = JointAxis::Free(); }},
  };
  for (const Case& bad : cases) {
    JointDef joint = ValidHinge();
    bad.spoil(joint);
    const absl::Status status = Check({joint});
    const std::optional<FieldErrorParts> parts = GetFieldError(status);
    ASSERT_TRUE(parts.has_value()) << bad.field << ": " << status;
    EXPECT_EQ(parts->field, bad.field);
  }
}

TEST(ValidateJoint, RefusesTwoOfOneName) {
  const absl::Status status = Check({ValidHinge(), ValidHinge()});
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(GetFieldError(status)->field, "joints[1].name");
}

TEST(ValidateJointSolver, TakesNewtonAndThoseThatSolveMatrices) {
  SolverSettings solver;
  EXPECT_TRUE(ValidateJointSolver(solver).ok());
  EXPECT_EQ(ResolveSolver(solver, true), SolverKind::kNewton);
  solver.law = ContactLaw::kCcp;
  solver.solver = SolverKind::kNewton;
  EXPECT_TRUE(ValidateJointSolver(solver).ok());
  for (const SolverKind kind : {SolverKind::kAlartCurnier, SolverKind::kAcceleratedPsor,
                                SolverKind::kPsor, SolverKind::kApgd}) {
    solver.solver = kind;
    const absl::Status status = ValidateJointSolver(solver);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(GetFieldError(status)->field, "settings.solver.solver");
  }
  solver.solver = SolverKind::kPsor;
  EXPECT_EQ(std::string(ValidateJointSolver(solver).message()),
            "settings.solver.solver = PSOR must be NEWTON, FIXED_POINT, EXTRAGRADIENT, NSGS, "
            "BARZILAI_BORWEIN or ADMM, or unspecified, in a scene with joints");
  // Matrices that only contacts may make.
  solver.psor.relaxation = 1.4;
  EXPECT_EQ(GetFieldError(ValidateJointSolver(solver))->field, "settings.solver.solver");
  solver.psor = {};
  for (const SolverKind kind :
       {SolverKind::kFixedPoint, SolverKind::kExtragradient, SolverKind::kNsgs}) {
    for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
      EXPECT_TRUE(ValidateJointSolver({.law = law, .solver = kind}).ok());
    }
  }
  for (const SolverKind kind : {SolverKind::kBarzilaiBorwein, SolverKind::kAdmm}) {
    EXPECT_TRUE(ValidateJointSolver({.law = ContactLaw::kCcp, .solver = kind}).ok());
    EXPECT_FALSE(ValidateJointSolver({.solver = kind}).ok());
  }
  EXPECT_EQ(std::string(ValidateJointSolver({.solver = SolverKind::kAlartCurnier}).message()),
            "settings.solver.solver = ALART_CURNIER must be NEWTON, FIXED_POINT, EXTRAGRADIENT or "
            "NSGS, or unspecified, in a scene with joints");
}

}  // namespace
}  // namespace talus
