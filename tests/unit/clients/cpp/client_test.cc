// The client against a service made for the purpose: what it does with answers, errors, deadlines
// and streams.
#include "clients/cpp/client.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "clients/cpp/columns.h"
#include "clients/cpp/scene.h"
#include "talus/v1/query_service.grpc.pb.h"
#include "talus/v1/scene_service.grpc.pb.h"
#include "talus/v1/simulation_service.grpc.pb.h"
#include "talus/v1/snapshot_service.grpc.pb.h"
#include "talus/v1/stream_service.grpc.pb.h"

namespace talus::client {
namespace {

using std::chrono::milliseconds;

grpc::Status Refuse(grpc::ServerContext* context, grpc::StatusCode code,
                    const v1::ErrorDetail& detail) {
  context->AddTrailingMetadata("talus-error-bin", detail.SerializeAsString());
  return {code, "refused"};
}

void AwaitCancel(grpc::ServerContext* context) {
  while (!context->IsCancelled()) std::this_thread::sleep_for(milliseconds{1});
}

class Scenes final : public v1::SceneService::Service {
  // Ends for `slow` when it is cancelled; calls others as they and their request are called.
  grpc::Status CreateScene(grpc::ServerContext* context, const v1::CreateSceneRequest* request,
                           v1::CreateSceneResponse* response) override {
    if (request->scene_id() == "slow") {
      AwaitCancel(context);
      return grpc::Status::CANCELLED;
    }
    response->mutable_scene()->set_scene("scenes/" + request->scene_id() + request->request_id());
    return grpc::Status::OK;
  }
  grpc::Status GetScene(grpc::ServerContext* context, const v1::GetSceneRequest* request,
                        v1::GetSceneResponse* response) override {
    if (request->scene() == "scenes/plain-error") {
      return {grpc::StatusCode::INTERNAL, "no detail"};
    }
    if (request->scene() == "scenes/garbled") {
      context->AddTrailingMetadata("talus-error-bin", "\xff\xff\xff");
      return {grpc::StatusCode::NOT_FOUND, "garbled detail"};
    }
    if (request->scene() != "scenes/there") {
      v1::ErrorDetail detail;
      detail.set_reason(v1::ERROR_REASON_NOT_FOUND);
      detail.set_field("scene");
      detail.set_value(request->scene());
      return Refuse(context, grpc::StatusCode::NOT_FOUND, detail);
    }
    response->mutable_scene()->set_scene(request->scene());
    return grpc::Status::OK;
  }
};

class Simulation final : public v1::SimulationService::Service {
  grpc::Status Step(grpc::ServerContext* context, const v1::StepRequest* request,
                    v1::StepResponse* response) override {
    if (request->step_count() < 0) {
      AwaitCancel(context);
      return grpc::Status::CANCELLED;
    }
    response->set_steps_done(request->step_count());
    response->mutable_frame()->set_step_index(request->expected_step_index() +
                                              request->step_count());
    return grpc::Status::OK;
  }
};

class Streams final : public v1::StreamService::Service {
  grpc::Status WatchState(grpc::ServerContext* context, const v1::WatchStateRequest* request,
                          grpc::ServerWriter<v1::WatchStateResponse>* writer) override {
    v1::WatchStateResponse response;
    for (int64_t i = 0; i < request->frame_limit(); ++i) {
      response.mutable_frame()->set_step_index(i);
      writer->Write(response);
    }
    if (request->scene() == "scenes/endless") {
      AwaitCancel(context);
      return grpc::Status::CANCELLED;
    }
    if (request->scene() == "scenes/there") return grpc::Status::OK;
    v1::ErrorDetail detail;
    detail.set_reason(v1::ERROR_REASON_SCENE_DELETED);
    return Refuse(context, grpc::StatusCode::ABORTED, detail);
  }
};

class Snapshots final : public v1::SnapshotService::Service {
  grpc::Status DownloadSnapshot(grpc::ServerContext*, const v1::DownloadSnapshotRequest* request,
                                grpc::ServerWriter<v1::DownloadSnapshotResponse>* writer) override {
    v1::DownloadSnapshotResponse response;
    response.mutable_snapshot()->set_byte_size(request->scene() == "scenes/short" ? 7 : 6);
    response.set_chunk("abc");
    writer->Write(response);
    response.clear_snapshot();
    response.set_chunk("def");
    writer->Write(response);
    return grpc::Status::OK;
  }
  // Answers with the bytes of all chunks, and of the largest message in place of the step index.
  grpc::Status UploadSnapshot(grpc::ServerContext*,
                              grpc::ServerReader<v1::UploadSnapshotRequest>* reader,
                              v1::UploadSnapshotResponse* response) override {
    v1::SnapshotInfo& snapshot = *response->mutable_snapshot();
    v1::UploadSnapshotRequest request;
    while (reader->Read(&request)) {
      snapshot.set_byte_size(snapshot.byte_size() + static_cast<int64_t>(request.chunk().size()));
      snapshot.set_step_index(
          std::max(snapshot.step_index(), static_cast<int64_t>(request.ByteSizeLong())));
    }
    return grpc::Status::OK;
  }
};

class ClientTest : public ::testing::Test {
 protected:
  ClientTest() {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&scenes_);
    builder.RegisterService(&simulation_);
    builder.RegisterService(&streams_);
    builder.RegisterService(&snapshots_);
    server_ = builder.BuildAndStart();
    client_.emplace("127.0.0.1:" + std::to_string(port));
  }
  ~ClientTest() override { server_->Shutdown(std::chrono::system_clock::now()); }

