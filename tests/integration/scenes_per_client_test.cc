// How many scenes one client may hold, by whichever call he makes them, and that nobody else is
// disturbed by it.
#include <gmock/gmock.h>

#include "clients/cli/conformance/environment_stream.h"
#include "clients/cli/conformance/ground.h"
#include "tests/integration/recording_fixture.h"
#include "tests/integration/secured_server.h"

namespace talus::testing {
namespace {

using cli::conformance::EnvironmentStream;
using cli::conformance::Ground;
using cli::conformance::SettingsOf;
using ::testing::HasSubstr;

template <typename End>
::testing::AssertionResult IsOverLimit(const End& end) {
  if (end.status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED &&
      end.detail.reason() == v1::ERROR_REASON_LIMIT_REACHED &&
      end.detail.limit_name() == "scenes_per_client" && end.detail.limit_value() == 2) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure()
         << end.status.error_message() << ' ' << end.detail.ShortDebugString();
}

// All calls come from one address.
class ScenesOfOneClient : public RecordingTest {
 protected:
  void SetUp() override {
    RecordingTest::SetUp();
    Start("r");
    ASSERT_TRUE(Step("a", 3).ok());
    ASSERT_TRUE(Stop("r").ok());
    options_.limits.scenes_per_client = 2;
    Restart();
    ASSERT_TRUE(CreateScene("a", TenBalls()).ok());
  }
  Reply<v1::ForkSceneResponse> Fork(int count) {
    v1::ForkSceneRequest request;
    request.set_scene("scenes/a");
    for (int i = 0; i < count; ++i) request.add_scene_ids("");
    return Call(*snapshots_, &SnapshotStub::ForkScene, request);
  }
  bool Delete(const std::string& id) {
    v1::DeleteSceneRequest request;
    request.set_scene("scenes/" + id);
    return Call(*scenes_, &SceneStub::DeleteScene, request).ok();
  }
  client::Result<std::string> CreateWorld() {
    Ground ground(server_->addresses()[0], client::ClientOptions{}, client::CallOptions{});
    EnvironmentStream stream(ground);
    return stream.Create(SettingsOf(v1::SceneSpec()));
  }
};

TEST_F(ScenesOfOneClient, AreBoundedHoweverHeMakesThem) {
  EXPECT_TRUE(IsOverLimit(Fork(2)));
  EXPECT_EQ(host_->registry().scene_count(), 1) << "all or none";
  const auto forked = Fork(1);
  ASSERT_TRUE(forked.ok()) << forked.status.error_message();
  EXPECT_TRUE(IsOverLimit(CreateScene("c", TenBalls())));
  EXPECT_TRUE(IsOverLimit(Fork(1)));
  EXPECT_TRUE(IsOverLimit(Replay("r")));
  EXPECT_THAT(CreateWorld().error().message, HasSubstr("scenes_per_client"));
  ASSERT_TRUE(Delete("a"));
  EXPECT_TRUE(Replay("r").ok());
  EXPECT_TRUE(Replay("r", "kept").ok());
  EXPECT_TRUE(IsOverLimit(CreateScene("a", TenBalls())));
  ASSERT_TRUE(Delete("kept"));
  const auto world = CreateWorld();
  EXPECT_TRUE(world) << world.error().ToString();
  EXPECT_TRUE(IsOverLimit(CreateScene("a", TenBalls())));
}

TEST_F(ScenesOfOneClient, ARequestThatIsRepeatedOrFailsTakesNothing) {
  v1::CreateSceneRequest bad;
  bad.mutable_spec()->mutable_settings()->set_time_step_s(1e-3);
  bad.mutable_spec()->add_bodies()->set_mass_kg(-1.0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Call(*scenes_, &SceneStub::CreateScene, bad).status.error_code(),
              grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_EQ(CreateScene("a", TenBalls()).status.error_code(), grpc::StatusCode::ALREADY_EXISTS);
  }
  v1::CreateSceneRequest request;
  request.set_request_id("once");
  request.mutable_spec();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(Call(*scenes_, &SceneStub::CreateScene, request).ok());
  }
  EXPECT_TRUE(IsOverLimit(CreateScene("c", TenBalls())));
}

TEST(ScenesPerClient, CountByTheNameOfTheToken) {
  Limits limits;
  limits.scenes_per_client = 2;
  SecuredServer server({.tls = {}, .tokens = MakeTokens(), .rate = {}}, limits);
  const auto channel = server.Open();
  const auto create = [&channel](const char* token) {
    v1::CreateSceneRequest request;
    request.mutable_spec();
    return CallAny(channel, "/talus.v1.SceneService/CreateScene", token,
                   request.SerializeAsString());
  };
  EXPECT_TRUE(create(kControlToken).status.ok());
  EXPECT_TRUE(create(kControlToken).status.ok());
  EXPECT_TRUE(IsOverLimit(create(kControlToken)));
  EXPECT_TRUE(create(kAdminToken).status.ok());
  EXPECT_TRUE(create(kAdminToken).status.ok());
  EXPECT_TRUE(IsOverLimit(create(kAdminToken)));
  EXPECT_EQ(server.host().registry().scene_count(), 4);
}

}  // namespace
}  // namespace talus::testing
