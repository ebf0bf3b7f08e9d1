#include "server/session/scene_registry.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "solver/base/random.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using testing::FallingBalls;
using testing::Gate;
using testing::HoldAt;
using testing::kEndless;
using testing::Stage;
using testing::Steps;
using Code = absl::StatusCode;
using std::chrono::seconds;

class SceneRegistryTest : public ::testing::Test {
 protected:
  SceneRegistryTest() {
    stage_.limits.scenes = 5;
    stage_.limits.bodies_per_scene = 10;
    registry_ = std::make_unique<SceneRegistry>(stage_.limits, stage_.runtime());
  }

  static CreateSceneCall Call(const std::string& id, int balls = 1) {
    CreateSceneCall call;
    call.scene_id = id;
    call.source = FallingBalls(balls);
    return call;
  }
  absl::StatusOr<CreateSceneAnswer> Create(CreateSceneCall call) {
    Answer<CreateSceneAnswer> answer;
    registry_->Create(std::move(call), answer.Done());
    return answer.Get();
  }
  absl::StatusOr<std::vector<SceneInfo>> Fork(ForkSceneCall call) {
    Answer<std::vector<SceneInfo>> answer;
    registry_->Fork(std::move(call), nullptr, answer.Done());
    return answer.Get();
  }
  // By its name, or that one and no other.
  template <typename Scene>
  absl::Status Delete(const Scene& scene) {
    Answer<int> answer;
    registry_->Delete(scene, [done = answer.Done()](const absl::Status& status) {
      if (status.ok()) {
        done(0);
      } else {
        done(status);
      }
    });
    return answer.Get().status();
  }
  std::vector<std::string> ListIds() {
    std::vector<std::string> ids;
    const auto page = registry_->List(0, "");
    if (!page.ok()) return {"no page"};
    for (const SceneInfo& info : page->scenes) ids.push_back(info.id);
    return ids;
  }

  Stage stage_;
  std::unique_ptr<SceneRegistry> registry_;
};

TEST_F(SceneRegistryTest, CreatesFindsListsAndDeletes) {
  const auto made = Create(Call("b", 2));
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->info.id, "b");
  EXPECT_EQ(made->info.body_count, 2);
  EXPECT_EQ(made->layout->body_names, (std::vector<std::string>{"ball0", "ball1"}));
  EXPECT_EQ(made->layout->version, made->info.layout_version);
  EXPECT_EQ(Create(Call(""))->info.id, "scene-1");
  EXPECT_TRUE(Create(Call("a")).ok());
  EXPECT_EQ(ListIds(), (std::vector<std::string>{"a", "b", "scene-1"}));
  EXPECT_EQ(registry_->Find("b").value()->id(), "b");
  EXPECT_TRUE(Delete("b").ok());
  EXPECT_EQ(Delete("b").code(), Code::kNotFound);
  EXPECT_EQ(registry_->Find("b").status().code(), Code::kNotFound);
  EXPECT_EQ(registry_->scene_count(), 2);
}

TEST_F(SceneRegistryTest, AClientHoldsSoManyScenesAndWhatComesBackIsNobodys) {
  stage_.limits.scenes_per_client = 1;
  registry_ = std::make_unique<SceneRegistry>(stage_.limits, stage_.runtime());
  const auto create = [this](const std::string& id, const std::string& client) {
    CreateSceneCall call = Call(id);
    call.client = client;
    return FindErrorInfo(Create(std::move(call)).status()).limit_name;
  };
  ASSERT_TRUE(registry_->Adopt("back", *World::Create(FallingBalls(1))).ok());
  EXPECT_EQ(create("a", "robot"), "");
  EXPECT_EQ(create("b", "robot"), "scenes_per_client");
  EXPECT_EQ(create("b", "viewer"), "");
  EXPECT_EQ(create("c", ""), "") << "nobody is not counted";
  EXPECT_EQ(create("d", ""), "");
  ASSERT_TRUE(Delete("back").ok());
  EXPECT_EQ(create("e", "robot"), "scenes_per_client") << "it was not his";
  ASSERT_TRUE(Delete("a").ok());
  EXPECT_EQ(create("e", "robot"), "");
}

