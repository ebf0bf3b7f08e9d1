// What a server lets its callers have, through gRPC: how each limit is told that is not told beside
// the call it bounds.
#include <gmock/gmock.h>

#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

class QuotasTest : public ServerTest {
 protected:
  SceneHostOptions options_ = DefaultOptions();
};

TEST_F(QuotasTest, AStepOfMoreContactsThanTheLimitIsNotMade) {
  options_.limits.contacts_per_scene = 9;
  StartServer(options_);
  CreateScene("a", TenBalls());
  const auto refused = Step("a", 1000);
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "contacts_per_scene");
  EXPECT_EQ(refused.detail.limit_value(), 9);
  const v1::SceneInfo info = GetScene("a");
  EXPECT_EQ(info.step_index(), refused.detail.steps_done());
  EXPECT_EQ(info.fault(), "");

  v1::StepUntilRequest until;
  until.set_scene("scenes/a");
  until.mutable_until()->set_time_s(1000.0);
  EXPECT_EQ(Call(*simulation_, &v1::SimulationService::Stub::StepUntil, until).detail.limit_name(),
            "contacts_per_scene");
  v1::BatchStepRequest batch;
  batch.add_steps()->set_scene("scenes/a");
  const auto stepped = Call(*simulation_, &v1::SimulationService::Stub::BatchStep, batch);
  ASSERT_TRUE(stepped.ok()) << stepped.status.error_message();
  EXPECT_EQ(stepped.response.results(0).error().detail().limit_name(), "contacts_per_scene");
  EXPECT_EQ(StateHash("a"), info.state_hash());
}

}  // namespace
}  // namespace talus::testing