  v1::WatchStateRequest Watching(const std::string& scene, int64_t frames) {
    v1::WatchStateRequest request;
    request.set_scene(scene);
    request.set_frame_limit(frames);
    return request;
  }

  Scenes scenes_;
  Simulation simulation_;
  Streams streams_;
  Snapshots snapshots_;
  std::unique_ptr<grpc::Server> server_;
  std::optional<Client> client_;
};

TEST_F(ClientTest, GivesTheAnswerOrTheErrorWithItsDetail) {
  EXPECT_TRUE(client_->WaitUntilConnected(milliseconds{60000}));
  auto there = Scene::Attach(*client_, "there").Info();
  ASSERT_TRUE(there);
  EXPECT_EQ(there->scene(), "scenes/there");
  auto missing = Scene::Attach(*client_, "scenes/missing").Info();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.code(), Code::kNotFound);
  EXPECT_EQ(missing.error().ToString(), "NOT_FOUND: refused");
  EXPECT_EQ(missing.error().detail.reason(), v1::ERROR_REASON_NOT_FOUND);
  EXPECT_EQ(missing.error().detail.value(), "scenes/missing");
}

TEST_F(ClientTest, KeepsCodeAndMessageWhenTheDetailIsMissingOrGarbled) {
  auto plain = Scene::Attach(*client_, "plain-error").Info();
  EXPECT_EQ(plain.error().ToString(), "INTERNAL: no detail");
  EXPECT_EQ(plain.error().detail.reason(), v1::ERROR_REASON_UNSPECIFIED);
  auto garbled = Scene::Attach(*client_, "garbled").Info();
  EXPECT_EQ(garbled.error().ToString(), "NOT_FOUND: garbled detail");
  EXPECT_EQ(garbled.error().detail.ByteSizeLong(), 0u);
}

TEST_F(ClientTest, SaysUnimplementedForAServiceThatIsNotThere) {
  EXPECT_EQ(client_->GetServerInfo().code(), Code::kUnimplemented);
}

TEST_F(ClientTest, EndsACallAtItsDeadlineOrWhenStopped) {
  Scene scene = Scene::Attach(*client_, "there");
  StepOptions options;
  options.call.timeout = milliseconds{50};
  EXPECT_EQ(scene.Step(-1, options).code(), Code::kDeadlineExceeded);

  std::stop_source source;
  options.call = {milliseconds{0}, source.get_token()};
  std::thread stopper([&source] {
    std::this_thread::sleep_for(milliseconds{30});
    source.request_stop();
  });
  EXPECT_EQ(scene.Step(-1, options).code(), Code::kCancelled);
  stopper.join();
  EXPECT_EQ(scene.Step(-1, options).code(), Code::kCancelled) << "stopped before the call";
}

TEST_F(ClientTest, MakesScenesAsItIsAsked) {
  const auto make = [&](const std::string& id, const CreateOptions& options) {
    return std::vector{Scene::Create(*client_, {}, id, options),
                       Scene::CreateFromSnapshot(*client_, "bytes", id, options)};
  };
  CreateOptions options;
  options.request_id = "-once";
  for (const auto& made : make("a", options)) {
    ASSERT_TRUE(made) << made.error().ToString();
    EXPECT_EQ(made->name(), "scenes/a-once");
  }
  options.call.timeout = milliseconds{50};
  for (const auto& late : make("slow", options)) EXPECT_EQ(late.code(), Code::kDeadlineExceeded);
  std::stop_source source;
  source.request_stop();
  options.call = {milliseconds{0}, source.get_token()};
  for (const auto& stopped : make("slow", options)) EXPECT_EQ(stopped.code(), Code::kCancelled);
}