// What removes a scene's stored state is under way before another scene can have the name.
TEST_F(SceneRegistryTest, ANameIsFreeOnceItsSceneIsBeingForgotten) {
  std::vector<absl::StatusCode> codes;
  registry_->SetForget([&](const std::string& id, const StatusCompletion& done) {
    codes.push_back(Create(Call(id)).status().code());
    codes.push_back(Delete(id).code());
    codes.push_back(registry_->Find(id).status().code());
    done(absl::OkStatus());
  });
  ASSERT_TRUE(Create(Call("a")).ok());
  ASSERT_TRUE(Delete("a").ok());
  EXPECT_EQ(codes, (std::vector<Code>{Code::kAlreadyExists, Code::kNotFound, Code::kNotFound}));
  EXPECT_TRUE(Create(Call("a")).ok());
}

TEST_F(SceneRegistryTest, RefusesBadCallsAndChangesNothing) {
  ASSERT_TRUE(Create(Call("a")).ok());
  EXPECT_EQ(FindErrorInfo(Create(Call("a")).status()).reason, ErrorReason::kDuplicateName);
  EXPECT_EQ(Create(Call("a/b")).status().code(), Code::kInvalidArgument);
  CreateSceneCall heavy = Call("b");
  std::get<SceneDef>(heavy.source).bodies[0].mass_kg = -1.0;
  EXPECT_EQ(FindErrorInfo(Create(heavy).status()).field, "bodies[0].mass_kg");
  EXPECT_EQ(FindErrorInfo(Create(Call("b", 11)).status()).limit_name, "bodies_per_scene");
  CreateSceneCall garbage = Call("b");
  garbage.source = std::string("no snapshot");
  const auto refused = Create(garbage);
  EXPECT_EQ(refused.status().code(), Code::kInvalidArgument);
  EXPECT_EQ(FindErrorInfo(refused.status()).reason, ErrorReason::kBadSnapshot);
  EXPECT_EQ(ListIds(), std::vector<std::string>{"a"});
  EXPECT_EQ(registry_->scene_count(), 1);
  EXPECT_TRUE(Create(Call("b")).ok());
}

TEST_F(SceneRegistryTest, HoldsTheLimitOfScenes) {
  for (const char* id : {"a", "b", "c", "d", "e"}) ASSERT_TRUE(Create(Call(id)).ok());
  const ErrorInfo info = FindErrorInfo(Create(Call("f")).status());
  EXPECT_EQ(info.limit_name, "scenes");
  EXPECT_EQ(info.limit_value, 5);
  ASSERT_TRUE(Delete("c").ok());
  EXPECT_TRUE(Create(Call("f")).ok());
}

