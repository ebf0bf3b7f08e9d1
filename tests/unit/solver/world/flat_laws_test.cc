// Scenes under the laws with flat sides: what each of them does to a block on a slope, and that a
// step solves its law and says how well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "solver/lcp/block_pivoting.h"
#include "solver/lcp/box_law.h"
#include "solver/lcp/bristle_law.h"
#include "solver/lcp/polygonal_law.h"
#include "solver/solvers/pivoting.h"
#include "solver/world/contact_record.h"
#include "solver/world/step_problem.h"
#include "solver/world/world.h"
#include "tests/scenes/guideway.h"
#include "tests/scenes/single_body.h"
#include "tests/support/flat_law_scenes.h"
#include "tests/support/mechanisms.h"

namespace talus {
namespace {

using testing::MakeFlatLawScene;
using testing::MakeWorld;
using testing::StepWorld;

constexpr double kQuarter = std::numbers::pi / 4.0;
constexpr ContactLaw kFlatLaws[] = {ContactLaw::kBox, ContactLaw::kPolygonal, ContactLaw::kBristle};

SolverSettings Settings(ContactLaw law, int32_t facet_count = 8) {
  SolverSettings settings;
  settings.law = law;
  settings.tolerance = 1e-10;
  settings.facet_count = facet_count;
  return settings;
}

struct SlopeCase {
  std::string name;
  SolverSettings solver;
  double heading_rad = 0.0;  // of the way down, from the first tangent
  double grip = 1.0;         // friction along it, over mu times the normal force
  bool ball = true;          // or a block, on four contacts
};

std::string NameOf(const ::testing::TestParamInfo<SlopeCase>& info) { return info.param.name; }

// A block, or a ball that rolling friction keeps from rolling: one contact, whose impulse is
// unique.
class OnSlope : public ::testing::TestWithParam<SlopeCase> {
 protected:
  static constexpr double kMu = 0.4;
  static constexpr double kGravity = 9.81;
  static constexpr double kTimeStep = 0.005;
  static constexpr int kSteps = 40;
  static constexpr double kHeight = 0.25;  // of the centre

  // The slope on which friction just holds is tan = grip mu; `factor` of that here.
  double SlopeAt(double factor) const { return std::atan(factor * GetParam().grip * kMu); }

