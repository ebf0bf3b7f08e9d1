// CreateScene by the name of a scene that the operator gave, and ListNamedScenes.
#include <gmock/gmock.h>

#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

using ::testing::HasSubstr;
using SceneStub = v1::SceneService::Stub;

class NamedScenesTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    SceneLibrary library;
    ASSERT_TRUE(library.Add("ten_balls", TenBalls()).ok());
    ASSERT_TRUE(library.Add("nothing", {}).ok());
    options.library = std::make_shared<const SceneLibrary>(std::move(library));
    options.limits.bodies_per_scene = 11;
    StartServer(options);
  }

  Reply<v1::CreateSceneResponse> Make(const std::string& named_scene, const std::string& id = "",
                                      const std::string& request_id = "") {
    v1::CreateSceneRequest request;
    request.set_named_scene(named_scene);
    request.set_scene_id(id);
    request.set_request_id(request_id);
    return Call(*scenes_, &SceneStub::CreateScene, request);
  }
  Reply<v1::ListNamedScenesResponse> List(int32_t page_size = 0, const std::string& token = "") {
    v1::ListNamedScenesRequest request;
    request.set_page_size(page_size);
    request.set_page_token(token);
    return Call(*scenes_, &SceneStub::ListNamedScenes, request);
  }
};

TEST_F(NamedScenesTest, ANameMakesTheSceneThatItsTextMakes) {
  const auto named = Make("ten_balls", "named");
  ASSERT_TRUE(named.ok()) << named.status.error_message();
  EXPECT_EQ(named.response.scene().scene(), "scenes/named");
  EXPECT_EQ(named.response.scene().body_count(), 11);
  EXPECT_EQ(named.response.layout().body_ids_size(), 11);
  ASSERT_TRUE(CreateScene("described", TenBalls()).ok());
  ASSERT_TRUE(Step("named", 20).ok());
  ASSERT_TRUE(Step("described", 20).ok());
  EXPECT_EQ(StateHash("named"), StateHash("described"));
  // The scene that was given is not the one that has stepped.
  ASSERT_TRUE(Make("ten_balls", "again").ok());
  EXPECT_EQ(StateHash("again"), named.response.scene().state_hash());
}

TEST_F(NamedScenesTest, ARepeatMakesNoSecondScene) {
  const auto first = Make("nothing", "", "once");
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(Make("nothing", "", "once").response.scene().scene(), first.response.scene().scene());
  EXPECT_TRUE(FailedWith(Make("ten_balls", "", "once"), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_REQUEST_ID_REUSED));
}

TEST_F(NamedScenesTest, OtherNamesAreRefusedAndMakeNothing) {
  const auto unknown = Make("eleven_balls");
  EXPECT_TRUE(FailedWith(unknown, grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_EQ(unknown.detail.field(), "named_scene");
  EXPECT_EQ(unknown.detail.value(), "eleven_balls");
  EXPECT_THAT(unknown.status.error_message(), HasSubstr("ListNamedScenes"));
  for (const char* name : {"", "ten_balls.json/", "../ten_balls", "/etc/passwd", "ten balls"}) {
    const auto refused = Make(name);
    EXPECT_TRUE(
        FailedWith(refused, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD))
        << name;
    EXPECT_EQ(refused.detail.field(), "named_scene");
  }
  const auto taken = Make("ten_balls", "a b");
  EXPECT_EQ(taken.detail.field(), "scene_id");
  EXPECT_EQ(host_->registry().scene_count(), 0);
}

// A limit that the operator's own file exceeds is told to who asks, as of any other scene.
TEST_F(NamedScenesTest, LimitsHoldForThemToo) {
  SceneHostOptions options = DefaultOptions();
  options.library = host_->options().library;
  options.limits.bodies_per_scene = 10;
  StopServer();
  StartServer(options);
  const auto refused = Make("ten_balls");
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "bodies_per_scene");
}

TEST_F(NamedScenesTest, AreListedByPages) {
  const auto all = List();
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all.response.scenes_size(), 2);
  EXPECT_EQ(all.response.scenes(0).name(), "nothing");
  EXPECT_EQ(all.response.scenes(0).body_count(), 0);
  EXPECT_EQ(all.response.scenes(1).name(), "ten_balls");
  EXPECT_EQ(all.response.scenes(1).body_count(), 11);
  EXPECT_EQ(all.response.scenes(1).time_step_s(), TenBalls().settings.time_step_s);
  EXPECT_EQ(all.response.next_page_token(), "");
  const auto first = List(1);
  EXPECT_EQ(first.response.scenes_size(), 1);
  EXPECT_EQ(List(1, first.response.next_page_token()).response.scenes(0).name(), "ten_balls");
  EXPECT_EQ(List(-1).detail.field(), "page_size");
  EXPECT_EQ(List(1, "no token!").detail.field(), "page_token");
}

TEST_F(NamedScenesTest, AreWorldsToBeHad) {
  const auto offered = [&] {
    std::map<std::string, std::vector<std::string>> rpcs;
    v1::GetFeaturesResponse features =
        Call(*about_, &v1::ServerService::Stub::GetFeatures, v1::GetFeaturesRequest()).response;
    for (const v1::Feature& feature : features.features()) {
      rpcs[feature.name()] = {feature.rpcs().begin(), feature.rpcs().end()};
    }
    return rpcs;
  };
  auto rpcs = offered();
  EXPECT_THAT(rpcs["WORLD_LOADING"], ::testing::ElementsAre("SceneService/CreateScene"));
  EXPECT_THAT(rpcs["AVAILABLE_WORLDS"], ::testing::ElementsAre("SceneService/ListNamedScenes"))
      << "without a data directory there are no snapshots to list";
  StopServer();
  StartServer(DefaultOptions());
  EXPECT_TRUE(offered()["AVAILABLE_WORLDS"].empty());
  EXPECT_EQ(List().response.scenes_size(), 0);
}

}  // namespace
}  // namespace talus::testing
