// What bounds SceneService.ImportModel and CreateScene from URDF: files, bytes, bodies, models read
// at once, memory.
#include <gmock/gmock.h>

#include <atomic>
#include <future>

#include "tests/integration/import_fixture.h"

namespace talus::testing {
namespace {

TEST_F(ImportModelTest, TooManyFilesOrBytesAreRefused) {
  Import files(*scenes_);
  files.Begin("scenes/a");
  for (int count = 0; count < 257; ++count) files.File(std::to_string(count), "");
  EXPECT_TRUE(IsBadField(files.Finish(), "file_name"));
  const std::string large((size_t{1} << 20) + 1, ' ');
  EXPECT_TRUE(IsBadField(Import(*scenes_).Begin("scenes/a").File("x", large).Finish(), "chunk"));
  SceneHostOptions options = DefaultOptions();
  options.limits.model_bytes = 1000;
  StopServer();
  StartServer(options);
  MakeScene("a");
  const auto refused = Import(*scenes_)
                           .Begin("scenes/a")
                           .File("x", std::string(600, ' '))
                           .File("y", std::string(600, ' '))
                           .Finish();
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "model_bytes");
  EXPECT_EQ(refused.detail.limit_value(), 1000);
}

TEST_F(ImportModelTest, LimitsOfTheSceneHold) {
  SceneHostOptions options = DefaultOptions();
  options.limits.bodies_per_scene = 3;
  StopServer();
  StartServer(options);
  MakeScene("a");
  const auto refused = Import(*scenes_).Begin("scenes/a").File("arm.urdf", kArm).Finish();
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "bodies_per_scene");
  EXPECT_EQ(Create(Robot("b")).detail.limit_name(), "bodies_per_scene");
}

TEST_F(ImportModelTest, WaitsForOtherModelsButForNoAnalysis) {
  SceneHostOptions options = DefaultOptions();
  options.limits.analyses = 1;
  StopServer();
  StartServer(options);
  MakeScene("a");
  struct Held {
    std::promise<void> go_on;
    std::promise<void> ended;
  } analysis, model;
  const auto hold = [](AnalysisQueue& queue, Held& held) {
    queue.Submit<int>(
        "somebody", nullptr,
        [&held](const AnalysisQueue::Stop&) {
          held.go_on.get_future().wait();
          return 1;
        },
        [&held](const auto&) { held.ended.set_value(); });
  };
  const auto import = [&](const std::string& name) {
    return Import(*scenes_)
        .Begin("scenes/a", [&](v1::ModelImport& it) { it.mutable_options()->set_name(name); })
        .File("arm.urdf", kArm)
        .Finish();
  };
  hold(host_->analyses(), analysis);
  EXPECT_TRUE(import("first").ok());
  EXPECT_TRUE(Create(Robot("b")).ok());
  hold(host_->conversions(), model);
  const auto refused = import("second");
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "analyses");
  EXPECT_EQ(Create(Robot("c")).detail.limit_name(), "analyses");
  for (Held* held : {&model, &analysis}) {
    held->go_on.set_value();
    held->ended.get_future().wait();
  }
  EXPECT_TRUE(import("second").ok());
}

TEST_F(ImportModelTest, NothingComesInWhereMemoryIsShort) {
  std::atomic<int64_t> resident = 100;
  SceneHostOptions options = DefaultOptions();
  options.limits.memory_bytes = 1000;
  options.read_resident_bytes = [&resident] { return resident.load(); };
  StopServer();
  StartServer(options);
  MakeScene("a");
  resident = 2000;
  Reply<v1::ImportModelResponse> refused;
  // It is looked at every 0.1 s.
  EXPECT_TRUE(WaitUntil([&] {
    refused = Import(*scenes_)
                  .Begin("scenes/a", [](auto& model) { model.mutable_options()->set_strict(true); })
                  .File("arm.urdf", kArm)
                  .Finish();
    return refused.detail.limit_name() == "memory_bytes";
  }));
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(GetScene("a").body_count(), 1);
  StopServer();  // before what it reads goes
}

}  // namespace
}  // namespace talus::testing
