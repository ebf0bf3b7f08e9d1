// The guideway as a problem for the solver: 72 contacts and four joints to round-off.
#include "tests/scenes/guideway.h"

#include <gtest/gtest.h>

#include "tests/support/mechanisms.h"

namespace talus {
namespace {

TEST(Guideway, IsSolvedTo1e12UnderEitherLaw) {
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    scenes::Guideway guideway;
    guideway.law = law;
    guideway.tolerance = 1e-12;
    guideway.seal_n = 5.3;
    World world = testing::MakeWorld(guideway.Build());
    for (int step = 0; step < 5; ++step) {
      const StepReport report = testing::StepWorld(world);
      EXPECT_EQ(report.contact_count, 72);
      EXPECT_LE(report.residual, 1e-12);
    }
  }
}

TEST(Guideway, StepsToTheSameBitsForAnyWorkerCount) {
  World one = testing::MakeWorld(scenes::Guideway().Build());
  World three = testing::MakeWorld(scenes::Guideway().Build());
  testing::StepWorld(one, 5, 1);
  testing::StepWorld(three, 5, 3);
  EXPECT_EQ(one.state_hash(), three.state_hash());
}

}  // namespace
}  // namespace talus
