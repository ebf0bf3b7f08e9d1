#include "solver/matrix_solvers/block_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/random.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/alart_curnier_step.h"
#include "tests/support/matrix_problems.h"

namespace talus::matrix {
namespace {

using testing::RandomWrench;

constexpr uint64_t kBlockStepsSeed = 31;
constexpr int kBlockStepsSamples = 2000;

Matrix6 RandomBlock(Random& random) {
  Matrix6 a;
  for (double& value : a.reshaped()) value = random.Uniform(-1.0, 1.0);
  return a * a.transpose() + 0.1 * Matrix6::Identity();
}

BlockLaw RandomContact(Random& random) {
  return {.cone = {.sliding = random.Uniform(0.0, 1.0),
                   .spinning = random.Uniform(0.0, 0.5),
                   .rolling = random.Uniform(0.0, 0.5)}};
}

// What is left of the law where γ and W γ + r belong together.
double Violation(ContactLaw contact_law, const BlockLaw& law, const Wrench& gamma,
                 const Wrench& velocity) {
  const Wrench paired = PairedVelocity(contact_law, law, velocity);
  return (gamma - ProjectBlock(law, gamma - paired)).norm();
}

TEST(SolveBlock, SolvesTheBlockUnderEitherLaw) {
  Random random(kBlockStepsSeed);
  for (const ContactLaw contact_law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    int solved = 0;
    for (int i = 0; i < kBlockStepsSamples; ++i) {
      const BlockLaw law = RandomContact(random);
      const Matrix6 w = RandomBlock(random);
      const Wrench free = RandomWrench(random);
      const Wrench start = ProjectBlock(law, RandomWrench(random));
      const Wrench gamma = SolveBlock(contact_law, law, w, 1e-13, start, w * start + free);
      solved += Violation(contact_law, law, gamma, w * gamma + free) <= 1e-11;
    }
    // NCP with strong coupling may go round in circles; the sweeps around it take that up.
    EXPECT_GE(solved,
              contact_law == ContactLaw::kCcp ? kBlockStepsSamples : kBlockStepsSamples * 99 / 100)
        << "seed " << kBlockStepsSeed;
  }
}

// At a solution no step leads away.
TEST(BlockSteps, StayAtTheSolution) {
  Random random(kBlockStepsSeed);
  for (int i = 0; i < kBlockStepsSamples; ++i) {
    const BlockLaw law = RandomContact(random);
    const Matrix6 w = RandomBlock(random);
    const Wrench free = RandomWrench(random);
    const Wrench none = Wrench::Zero();
    const Wrench ncp = SolveBlock(ContactLaw::kNcp, law, w, 1e-14, none, free);
    if (Violation(ContactLaw::kNcp, law, ncp, w * ncp + free) <= 1e-12) {
      EXPECT_LE((StepAlartCurnier(law, w, PartStepsOf(w), ncp, w * ncp + free) - ncp).norm(), 1e-9)
          << i;
    }
    const Wrench ccp = SolveBlock(ContactLaw::kCcp, law, w, 1e-14, none, free);
    const double length = 1.0 / w.cwiseAbs().rowwise().sum().maxCoeff();
    EXPECT_LE((StepProjected(law, w, length, ccp, w * ccp + free) - ccp).norm(), 1e-9) << i;
  }
}

TEST(BlockSteps, BoundsAreMetRowByRow) {
  Random random(kBlockStepsSeed);
  for (int i = 0; i < kBlockStepsSamples; ++i) {
    BlockLaw law;
    law.kind = BlockLawKind::kBounds;
    for (int k = 0; k < 6; ++k) {
      const double a = random.Uniform(-1.0, 1.0);
      const double b = random.Uniform(-1.0, 1.0);
      law.lower[k] = k == 0 ? -std::numeric_limits<double>::infinity() : std::min(a, b);
      law.upper[k] = std::max(a, b);
    }
    const Matrix6 w = RandomBlock(random);
    const Wrench free = RandomWrench(random);
    Wrench gamma = ProjectBlock(law, Wrench::Zero());
    for (int sweep = 0; sweep < 3000; ++sweep) {
      gamma = StepWithinBounds(law, w, gamma, w * gamma + free);
    }
    EXPECT_LE(Violation(ContactLaw::kNcp, law, gamma, w * gamma + free), 1e-10) << i;
  }
}

}  // namespace
}  // namespace talus::matrix
