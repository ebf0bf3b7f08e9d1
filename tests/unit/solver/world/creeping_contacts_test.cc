// Viscous friction in scenes, beside what is known in closed form. That a cone bounds it:
// elastic_contacts_test.cc.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/solver/world/elastic_scenes.h"

namespace talus {
namespace {

using testing::BlockUnderALoad;
using testing::kAll;
using testing::LawAndSolver;
using testing::MakeWorld;
using testing::OnFloor;
using testing::PositionOf;
using testing::StepWorld;
using testing::VelocityOf;

// What friction holds creeps at F/(4 c_t) on its four corners, without bristles (Tikhonov's
// regularization) and with them, which then stand still.
TEST(CreepingContacts, ABlockOnViscousFrictionCreepsAtItsLoad) {
  for (const LawAndSolver& chosen : kAll) {
    for (const double stiffness : {0.0, 1e4}) {
      const Elasticity elasticity{.sliding_stiffness_n_per_m = stiffness,
                                  .sliding_viscosity_n_s_per_m = 40.0};
      World world = MakeWorld(BlockUnderALoad(chosen, elasticity));
      StepWorld(world, 2000);
      const Vec3 load = 2.0 * Vec3(1.2, 1.6, 0.0);
      const Vec3 speed = load / (4.0 * 40.0);
      EXPECT_LT((VelocityOf(world) - speed).norm(), 1e-7 * speed.norm())
          << static_cast<int>(chosen.law) << static_cast<int>(chosen.solver) << " " << stiffness;
      const Vec3 early = PositionOf(world);
      StepWorld(world, 1000);
      EXPECT_LT((PositionOf(world) - early - speed).norm(), 1e-7 * speed.norm());
      EXPECT_NEAR(PositionOf(world).z(), 0.05, 1e-9);  // under CCP, too: what creeps does not slip
    }
  }
}

// A ball that rolling friction holds creeps at ω = τ/c_r, one that spins about the normal is braked
// by c_s Ω: Ω falls by the factor 1/(1 + h c_s/J) a step.
TEST(CreepingContacts, ABallCreepsByRollingAndSpinningViscosity) {
  SceneDef scene =
      OnFloor(Sphere{0.1}, 0.1, {.rolling_viscosity_n_m_s_per_rad = 3.0}, {1.0, 0.03, 0.0, 0.0});
  scene.settings.gravity_world_m_s2 = Vec3(1.2, 0.0, -10.0);  // of 3 that ρ/R bears
  World rolling = MakeWorld(scene);
  StepWorld(rolling, 2000);
  const double omega = 2.0 * 1.2 * 0.1 / 3.0;
  EXPECT_NEAR(rolling.bodies().angular_velocities[1].y(), omega, 1e-7 * omega);
  EXPECT_NEAR(VelocityOf(rolling).x(), 0.1 * omega, 1e-8 * omega);

  scene =
      OnFloor(Sphere{0.1}, 0.1, {.spinning_viscosity_n_m_s_per_rad = 0.02}, {1.0, 0.0, 1.0, 0.0});
  scene.bodies[1].angular_velocity_world_rad_s.z() = 3.0;
  World spinning = MakeWorld(scene);
  StepWorld(spinning, 500);
  const double inertia = 0.4 * 2.0 * 0.01;
  const double left = 3.0 * std::pow(1.0 + 1e-3 * 0.02 / inertia, -500.0);
  EXPECT_NEAR(spinning.bodies().angular_velocities[1].z(), left, 1e-9);
}

}  // namespace
}  // namespace talus