  World Slide(double slope_rad) {
    const SlopeCase& c = GetParam();
    const scenes::BlockOnPlane block{.half_extent_m = kHeight,
                                     .heading_rad = c.heading_rad,
                                     .slope_rad = slope_rad,
                                     .gravity_m_s2 = kGravity,
                                     .time_step_s = kTimeStep,
                                     .material = {kMu, 0.0, 0.0, 0.0},
                                     .solver = c.solver};
    const scenes::BallOnPlane ball{.radius_m = kHeight,
                                   .mass_kg = 1.0,
                                   .inertia_kg_m2 = 0.4 * kHeight * kHeight,
                                   .heading_rad = c.heading_rad,
                                   .slope_rad = slope_rad,
                                   .gravity_m_s2 = kGravity,
                                   .time_step_s = kTimeStep,
                                   .material = {kMu, 2.0 * kHeight, 0.0, 0.0},
                                   .solver = c.solver};
    World world = MakeWorld(c.ball ? ball.Build() : block.Build());
    StepWorld(world, kSteps);
    return world;
  }
};

TEST_P(OnSlope, StaysBelowItsAngle) {
  World world = Slide(SlopeAt(0.98));
  // Springs of 1e10 N/m give way by 4e-10 m and then no more; solves are to 1e-10 of impulses of
  // 0.05 N s.
  EXPECT_LE(world.bodies().linear_velocities[1].norm(), 1e-9);
  EXPECT_LE((world.bodies().positions[1] - Vec3(0.0, 0.0, kHeight)).norm(), 1e-9);
  if (!GetParam().ball) return;
  ASSERT_EQ(world.Contacts().size(), 1u);
  EXPECT_EQ(world.Contacts()[0].mode, kContactClosed);
}

TEST_P(OnSlope, SlidesAboveItWithTheFrictionOfTheLaw) {
  const double slope = SlopeAt(1.1);
  World world = Slide(slope);
  const double acceleration =
      kGravity * (std::sin(slope) - GetParam().grip * kMu * std::cos(slope));
  const double speed = acceleration * kTimeStep * kSteps;
  const Vec3 heading(std::cos(GetParam().heading_rad), std::sin(GetParam().heading_rad), 0.0);
  EXPECT_LE((world.bodies().linear_velocities[1] - speed * heading).norm(), 1e-8);
  EXPECT_GT(speed, 0.05);
  for (const ContactRecord& contact : world.Contacts()) {
    if ((contact.mode & kContactClosed) == 0) continue;
    EXPECT_NE(contact.mode & kContactSliding, 0u);
  }
}

// Along the first tangent all of them hold like Coulomb; between the tangents a box holds √2 times
// as much, an octagon and bristles as much.
INSTANTIATE_TEST_SUITE_P(
    Laws, OnSlope,
    ::testing::Values(
        SlopeCase{"BoxAlong", Settings(ContactLaw::kBox)},
        SlopeCase{"BoxDiagonal", Settings(ContactLaw::kBox), kQuarter, std::numbers::sqrt2},
        SlopeCase{"BoxBlock", Settings(ContactLaw::kBox), 0.0, 1.0, false},
        SlopeCase{"SquareAlong", Settings(ContactLaw::kPolygonal, 4)},
        SlopeCase{"SquareBlock", Settings(ContactLaw::kPolygonal, 4), 0.0, 1.0, false},
        SlopeCase{"OctagonDiagonal", Settings(ContactLaw::kPolygonal, 8), kQuarter},
        SlopeCase{"OctagonBlock", Settings(ContactLaw::kPolygonal, 8), kQuarter, 1.0, false},
        SlopeCase{"BristleAlong", Settings(ContactLaw::kBristle)},
        SlopeCase{"BristleDiagonal", Settings(ContactLaw::kBristle), kQuarter}),
    NameOf);

TEST(SquareOnSlope, HoldsLessAlongTheDiagonal) {
  constexpr double kMu = 0.4;
  for (const double factor : {0.98, 1.02}) {
    scenes::BlockOnPlane block{.heading_rad = kQuarter,
                               .slope_rad = std::atan(factor * kMu / std::numbers::sqrt2),
                               .material = {kMu, 0.0, 0.0, 0.0},
                               .solver = Settings(ContactLaw::kPolygonal, 4)};
    World world = MakeWorld(block.Build());
    StepWorld(world, 20);
    EXPECT_EQ(world.bodies().linear_velocities[1].norm() > 1e-4, factor > 1.0) << factor;
  }
}

// Four corners, normal rows of rank three: block pivots solve what repeats itself.
TEST(FlatLaws, CarryABlockOnMoreContactsThanNeeded) {
  for (const ContactLaw law : kFlatLaws) {
    const scenes::BlockOnPlane block{.material = {0.4, 0.0, 0.0, 0.0}, .solver = Settings(law)};
    World world = MakeWorld(block.Build());
    const StepReport report = StepWorld(world, 5);
    EXPECT_LE(report.sweep_count, 3) << static_cast<int>(law);
    const std::vector<ContactRecord> contacts = world.Contacts();
    ASSERT_EQ(contacts.size(), 4u);
    double weight = 0.0;
    for (const ContactRecord& contact : contacts) weight += contact.force_world_n.z();
    EXPECT_NEAR(weight, block.mass_kg * block.gravity_m_s2, 1e-8);
  }
}

absl::StatusOr<lcp::ContactMlcp> AssembleLaw(const StepProblem& kept, double time_step_s) {
  const SolverSettings& settings = kept.settings;
  if (settings.law == ContactLaw::kBox) return lcp::AssembleBoxLaw(kept.problem);
  if (settings.law == ContactLaw::kPolygonal) {
    return lcp::AssemblePolygonalLaw(kept.problem, settings.facet_count);
  }
  return lcp::AssembleBristleLaw(kept.problem,
                                 {.stiffness = settings.bristle_stiffness_n_m,
                                  .slip_threshold = settings.slip_threshold_m_s,
                                  .time_step_s = time_step_s},
                                 kept.old_impulse);
}

// What bristles carried in the step before, of contacts whose normals stay: turned about them by
// the mean spin of the bodies. `spins`: of the bodies at the end of that step.
Eigen::VectorXd TurnedBySpin(const std::vector<ContactRecord>& contacts,
                             const std::vector<Vec3>& spins, double time_step_s,
                             Eigen::VectorXd impulse) {
  for (size_t i = 0; i < contacts.size(); ++i) {
    const Vec3 spin = spins[contacts[i].body_a_row] + spins[contacts[i].body_b_row];
    const Eigen::Rotation2Dd turn(0.5 * time_step_s * contacts[i].normal_world.dot(spin));
    for (const Eigen::Index row : {1, 4}) {
      const auto at = 6 * static_cast<Eigen::Index>(i) + row;
      impulse.segment<2>(at) = turn * Eigen::Vector2d(impulse.segment<2>(at));
    }
  }
  return impulse;
}

// The kept problem with what is kept beside it is the problem of the step: the impulses of the step
// solve it as well as the step says.
TEST(FlatLaws, KeepTheProblemTheySolved) {
  WorkerArena workers(1);
  for (const ContactLaw law : kFlatLaws) {
    SCOPED_TRACE(static_cast<int>(law));
    World world = MakeWorld(MakeFlatLawScene(law));
    Eigen::VectorXd before;
    int remembered = 0;
    for (int step = 0; step < 30; ++step) {
      const auto now = world.bodies().angular_velocities;
      const std::vector<Vec3> spins(now.begin(), now.end());
      const auto report = world.Step(workers, {.capture = ProblemCapture::kAlways});
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_EQ(report->outcome, SolveOutcome::kConverged);
      EXPECT_LE(report->residual, 1e-9);
      EXPECT_LE(report->worst_contact_residual, 1e-8);
      EXPECT_GT(report->sweep_count, 0);
      const std::shared_ptr<const StepProblem> kept = world.kept_problem();
      EXPECT_EQ(kept->settings.law, law);
      EXPECT_EQ(kept->old_impulse.size(), law == ContactLaw::kBristle ? kept->impulse.size() : 0);
      const auto contact = AssembleLaw(*kept, world.settings().time_step_s);
      ASSERT_TRUE(contact.ok()) << contact.status();
      if (law != ContactLaw::kPolygonal) {
        // Rows of unit directions, so that z is found again.
        const Eigen::VectorXd z = contact->RowsOf(kept->impulse);
        EXPECT_NEAR(lcp::Certify(*contact, z).residual, kept->residual, 1e-10);
      } else {
        // Of a polygon many z are as good; it starts cold, so that it comes by the same again.
        const auto answer = lcp::SolveByPivoting(
            contact->mlcp, {.tolerance = 1e-9, .max_pivots = kept->settings.max_sweeps});
        ASSERT_TRUE(answer.ok()) << answer.status();
        EXPECT_LE((contact->ImpulseOf(answer->z) - kept->impulse).norm(),
                  1e-9 * kept->impulse.norm());
      }
      if (law == ContactLaw::kBristle && kept->old_impulse.size() == before.size()) {
        before = TurnedBySpin(world.Contacts(), spins, world.settings().time_step_s, before);
        remembered += (kept->old_impulse - before).norm() <= 1e-12 * before.norm();
      }
      before = kept->impulse;
    }
    EXPECT_EQ(remembered > 0, law == ContactLaw::kBristle);
  }
}

TEST(FlatLaws, RunAlikeByBothMethods) {
  for (const ContactLaw law : kFlatLaws) {
    SceneDef scene = MakeFlatLawScene(law);
    World blocks = MakeWorld(scene);
    scene.settings.solver.solver = SolverKind::kLemke;
    World lemke = MakeWorld(scene);
    // Before the boxes are hit: solutions of redundant contacts may differ, velocities do not.
    StepWorld(blocks, 10);
    StepWorld(lemke, 10);
    for (size_t row = 1; row < blocks.body_count(); ++row) {
      EXPECT_LE((blocks.bodies().positions[row] - lemke.bodies().positions[row]).norm(), 1e-9)
          << static_cast<int>(law) << ", body " << row;
    }
  }
}

TEST(FlatLaws, StepNoMoreContactsThanTheySay) {
  SceneDef scene = scenes::BallOnPlane{}.Build();
  scene.settings.solver.law = ContactLaw::kBox;
  const BodyDef ball = scene.bodies[1];
  for (size_t i = 1; i <= kMaxPivotedBlocks; ++i) {
    BodyDef next = ball;
    next.name = "ball" + std::to_string(i);
    next.pose_world.position.x() += 3.0 * static_cast<double>(i);
    scene.bodies.push_back(next);
  }
  World world = MakeWorld(scene);
  const uint64_t hash = world.state_hash();
  WorkerArena workers(1);
  const absl::Status status = world.Step(workers).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(status.message()),
            "size(contacts) = " + std::to_string(kMaxPivotedBlocks + 1) + " must be <= " +
                std::to_string(kMaxPivotedBlocks) + ", joints included, where the law is BOX");
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(world.step_index(), 0);
  EXPECT_EQ(world.fault(), "");
  // It is no fault: with one ball less the scene goes on.
  const std::string last = "ball" + std::to_string(kMaxPivotedBlocks);
  ASSERT_TRUE(world.RemoveBodies({}, {&last, 1}).ok());
  StepWorld(world, 3);
}

TEST(FlatLaws, TakeFewerContactsOfManyFacets) {
  SolverSettings settings;
  settings.law = ContactLaw::kPolygonal;
  settings.facet_count = 32;
  EXPECT_EQ(FindMostPivoted(settings), 48u);
  EXPECT_TRUE(CheckPivotedCount(settings, 40, 8).ok());
  const absl::Status status = CheckPivotedCount(settings, 40, 9);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(status.message()),
            "size(contacts) = 49 must be <= 48, joints included, where the law is POLYGONAL of so "
            "many facets");
  settings.facet_count = 8;
  EXPECT_EQ(FindMostPivoted(settings), kMaxPivotedBlocks);
  settings.law = ContactLaw::kBristle;
  settings.facet_count = 32;  // of no polygon
  EXPECT_EQ(FindMostPivoted(settings), kMaxPivotedBlocks);
}

