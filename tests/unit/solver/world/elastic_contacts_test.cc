// Springs, dampers, Hertz's law and bristles in scenes, beside what is known in closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "solver/matrix/scaled_problem.h"
#include "solver/world/step_problem.h"
#include "solver/world/world.h"
#include "tests/support/mechanisms.h"
#include "tests/unit/solver/world/elastic_scenes.h"

namespace talus {
namespace {

using testing::BlockUnderALoad;
using testing::kAll;
using testing::kElasticContactsGravity;
using testing::LawAndSolver;
using testing::MakeWorld;
using testing::OnFloor;
using testing::PositionOf;
using testing::StepWorld;
using testing::VelocityOf;

// Critically damped, for 25 time constants: e^-25 of the way is left, 1e-11.
TEST(ElasticContacts, ASphereSinksByItsWeightOverTheStiffness) {
  for (const auto& [law, solver] : kAll) {
    const double k = 1e4;
    const double c = 2.0 * std::sqrt(k * 2.0);
    SceneDef scene = OnFloor(Sphere{0.1}, 0.1, {k, c});
    scene.settings.solver.law = law;
    scene.settings.solver.solver = solver;
    World world = MakeWorld(scene);
    StepWorld(world, 600);
    EXPECT_NEAR(PositionOf(world).z() - 0.1, -2.0 * kElasticContactsGravity / k,
                1e-9 * 2.0 * kElasticContactsGravity / k)
        << static_cast<int>(solver);
  }
}

// Two surfaces are springs in series; a pair of its own is one spring.
TEST(ElasticContacts, SurfacesAreInSeriesUnlessTheyArePaired) {
  const double c = 2.0 * std::sqrt(1e4 * 2.0);
  SceneDef scene = OnFloor(Sphere{0.1}, 0.1, {1e4, c});
  scene.materials[0].material.elasticity = {3e4, 3.0 * c};
  World both = MakeWorld(scene);
  StepWorld(both, 1000);
  EXPECT_NEAR(PositionOf(both).z() - 0.1, -20.0 / 7.5e3, 1e-8);
  scene.material_pairs = {{"soft", "floor", {1.0, 0.0, 0.0, 0.0, {2e4, c}}}};
  World paired = MakeWorld(scene);
  StepWorld(paired, 1000);
  EXPECT_NEAR(PositionOf(paired).z() - 0.1, -20.0 / 2e4, 1e-8);
}

// A ball with speed v meets the spring and damper of the floor without gravity. While they press,
// m x'' + c x' + k x = 0; they let go where x'' = 0, since they do not pull. With β = c/2m and ω
// the damped frequency it leaves with v exp(−(β/ω) (π − atan(2βω/(ω² − β²)))) (Schwager & Pöschel,
// Granular Matter 9, 2007).
double Rebound(double time_step_s) {
  SceneDef scene = OnFloor(Sphere{0.1}, 0.1, {2e4, 40.0});
  scene.settings.gravity_world_m_s2.setZero();
  scene.settings.time_step_s = time_step_s;
  scene.bodies[1].linear_velocity_world_m_s.z() = -1.0;
  World world = MakeWorld(scene);
  StepWorld(world, static_cast<int>(0.1 / time_step_s));
  return VelocityOf(world).z();
}
TEST(ElasticContacts, ABallBouncesAsTheDampedOscillator) {
  const double beta = 40.0 / (2.0 * 2.0);
  const double omega = std::sqrt(2e4 / 2.0 - beta * beta);
  const double exact =
      std::exp(-beta / omega *
               (std::numbers::pi - std::atan(2.0 * beta * omega / (omega * omega - beta * beta))));
  const double coarse = exact - Rebound(1e-4);
  const double fine = exact - Rebound(5e-5);
  // The implicit step adds damping of first order, h ω²/2 beside β: half of the step, half of it.
  EXPECT_GT(coarse, 0.0);
  EXPECT_LT(coarse, 2.0 * std::numbers::pi * 0.5 * 1e-4 * omega);
  EXPECT_NEAR(coarse / fine, 2.0, 0.1);
}

// δ = (9 F²/(16 E*² R))^(1/3), whatever the step.
TEST(ElasticContacts, HertzIndentsAtRestExactly) {
  const double modulus = 1e7;
  const double plane = modulus / (1.0 - 0.3 * 0.3);
  const double exact = std::cbrt(9.0 * 400.0 / (16.0 * plane * plane * 0.1));
  for (const double h : {1e-3, 4e-3}) {
    SceneDef scene = OnFloor(
        Sphere{0.1}, 0.1,
        {.normal_damping_n_s_per_m = 300.0, .youngs_modulus_pa = modulus, .poisson_ratio = 0.3});
    scene.settings.time_step_s = h;
    World world = MakeWorld(scene);
    StepWorld(world, static_cast<int>(4.0 / h));
    EXPECT_NEAR(0.1 - PositionOf(world).z(), exact, 1e-9 * exact) << h;
  }
}

// Two equal balls, one held: 1/R doubles, E* is half.
TEST(ElasticContacts, HertzKnowsTheRadiiAndModuliOfBoth) {
  SceneDef scene =
      OnFloor(Sphere{0.1}, 0.3, {.normal_damping_n_s_per_m = 300.0, .youngs_modulus_pa = 1e7});
  BodyDef& floor = scene.bodies[0];
  floor.shapes[0] = {Sphere{0.1}, Pose{}, "soft"};
  floor.pose_world.position.z() = 0.1;
  World world = MakeWorld(scene);
  StepWorld(world, 4000);
  const double exact = std::cbrt(9.0 * 400.0 / (16.0 * 0.25e14 * 0.05));
  EXPECT_NEAR(0.3 - PositionOf(world).z(), exact, 1e-9 * exact);
}

// A ball of speed v goes in by (15 m v²/(16 E* √R))^(2/5): its energy is (8/15) E* √R δ^(5/2).
double DeepestIndentation(double time_step_s) {
  SceneDef scene = OnFloor(Sphere{0.1}, 0.1, {.youngs_modulus_pa = 1e7});
  scene.settings.gravity_world_m_s2.setZero();
  scene.settings.time_step_s = time_step_s;
  scene.bodies[1].linear_velocity_world_m_s.z() = -1.0;
  World world = MakeWorld(scene);
  WorkerArena workers(1);
  double deepest = 0.0;
  while (VelocityOf(world).z() < 0.0) {
    EXPECT_TRUE(world.Step(workers).ok());
    deepest = std::max(deepest, 0.1 - PositionOf(world).z());
  }
  return deepest;
}
TEST(ElasticContacts, HertzTakesUpTheEnergyOfAnImpact) {
  const double exact = std::pow(15.0 * 2.0 / (16.0 * 1e7 * std::sqrt(0.1)), 0.4);
  const double coarse = exact - DeepestIndentation(2e-5);
  const double fine = exact - DeepestIndentation(1e-5);
  // First order: the way into the floor takes 4.4 ms and a step of it is lost to the implicit one.
  EXPECT_GT(coarse, 0.0);
  EXPECT_LT(coarse, 0.01 * exact);
  EXPECT_NEAR(coarse / fine, 2.0, 0.2);
}

// Hertz's law knows no radius between flat surfaces: there it is rigid.
TEST(ElasticContacts, BoxesOnPlanesAreRigidToHertz) {
  World world = MakeWorld(OnFloor(Box{Vec3::Constant(0.1)}, 0.1, {.youngs_modulus_pa = 1e5}));
  StepWorld(world, 500);
  EXPECT_NEAR(PositionOf(world).z(), 0.1, 1e-12);
}

// A block on four corners of bristles k_t under a load below μN: it goes by F/(4 k_t), and stays.
// It swings to twice that before it rests, which must be below μN as well.
TEST(ElasticContacts, ABlockUnderALoadDeflectsAndDoesNotCreep) {
  for (const LawAndSolver& chosen : kAll) {
    const auto& [law, solver] = chosen;
    World world = MakeWorld(BlockUnderALoad(chosen, {.sliding_stiffness_n_per_m = 1e4}));
    StepWorld(world, 2000);
    const Vec3 early = PositionOf(world);
    StepWorld(world, solver == SolverKind::kAlartCurnier ? 10000 : 1000);
    const Vec3 late = PositionOf(world);
    const Vec3 exact = 2.0 * Vec3(1.2, 1.6, 0.0) / (4.0 * 1e4);
    // The steps damp the bristles by ω² h/2 = 10 per second; a solve leaves 10⁻¹² of g h a step.
    EXPECT_LT((Vec3(early.x(), early.y(), 0.0) - exact).norm(), 1e-7 * exact.norm())
        << static_cast<int>(law) << static_cast<int>(solver);
    EXPECT_LT((late - early).norm(), 1e-7 * exact.norm());
  }
}

// Of a ball on a surface of this elasticity under a load of 6 m/s², of which μ bears 5.
void ExpectSlidesAtItsFriction(const LawAndSolver& chosen, const Elasticity& elasticity) {
  // Rolling friction holds the ball from rolling.
  SceneDef scene = OnFloor(Sphere{0.05}, 0.05, elasticity, {0.5, 1.0, 0.0, 0.0});
  scene.settings.gravity_world_m_s2 = Vec3(6.0, 0.0, -10.0);
  scene.settings.solver.law = chosen.law;
  scene.settings.solver.solver = chosen.solver;
  World world = MakeWorld(scene);
  StepWorld(world, 500);
  const double before = VelocityOf(world).x();
  StepWorld(world, 100);
  EXPECT_NEAR(VelocityOf(world).x() - before, (6.0 - 5.0) * 0.1, 1e-8)
      << static_cast<int>(chosen.law) << static_cast<int>(chosen.solver);
}

// CCP lifts a contact by h A_r of its slip, and slip begins at the speed v at which bristles let
// go: what is thrown by more than μ v = g h flies. Stiff bristles let go at less.
TEST(ElasticContacts, UnderMoreLoadABallSlidesAtItsFriction) {
  for (const LawAndSolver& chosen : kAll) {
    const double stiffness = chosen.law == ContactLaw::kNcp ? 1e4 : 1e6;
    ExpectSlidesAtItsFriction(chosen, {.sliding_stiffness_n_per_m = stiffness});
    ExpectSlidesAtItsFriction(chosen, {.sliding_viscosity_n_s_per_m = 1e6});
  }
}

TEST(ElasticContacts, UnderMoreLoadABlockSlidesAtItsFriction) {
  SceneDef scene = OnFloor(Box{Vec3(0.2, 0.2, 0.05)}, 0.05, {.sliding_stiffness_n_per_m = 1e4},
                           {0.5, 0.0, 0.0, 0.0});
  scene.settings.gravity_world_m_s2 = Vec3(6.0, 0.0, -10.0);
  World world = MakeWorld(scene);
  StepWorld(world, 500);
  const double before = VelocityOf(world).x();
  StepWorld(world, 100);
  EXPECT_NEAR(VelocityOf(world).x() - before, (6.0 - 5.0) * 0.1, 1e-8);
}

// Mindlin: a ball pressed by its weight is k_t/k_n = 2(1 − ν)/(2 − ν) as stiff to the side as down.
// Rolling is held, so that the load reaches the bristles.
TEST(ElasticContacts, MindlinIsAsStiffAsItsRatio) {
  const double nu = 0.3;
  SceneDef scene =
      OnFloor(Sphere{0.1}, 0.1,
              {.normal_damping_n_s_per_m = 300.0, .youngs_modulus_pa = 1e7, .poisson_ratio = nu},
              {0.5, 1.0, 1.0, 0.0});
  World world = MakeWorld(scene);
  StepWorld(world, 4000);  // at rest first: the stiffness is that of the indentation
  const double depth = 0.1 - PositionOf(world).z();
  const double plane = 1e7 / (1.0 - nu * nu);
  const double k_n = 2.0 * plane * std::sqrt(0.1 * depth);
  const double k_t = k_n * 2.0 * (1.0 - nu) / (2.0 - nu);
  EXPECT_NEAR(k_n, std::cbrt(6.0 * plane * plane * 0.1 * 20.0), 1e-8 * k_n);
  // A push of 1e-3 m/s to the side: it swings back from v √(m/k_t), damped by the steps by ω² h/2.
  // ω h is small enough for a twentieth: the step is cut for what follows.
  SceneDef pushed = scene;
  pushed.bodies[1].pose_world.position.z() = 0.1 - depth;
  pushed.bodies[1].linear_velocity_world_m_s.x() = 1e-3;
  pushed.settings.time_step_s = 2e-5;
  const double omega = std::sqrt(k_t / 2.0);
  World swinging = MakeWorld(pushed);
  WorkerArena workers(1);
  double farthest = 0.0;
  while (VelocityOf(swinging).x() > 0.0) {
    ASSERT_TRUE(swinging.Step(workers).ok());
    farthest = std::max(farthest, PositionOf(swinging).x());
  }
  const double exact = 1e-3 / omega;
  EXPECT_NEAR(farthest, exact, std::numbers::pi / 4.0 * omega * 2e-5 * exact + 2e-5 * 1e-3);
}

// A ball on a slope held by rolling bristles turns by m g_x R/k_r.
TEST(ElasticContacts, ABallIsHeldByRollingBristlesAndDoesNotCreep) {
  for (const auto& [law, solver] : kAll) {
    SceneDef scene =
        OnFloor(Sphere{0.1}, 0.1, {.rolling_stiffness_n_m_per_rad = 200.0}, {1.0, 0.03, 0.0, 0.0});
    scene.settings.gravity_world_m_s2 = Vec3(1.2, 0.0, -10.0);  // of 3 that ρ/R bears
    scene.settings.solver.law = law;
    scene.settings.solver.solver = solver;
    World world = MakeWorld(scene);
    StepWorld(world, 6000);  // damped by ω² h/2 = 3.6 per second
    const Vec3 early = PositionOf(world);
    StepWorld(world, solver == SolverKind::kAlartCurnier ? 10000 : 1000);
    const double exact = 0.1 * (2.0 * 1.2 * 0.1) / 200.0;
    EXPECT_NEAR(early.x(), exact, 1e-6 * exact)
        << static_cast<int>(law) << static_cast<int>(solver);
    EXPECT_LT((PositionOf(world) - early).norm(), 1e-7 * exact);
  }
}

// Beyond its bound it rolls as any ball does: a = (5/7)(g_x − ρ g/R).
TEST(ElasticContacts, RollingBristlesLetGoAtTheirBound) {
  SceneDef scene =
      OnFloor(Sphere{0.1}, 0.1, {.rolling_stiffness_n_m_per_rad = 200.0}, {1.0, 0.03, 0.0, 0.0});
  scene.settings.gravity_world_m_s2 = Vec3(5.0, 0.0, -10.0);
  World world = MakeWorld(scene);
  StepWorld(world, 500);
  const double before = VelocityOf(world).x();
  StepWorld(world, 100);
  EXPECT_NEAR(VelocityOf(world).x() - before, 5.0 / 7.0 * (5.0 - 3.0) * 0.1, 1e-8);
}

// A ball that spins about the normal swings by Ω √(J/k_s).
TEST(ElasticContacts, SpinningBristlesSwing) {
  SceneDef scene =
      OnFloor(Sphere{0.1}, 0.1, {.spinning_stiffness_n_m_per_rad = 50.0}, {1.0, 0.0, 1.0, 0.0});
  scene.settings.time_step_s = 1e-4;
  scene.bodies[1].angular_velocity_world_rad_s.z() = 0.1;
  World world = MakeWorld(scene);
  WorkerArena workers(1);
  double turned = 0.0;
  while (world.bodies().angular_velocities[1].z() > 0.0) {
    ASSERT_TRUE(world.Step(workers).ok());
    turned = std::max(turned, 2.0 * std::asin(world.bodies().orientations[1].z()));
  }
  const double omega = std::sqrt(50.0 / (0.4 * 2.0 * 0.01));
  // Damped by the steps by ω² h/2 over a quarter of a swing; the last step is not a whole one.
  EXPECT_NEAR(turned, 0.1 / omega, (std::numbers::pi / 4.0 + 1.0) * omega * 1e-4 * 0.1 / omega);
}

// With joints the problem is solved as matrices: a ball on a guide sinks as one without.
TEST(ElasticContacts, AMechanismSinksAndDeflectsAsWell) {
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    const double c = 2.0 * std::sqrt(1e4 * 2.0);
    SceneDef scene =
        OnFloor(Sphere{0.1}, 0.1, {1e4, c, 0.0, 0.0, 2e4, 0.0, 0.0}, {0.5, 0.0, 0.0, 0.0});
    scene.settings.gravity_world_m_s2.x() = 1.5;
    scene.settings.solver.law = law;
    scene.bodies[1].name = "ball";
    JointDef upright;  // what is left are translations
    upright.body_b = "ball";
    for (size_t axis = kRotations; axis < 6; ++axis) upright.axes[axis] = JointAxis::Locked();
    scene.joints.push_back(upright);
    World world = MakeWorld(scene);
    StepWorld(world, 4000);
    EXPECT_NEAR(PositionOf(world).z() - 0.1, -20.0 / 1e4, 1e-9);
    EXPECT_NEAR(PositionOf(world).x(), 3.0 / 2e4, 1e-9);
  }
}

// The problem of a step as matrices is the one that was solved: its impulses have the residual that
// the step reports.
TEST(ElasticContacts, TheProblemOfAStepHasItsCompliance) {
  SceneDef scene = OnFloor(Sphere{0.1}, 0.1, {1e4, 5.0, 0.0, 0.0, 2e4, 3.0, 4.0});
  scene.bodies[1].linear_velocity_world_m_s = Vec3(0.1, 0.0, -0.1);
  scene.bodies[1].angular_velocity_world_rad_s = Vec3(0.3, 1.0, 2.0);
  scene.settings.solver.tolerance = 1e-9;
  World world = MakeWorld(scene);
  WorkerArena workers(1);
  StepOptions options;
  options.capture = ProblemCapture::kAlways;
  for (int step = 0; step < 5; ++step) {
    const absl::StatusOr<StepReport> report = world.Step(workers, options);
    ASSERT_TRUE(report.ok());
    const StepProblem& kept = *world.kept_problem();
    EXPECT_GT(kept.problem.compliance.minCoeff(), 0.0);
    const ScaledProblem scaled = ScaleProblem(kept.problem);
    const Eigen::VectorXd velocity =
        scaled.steps.cwiseProduct(ComputeVelocity(kept.problem, kept.impulse));
    EXPECT_LE(ComputeResidual(scaled, ContactLaw::kNcp, kept.impulse.cwiseQuotient(scaled.steps),
                              velocity),
              report->residual + 1e-13);
  }
}

}  // namespace
}  // namespace talus