TEST_F(SceneRegistryTest, ForksAllOrNone) {
  ASSERT_TRUE(Create(Call("a")).ok());
  Answer<StepAnswer> step;
  registry_->Find("a").value()->Step(Steps(4), nullptr, step.Done());
  const uint64_t hash = step.Get()->frame->state_hash;
  const auto forks = Fork({"a", {"x", "", "y"}, ""});
  ASSERT_TRUE(forks.ok()) << forks.status();
  ASSERT_EQ(forks->size(), 3u);
  EXPECT_EQ((*forks)[0].id, "x");
  EXPECT_EQ((*forks)[1].id, "scene-1");
  for (const SceneInfo& info : *forks) {
    EXPECT_EQ(info.state_hash, hash);
    EXPECT_EQ(info.step_index, 4);
  }
  EXPECT_EQ(Fork({"a", {"z", "x"}, ""}).status().code(), Code::kAlreadyExists);
  EXPECT_EQ(Fork({"a", {"z", "z"}, ""}).status().code(), Code::kAlreadyExists);
  EXPECT_EQ(Fork({"a", {"z", "w"}, ""}).status().code(), Code::kResourceExhausted);
  EXPECT_EQ(Fork({"a", {}, ""}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(Fork({"nobody", {"z"}, ""}).status().code(), Code::kNotFound);
  EXPECT_EQ(registry_->scene_count(), 4);
}

TEST_F(SceneRegistryTest, RestoresASceneInPlace) {
  ASSERT_TRUE(Create(Call("a", 2)).ok());
  auto scene = *registry_->Find("a");
  Answer<SceneSnapshot> save;
  scene->TakeSnapshot(nullptr, save.Done());
  const auto saved = save.Get();
  Answer<StepAnswer> step;
  scene->Step(Steps(4), nullptr, step.Done());
  ASSERT_TRUE(step.Get().ok());
  Answer<SceneInfo> restore;
  registry_->Restore(*registry_->Find("a"), saved->bytes, nullptr, restore.Done());
  const auto info = restore.Get();
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->step_index, 0);
  EXPECT_EQ(info->state_hash, saved->state_hash);
  Answer<SceneInfo> bad;
  registry_->Restore(*registry_->Find("a"), "garbage", nullptr, bad.Done());
  EXPECT_EQ(bad.GetError(Code::kDataLoss).reason, ErrorReason::kBadSnapshot);
}

TEST_F(SceneRegistryTest, ARepeatedCreateMakesOneScene) {
  CreateSceneCall call = Call("");
  call.request_id = "r";
  call.fingerprint = "f";
  constexpr int kThreads = 4;
  std::vector<Answer<CreateSceneAnswer>> answers(kThreads);
  std::vector<std::thread> threads;
  for (auto& answer : answers) {
    threads.emplace_back([&] { registry_->Create(call, answer.Done()); });
  }
  for (std::thread& thread : threads) thread.join();
  for (auto& answer : answers) {
    const auto made = answer.Get();
    ASSERT_TRUE(made.ok());
    EXPECT_EQ(made->info.id, "scene-1");
  }
  EXPECT_EQ(registry_->scene_count(), 1);
  call.fingerprint = "other";
  EXPECT_EQ(FindErrorInfo(Create(call).status()).reason, ErrorReason::kRequestIdReused);
}

// A replay holds its scene; whoever deletes it meanwhile may give the name to another.
TEST_F(SceneRegistryTest, ASceneThatIsGoneTakesNoOtherOfItsNameAlong) {
  ASSERT_TRUE(Create(Call("a")).ok());
  const auto gone = registry_->Find("a").value();
  ASSERT_TRUE(Delete(std::string("a")).ok());
  ASSERT_TRUE(Create(Call("a", 2)).ok());
  EXPECT_EQ(Delete(gone).code(), Code::kNotFound);
  const auto made = registry_->Find("a").value();
  EXPECT_EQ(made->info().body_count, 2);
  Answer<SceneInfo> restored;
  registry_->Restore(gone, World::Create(FallingBalls(3)).value().SaveSnapshot(), nullptr,
                     restored.Done());
  EXPECT_EQ(FindErrorInfo(restored.Get().status()).reason, ErrorReason::kSceneDeleted);
  EXPECT_EQ(made->info().body_count, 2);
  EXPECT_TRUE(Delete(made).ok());
  EXPECT_EQ(registry_->scene_count(), 0);
}

TEST_F(SceneRegistryTest, ACreateThatFailedMayBeRepeated) {
  ASSERT_TRUE(Create(Call("a")).ok());
  CreateSceneCall call = Call("a");
  call.request_id = "r";
  EXPECT_EQ(Create(call).status().code(), Code::kAlreadyExists);
  ASSERT_TRUE(Delete("a").ok());
  EXPECT_TRUE(Create(call).ok());
  EXPECT_TRUE(Create(call).ok());
}

TEST_F(SceneRegistryTest, ARepeatedForkMakesItsScenesOnce) {
  ASSERT_TRUE(Create(Call("a")).ok());
  const auto first = Fork({"a", {"", "x"}, "r"});
  const auto second = Fork({"a", {"", "x"}, "r"});
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ((*first)[0].id, (*second)[0].id);
  EXPECT_EQ(registry_->scene_count(), 3);
  EXPECT_EQ(FindErrorInfo(Fork({"a", {"y"}, "r"}).status()).reason, ErrorReason::kRequestIdReused);
}

TEST_F(SceneRegistryTest, DrainingEndsEverythingAndRefusesTheRest) {
  ASSERT_TRUE(Create(Call("a")).ok());
  ASSERT_TRUE(Create(Call("b")).ok());
  auto scene = *registry_->Find("a");
  Answer<StepAnswer> running;
  scene->Step(Steps(kEndless), nullptr, running.Done());
  auto watcher = *registry_->Find("b").value()->Watch({}, [] {});
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  registry_->BeginDrain();
  registry_->BeginDrain();
  EXPECT_FALSE(registry_->WaitUntilDrained(std::chrono::milliseconds(20)));
  gate->Open();
  EXPECT_TRUE(registry_->WaitUntilDrained(seconds(60)));
  EXPECT_EQ(running.GetError(Code::kUnavailable).reason, ErrorReason::kDraining);
  watcher->Take();
  EXPECT_EQ(watcher->FindEnd()->code(), Code::kUnavailable);
  EXPECT_EQ(FindErrorInfo(Create(Call("c")).status()).reason, ErrorReason::kDraining);
  EXPECT_EQ(Fork({"a", {"c"}, ""}).status().code(), Code::kUnavailable);
  Answer<StepAnswer> late;
  scene->Step(Steps(1), nullptr, late.Done());
  EXPECT_EQ(late.GetError(Code::kUnavailable).reason, ErrorReason::kDraining);
  EXPECT_EQ(ListIds().size(), 2u);  // looking is still allowed
}

// Everything at once from many threads; at the end all calls were answered and nothing is left
// over.
TEST_F(SceneRegistryTest, SurvivesManyThreadsDoingEverything) {
  constexpr uint64_t kSeed = 4711;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::atomic<int64_t> asked{0};
  std::atomic<int64_t> answered{0};
  auto count = [&](auto&&) { ++answered; };
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      Random random(kSeed + thread);
      for (int round = 0; round < 300; ++round) {
        const std::string id(1, static_cast<char>('a' + random.Next() % 4));
        const std::string other(1, static_cast<char>('a' + random.Next() % 4));
        ++asked;
        auto scene = registry_->Find(id);
        const uint64_t action = scene.ok() ? random.Next() % 8 : 0;
        auto control = std::make_shared<CallControl>(std::chrono::steady_clock::now() +
                                                     std::chrono::milliseconds(random.Next() % 20));
        if (action == 0) registry_->Create(Call(id), count);
        if (action == 1) registry_->Delete(id, count);
        if (action == 2) registry_->Fork({id, {other}, ""}, control, count);
        if (action == 3) (*scene)->Step(Steps(200), control, count);
        if (action == 4) (*scene)->Read({{true, true, true, true, true}, true}, control, count);
        if (action == 5) (*scene)->AddBodies({{}, {}}, control, count);
        if (action == 6) (*scene)->TakeSnapshot(control, count);
        if (action == 7) {
          auto watcher = (*scene)->Watch({StepPace{3}, {.positions = true}}, [] {});
          if (watcher.ok() && random.Next() % 2 == 0) (*watcher)->Close();
          ++answered;
        }
        if (random.Next() % 16 == 0) control->Cancel();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  registry_->BeginDrain();
  EXPECT_TRUE(registry_->WaitUntilDrained(seconds(60)));
  EXPECT_EQ(answered, asked);
}

}  // namespace
}  // namespace talus