TEST_F(ClientTest, PassesStepOptionsOn) {
  StepOptions options;
  options.expected_step_index = 40;
  auto response = Scene::Attach(*client_, "there").Step(2, options);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->frame().step_index(), 42);
}

TEST_F(ClientTest, ReadsAStreamToItsEnd) {
  auto stream = client_->WatchState(Watching("scenes/there", 3));
  for (int64_t i = 0; i < 3; ++i) {
    const auto response = stream.Read();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->frame().step_index(), i);
  }
  EXPECT_FALSE(stream.Read());
  EXPECT_TRUE(stream.Finish());
  EXPECT_TRUE(stream.Finish());
}

TEST_F(ClientTest, SaysWhyAStreamEnded) {
  auto stream = client_->WatchState(Watching("scenes/gone", 1));
  EXPECT_TRUE(stream.Read());
  EXPECT_FALSE(stream.Read());
  const auto end = stream.Finish();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.code(), Code::kAborted);
  EXPECT_EQ(end.error().detail.reason(), v1::ERROR_REASON_SCENE_DELETED);
}

TEST_F(ClientTest, LeavesAStreamAtAnyMoment) {
  { auto unread = client_->WatchState(Watching("scenes/endless", 2)); }
  {
    auto half_read = client_->WatchState(Watching("scenes/endless", 2));
    EXPECT_TRUE(half_read.Read());
  }
  auto cancelled = client_->WatchState(Watching("scenes/endless", 0));
  std::thread canceller([&cancelled] {
    std::this_thread::sleep_for(milliseconds{30});
    cancelled.Cancel();
  });
  EXPECT_FALSE(cancelled.Read());
  canceller.join();
  EXPECT_EQ(cancelled.Finish().code(), Code::kCancelled);
}

TEST_F(ClientTest, WatchesWithACallbackUntilItHasEnough) {
  int seen = 0;
  EXPECT_TRUE(client_->WatchState(Watching("scenes/endless", 5),
                                  [&seen](const v1::WatchStateResponse&) { return ++seen < 3; }));
  EXPECT_EQ(seen, 3);
  seen = 0;
  EXPECT_EQ(client_
                ->WatchState(Watching("scenes/gone", 5),
                             [&seen](const v1::WatchStateResponse&) { return ++seen > 0; })
                .code(),
            Code::kAborted);
  EXPECT_EQ(seen, 5);
}

TEST_F(ClientTest, PutsASnapshotTogetherAndMissesWhatIsMissing) {
  EXPECT_EQ(*Scene::Attach(*client_, "there").DownloadSnapshot(), "abcdef");
  EXPECT_EQ(Scene::Attach(*client_, "short").DownloadSnapshot().code(), Code::kDataLoss);
}

TEST_F(ClientTest, UploadsInMessagesBelowTheSmallestLimit) {
  const std::string bytes(5'000'000, 'x');
  auto stored = client_->UploadSnapshot("kept", bytes);
  ASSERT_TRUE(stored) << stored.error().ToString();
  EXPECT_EQ(stored->snapshot().byte_size(), 5'000'000);
  EXPECT_LT(stored->snapshot().step_index(), 1 << 20);
}

TEST(Client, IsUnavailableWhereNobodyListens) {
  Client client("unix:/nowhere/talus.sock");
  EXPECT_FALSE(client.WaitUntilConnected(milliseconds{50}));
  EXPECT_EQ(client.GetServerInfo().code(), Code::kUnavailable);
}

TEST(Columns, ViewNumbersInPlace) {
  v1::Frame frame;
  for (int i = 0; i < 8; ++i) frame.mutable_bodies()->add_orientations_wxyz(i);
  for (int i = 0; i < 6; ++i) frame.mutable_bodies()->add_positions_world_m(i);
  const BodiesView bodies = ViewBodies(frame);
  EXPECT_EQ(bodies.position(1), (std::array<double, 3>{3, 4, 5}));
  EXPECT_EQ(bodies.orientation(1), (std::array<double, 4>{4, 5, 6, 7}));
  EXPECT_EQ(bodies.positions_world_m.data(), frame.bodies().positions_world_m().data());
  EXPECT_TRUE(bodies.linear_velocities_world_m_s.empty());
  frame.mutable_contacts()->add_body_a_rows(4);
  EXPECT_EQ(ViewContacts(frame).size(), 1u);
}

TEST(CodeNames, AreTheCanonicalOnes) {
  EXPECT_STREQ(CodeName(Code::kOk), "OK");
  EXPECT_STREQ(CodeName(Code::kUnauthenticated), "UNAUTHENTICATED");
  EXPECT_STREQ(CodeName(static_cast<Code>(99)), "UNKNOWN");
}

}  // namespace
}  // namespace talus::client
