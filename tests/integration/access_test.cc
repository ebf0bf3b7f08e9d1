// Who may call what: tokens and scopes for every RPC, rates, health and reflection.
#include <gmock/gmock.h>

#include "server/rpc/access_table.h"
#include "server/rpc/health_check.h"
#include "talus/v1/scene_service.grpc.pb.h"
#include "talus/v1/stream_service.pb.h"
#include "tests/integration/secured_server.h"

namespace talus::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kReflection[] = "ServerReflection/ServerReflectionInfo";
constexpr char kGetInfo[] = "/talus.v1.ServerService/GetServerInfo";

std::string PathOf(std::string_view method) {
  if (method == kReflection) return "/grpc.reflection.v1alpha." + std::string(method);
  const bool face = method == "Environment/Process";
  return (face ? "/dm_env_rpc.v1." : "/talus.v1.") + std::string(method);
}

bool IsRefusal(const CallEnd& end) {
  return end.status.error_code() == grpc::StatusCode::UNAUTHENTICATED ||
         end.status.error_code() == grpc::StatusCode::PERMISSION_DENIED;
}

class TokenTest : public ::testing::Test {
 protected:
  SecuredServer server_{{.tls = {}, .tokens = MakeTokens(), .rate = {}}};
  const std::shared_ptr<grpc::Channel> channel_ = server_.Open();
};