// The linear guideway of [TA], 72 contacts and 4 joints. Balls roll along a tangent of their
// contacts, where all laws hold what Coulomb's does.
TEST(FlatLaws, RollTheGuideway) {
  constexpr double kCoulomb = 3.46482;  // N, the claim guideway-drag
  WorkerArena workers(1);
  for (const ContactLaw law : kFlatLaws) {
    SCOPED_TRACE(static_cast<int>(law));
    scenes::Guideway guideway;
    guideway.law = law;
    guideway.tolerance = 1e-8;
    SceneDef scene = guideway.Build();
    scene.settings.solver.solver = SolverKind::kBlockPivoting;
    World world = MakeWorld(scene);
    for (int step = 0; step < 6; ++step) {
      const auto report = world.Step(workers);
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_EQ(report->outcome, SolveOutcome::kConverged) << step;
      EXPECT_EQ(report->contact_count, 72);
    }
    EXPECT_NEAR(scenes::DriveForce(world), kCoulomb, 1e-4);
  }
}

// Two balls joined into one body slide along the first tangent: friction μ m g of each.
TEST(FlatLaws, HoldJointsToo) {
  constexpr double kMu = 0.3;
  for (const ContactLaw law : kFlatLaws) {
    SCOPED_TRACE(static_cast<int>(law));
    SceneDef scene = testing::MakeMechanism(0.005, Vec3(0.0, 0.0, -9.81));
    scene.settings.solver.law = law;
    scene.materials.push_back({"rough", {kMu, 0.0, 0.0, 0.0}});
    BodyDef ground;
    ground.kind = BodyKind::kStatic;
    ground.shapes.push_back({Plane{Vec3::UnitZ()}, Pose{}, "rough"});
    const Vec3 velocity(1.0, 0.0, 0.0);
    BodyDef front = testing::MakeBob("front", Vec3(0.5, 0.0, testing::kBobRadius), velocity);
    BodyDef rear = testing::MakeBob("rear", Vec3(0.0, 0.0, testing::kBobRadius), velocity);
    front.shapes[0].material = rear.shapes[0].material = "rough";
    scene.bodies = {ground, front, rear};
    JointDef bar = testing::MakeJoint(&rear, front, Vec3(0.25, 0.0, testing::kBobRadius));
    testing::LockAxes(bar);
    scene.joints = {bar};
    World world = MakeWorld(scene);
    constexpr int kSteps = 20;
    StepWorld(world, kSteps);
    const double speed = 1.0 - kMu * 9.81 * 0.005 * kSteps;
    for (const size_t row : {size_t{1}, size_t{2}}) {
      EXPECT_LE((world.bodies().linear_velocities[row] - Vec3(speed, 0.0, 0.0)).norm(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace talus
