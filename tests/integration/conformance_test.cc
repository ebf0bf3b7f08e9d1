// The conformance runner finds a good server good, and a bad one bad: behind a relay that lies
// about steps the very checks fail that are there for it.
#include <gmock/gmock.h>

#include "clients/cli/conformance/ground.h"
#include "clients/cli/conformance/runner.h"
#include "tests/integration/relay_server.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

using cli::conformance::ChooseChecks;
using cli::conformance::Finding;
using cli::conformance::Ground;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

class ConformanceTest : public ServerTest {
 protected:
  void SetUp() override { StartServer(); }

  // Of the checks of steps: `check: reason` of those that failed.
  std::vector<std::string> FindFailures(Lie lie) {
    const RelayServer relay(channel_, lie);
    Ground ground(relay.address(), {}, {});
    const auto greeted = ground.Greet();
    EXPECT_TRUE(greeted) << greeted.error().ToString();
    std::vector<std::string> unknown;
    const auto checks = ChooseChecks({"steps.counts_are_exact", "steps.answered_when_done",
                                      "steps.the_ball_falls", "steps.expected_index_guards"},
                                     unknown);
    EXPECT_EQ(checks.size(), 4u);
    std::vector<std::string> failed;
    RunChecks(checks, ground, [&](const Finding& finding) {
      EXPECT_NE(finding.verdict.outcome, cli::conformance::Outcome::kSkip)
          << finding.verdict.reason;
      if (finding.verdict.outcome != cli::conformance::Outcome::kFail) return;
      EXPECT_FALSE(finding.verdict.reason.empty());
      failed.push_back(finding.name);
    });
    EXPECT_EQ(ground.Clean(), 0);
    EXPECT_EQ(host_->registry().scene_count(), 0) << "the checks left scenes behind";
    return failed;
  }
};

TEST_F(ConformanceTest, AnHonestRelayPasses) { EXPECT_THAT(FindFailures(Lie::kNone), IsEmpty()); }

TEST_F(ConformanceTest, AServerThatStepsTooLittleFails) {
  EXPECT_THAT(FindFailures(Lie::kOneStepLess),
              ElementsAre("counts_are_exact", "answered_when_done", "the_ball_falls",
                          "expected_index_guards"));
}

TEST_F(ConformanceTest, AServerThatClaimsAStepFails) {
  EXPECT_THAT(FindFailures(Lie::kClaimsOneMore),
              IsSupersetOf({"answered_when_done", "the_ball_falls"}));
}

TEST_F(ConformanceTest, AServerThatAnswersEarlyFails) {
  EXPECT_THAT(FindFailures(Lie::kAnswersEarly),
              IsSupersetOf({"answered_when_done", "the_ball_falls"}));
}

TEST_F(ConformanceTest, ChecksAreChosenByAreaAndName) {
  std::vector<std::string> unknown;
  EXPECT_GT(ChooseChecks({}, unknown).size(), 70u);
  EXPECT_EQ(ChooseChecks({"reset"}, unknown).size(), 6u);
  EXPECT_EQ(ChooseChecks({"reset", "reset.time_alone"}, unknown).size(), 6u) << "each once";
  EXPECT_THAT(unknown, IsEmpty());
  EXPECT_THAT(ChooseChecks({"reset.nothing"}, unknown), IsEmpty());
  EXPECT_THAT(unknown, ElementsAre("reset.nothing"));
}

}  // namespace
}  // namespace talus::testing