TEST_F(TokenTest, EveryRpcAsksForATokenOfItsScope) {
  const struct {
    const char* token;
    Scope scope;
  } bearers[] = {
      {kReadToken, Scope::kRead}, {kControlToken, Scope::kControl}, {kAdminToken, Scope::kAdmin}};
  for (const rpc::RpcAccess& rpc : rpc::AllRpcs()) {
    const std::string path = PathOf(rpc.method);
    for (const char* nobody : {"", "token-of-nobody"}) {
      const CallEnd end = CallAny(channel_, path, nobody);
      EXPECT_EQ(end.status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << path;
      EXPECT_EQ(end.detail.reason(), v1::ERROR_REASON_UNAUTHENTICATED) << path;
      EXPECT_EQ(end.messages, "") << path;
    }
    for (const auto& bearer : bearers) {
      const CallEnd end = CallAny(channel_, path, bearer.token);
      if (bearer.scope >= rpc.scope) {
        EXPECT_FALSE(IsRefusal(end)) << path << ": " << end.status.error_message();
        EXPECT_NE(end.status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << path;
        continue;
      }
      EXPECT_EQ(end.status.error_code(), grpc::StatusCode::PERMISSION_DENIED) << path;
      EXPECT_EQ(end.detail.reason(), v1::ERROR_REASON_SCOPE_MISSING) << path;
      EXPECT_EQ(end.detail.allowed(), "must have scope " + std::string(ScopeName(rpc.scope)));
      EXPECT_EQ(end.messages, "") << path;
    }
  }
}

TEST_F(TokenTest, ARefusedCallDoesNothing) {
  v1::CreateSceneRequest create;
  create.set_scene_id("a");
  create.mutable_spec();
  const std::string path = "/talus.v1.SceneService/CreateScene";
  EXPECT_TRUE(IsRefusal(CallAny(channel_, path, "", create.SerializeAsString())));
  EXPECT_TRUE(IsRefusal(CallAny(channel_, path, kReadToken, create.SerializeAsString())));
  EXPECT_EQ(server_.host().registry().scene_count(), 0);
  EXPECT_TRUE(CallAny(channel_, path, kControlToken, create.SerializeAsString()).status.ok());
  v1::DeleteSceneRequest remove;
  remove.set_scene("scenes/a");
  EXPECT_TRUE(IsRefusal(CallAny(channel_, "/talus.v1.SceneService/DeleteScene", kReadToken,
                                remove.SerializeAsString())));
  EXPECT_EQ(server_.host().registry().scene_count(), 1);
}

TEST_F(TokenTest, AWatcherThatHoldsTheSceneUpNeedsControl) {
  const std::string path = "/talus.v1.StreamService/WatchState";
  v1::WatchStateRequest watch;
  watch.set_scene("scenes/nowhere");
  for (int policy = 0; v1::SlowWatcherPolicy_IsValid(policy); ++policy) {
    watch.set_policy(static_cast<v1::SlowWatcherPolicy>(policy));
    const CallEnd end = CallAny(channel_, path, kReadToken, watch.SerializeAsString());
    if (policy != v1::SLOW_WATCHER_POLICY_BLOCK) {
      EXPECT_EQ(end.status.error_code(), grpc::StatusCode::NOT_FOUND) << policy;
      continue;
    }
    EXPECT_EQ(end.status.error_code(), grpc::StatusCode::PERMISSION_DENIED);
    EXPECT_EQ(end.detail.reason(), v1::ERROR_REASON_SCOPE_MISSING);
    EXPECT_EQ(end.detail.allowed(), "must have scope control");
  }
  watch.set_policy(v1::SLOW_WATCHER_POLICY_BLOCK);
  EXPECT_EQ(CallAny(channel_, path, kControlToken, watch.SerializeAsString()).status.error_code(),
            grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(CallAny(channel_, path, "", watch.SerializeAsString()).status.error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(TokenTest, NoMessageRepeatsAToken) {
  const CallEnd end = CallAny(channel_, kGetInfo, "token-of-nobody");
  EXPECT_THAT(end.status.error_message(), Not(HasSubstr("token-of-nobody")));
  EXPECT_THAT(end.detail.ShortDebugString(), Not(HasSubstr("token-of-nobody")));
  EXPECT_EQ(end.detail.field(), "authorization");
}

TEST_F(TokenTest, OnlyTheBearerSchemeCounts) {
  for (const std::string& value :
       {std::string(kReadToken), "Basic " + std::string(kReadToken),
        "bearer " + std::string(kReadToken), "Bearer  " + std::string(kReadToken),
        "Bearer " + std::string(kReadToken) + "x", std::string("Bearer ")}) {
    grpc::ClientContext context;
    context.AddMetadata("authorization", value);
    v1::GetSceneRequest request;
    auto scenes = v1::SceneService::NewStub(channel_);
    v1::GetSceneResponse response;
    EXPECT_EQ(scenes->GetScene(&context, request, &response).error_code(),
              grpc::StatusCode::UNAUTHENTICATED)
        << value;
  }
}

TEST_F(TokenTest, HealthAnswersEverybody) {
  EXPECT_TRUE(rpc::CheckHealth(server_.address(), std::chrono::minutes(1)).ok());
}

TEST_F(TokenTest, ReflectionTellsReadersWhatTheServicesLookLike) {
  for (const char* package : {"v1alpha", "v1"}) {
    const std::string path = std::string("/grpc.reflection.") + package + '.' + kReflection;
    // {list_services: ""}
    CallEnd end = CallAny(channel_, path, kReadToken, std::string("\x3A\x00", 2));
    EXPECT_TRUE(end.status.ok()) << end.status.error_message();
    EXPECT_THAT(end.messages, HasSubstr("talus.v1.SceneService"));
    // {file_containing_symbol: "talus.v1.SceneService"}: the file and what it imports.
    end = CallAny(channel_, path, kReadToken, "\x22\x15talus.v1.SceneService");
    EXPECT_THAT(end.messages, HasSubstr("talus/v1/scene_service.proto"));
    EXPECT_THAT(end.messages, HasSubstr("talus/v1/geometry.proto"));
    // {file_by_filename: "no.proto"}
    end = CallAny(channel_, path, kReadToken, "\x1A\x08no.proto");
    EXPECT_TRUE(end.status.ok());
    EXPECT_THAT(end.messages, HasSubstr("no.proto is not known"));
    end = CallAny(channel_, path, kReadToken, "\xFF\xFF\xFF");
    EXPECT_TRUE(end.status.ok());
    EXPECT_THAT(end.messages, HasSubstr("no ServerReflectionRequest"));
  }
}

TEST(Access, WithoutTokensEverybodyMayDoEverything) {
  SecuredServer server({});
  const auto channel = server.Open();
  for (const rpc::RpcAccess& rpc : rpc::AllRpcs()) {
    EXPECT_FALSE(IsRefusal(CallAny(channel, PathOf(rpc.method), ""))) << rpc.method;
    EXPECT_FALSE(IsRefusal(CallAny(channel, PathOf(rpc.method), "needless"))) << rpc.method;
  }
}

TEST(Access, AClientThatCallsTooOftenIsToldWhenToComeBack) {
  SecuredServer server({.tls = {},
                        .tokens = MakeTokens(),
                        .rate = RateLimiter::Options{.calls_per_s = 0.001, .burst = 3.0}});
  const auto channel = server.Open();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(CallAny(channel, kGetInfo, kReadToken).status.ok());
  const CallEnd end = CallAny(channel, kGetInfo, kReadToken);
  EXPECT_EQ(end.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(end.detail.reason(), v1::ERROR_REASON_LIMIT_REACHED);
  EXPECT_EQ(end.detail.limit_name(), "calls_per_second");
  EXPECT_EQ(end.detail.value(), "viewer");
  EXPECT_GT(end.detail.retry_after_ms(), 900'000);
  EXPECT_LE(end.detail.retry_after_ms(), 1'000'000);
  // Others are not disturbed, and guesses count by where they come from.
  EXPECT_TRUE(CallAny(channel, kGetInfo, kControlToken).status.ok());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(CallAny(channel, kGetInfo, "guess" + std::to_string(i)).status.error_code(),
              grpc::StatusCode::UNAUTHENTICATED);
  }
  EXPECT_EQ(CallAny(channel, kGetInfo, "guess4").detail.value(), "ipv4:127.0.0.1");
  EXPECT_TRUE(rpc::CheckHealth(server.address(), std::chrono::minutes(1)).ok());
}

}  // namespace
}  // namespace talus::testing
