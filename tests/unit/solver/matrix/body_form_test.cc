#include "solver/matrix/body_form.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "solver/base/random.h"
#include "solver/matrix/scaled_problem.h"
#include "tests/scenes/rolling_problems.h"

namespace talus {
namespace {

constexpr uint64_t kBodyFormSeed = 5;

Eigen::VectorXd RandomVector(Random& random, Eigen::Index size) {
  Eigen::VectorXd values(size);
  for (double& value : values) value = random.Uniform(-1.0, 1.0);
  return values;
}

// Of the matrix that has been multiplied out, compliance and all.
TEST(BodyForm, MultipliesAsTheDelassusMatrixDoes) {
  Random random(kBodyFormSeed);
  for (const char* name : {"ring_16_resting", "pile_40_kicked", "wall_3", "plane_16_moving"}) {
    SCOPED_TRACE(name);
    MatrixProblem problem = scenes::MakeRollingProblem(name);
    problem.compliance = RandomVector(random, problem.row_count()).cwiseAbs();
    const ScaledProblem scaled = ScaleProblem(problem);
    ScaledVelocities velocities{
        .mass = problem.velocities->mass,
        .directions = problem.velocities->directions * scaled.steps.asDiagonal(),
        .directions_transposed = {}};
    const auto bodies = BodyForm::Make(velocities, scaled.compliance);
    ASSERT_TRUE(bodies.has_value());
    Eigen::VectorXd x = RandomVector(random, problem.row_count());
    const Eigen::VectorXd product = scaled.delassus.whole().Multiply(x);
    EXPECT_LE((bodies->Multiply(x) - product).norm(), 1e-12 * product.norm()) << kBodyFormSeed;
    // One block that changes.
    Eigen::VectorXd pushed = bodies->Push(x);
    const Wrench change = RandomVector(random, 6);
    bodies->Push(2, change, pushed);
    x.segment<6>(12) += change;
    const Eigen::VectorXd after = scaled.delassus.whole().Multiply(x);
    for (size_t i = 0; i < problem.block_count(); ++i) {
      const auto at = 6 * static_cast<Eigen::Index>(i);
      EXPECT_LE((bodies->Pull(i, pushed, x.segment<6>(at)) - after.segment<6>(at)).norm(),
                1e-12 * after.norm());
    }
  }
}

TEST(BodyForm, NeedsMassesThatAreThoseOfBodies) {
  const MatrixProblem problem = scenes::MakeRollingProblem("pile_8_kicked");
  const ScaledProblem scaled = ScaleProblem(problem);
  ASSERT_TRUE(scaled.velocities.has_value());
  ScaledVelocities velocities = *scaled.velocities;
  ASSERT_TRUE(BodyForm::Make(velocities, scaled.compliance).has_value());
  velocities.mass.coeffRef(0, 7) = velocities.mass.coeffRef(7, 0) = 1e-3;
  EXPECT_FALSE(BodyForm::Make(velocities, scaled.compliance).has_value()) << "two bodies joined";
  velocities = *scaled.velocities;
  velocities.mass.coeffRef(3, 3) = -1.0;
  EXPECT_FALSE(BodyForm::Make(velocities, scaled.compliance).has_value()) << "not a mass";
}

// It is there where it is shorter: a ring's body has all its contacts, a plane's spheres one each.
TEST(BodyForm, StandsInAScaledProblemWhereItIsShorter) {
  EXPECT_TRUE(ScaleProblem(scenes::MakeRollingProblem("ring_16_resting")).bodies.has_value());
  EXPECT_FALSE(ScaleProblem(scenes::MakeRollingProblem("plane_16_moving")).bodies.has_value());
  MatrixProblem without = scenes::MakeRollingProblem("ring_16_resting");
  without.velocities.reset();
  EXPECT_FALSE(ScaleProblem(without).bodies.has_value());
}

}  // namespace
}  // namespace talus
