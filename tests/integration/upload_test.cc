// SnapshotService.UploadSnapshot: what comes is bounded, alone and together with other uploads.
#include <future>
#include <memory>
#include <thread>

#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

using std::chrono::milliseconds;

constexpr int64_t kMost = 1 << 20;

class Upload {
 public:
  explicit Upload(v1::SnapshotService::Stub& stub)
      : writer_(stub.UploadSnapshot(&context_, &response_)) {}

  bool Send(size_t bytes) {
    v1::UploadSnapshotRequest request;
    request.set_chunk(std::string(bytes, 'x'));
    return writer_->Write(request);
  }
  void Cancel() { context_.TryCancel(); }
  // The end of the call, without a word that no more will be sent.
  Outcome Read() { return FinishCall(writer_->Finish(), context_); }
  Outcome Finish() {
    writer_->WritesDone();
    return FinishCall(writer_->Finish(), context_);
  }

 private:
  grpc::ClientContext context_;
  v1::UploadSnapshotResponse response_;
  std::unique_ptr<grpc::ClientWriter<v1::UploadSnapshotRequest>> writer_;
};

class UploadTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    options.data_directory = MakeDataDirectory();
    options.limits.snapshot_bytes = kMost;
    StartServer(options);
  }
  void StartAgain(Clock& clock) {
    SceneHostOptions options = host_->options();
    StopServer();
    StartServer(options, &clock);
  }
  // One under way, more than half of which is held: once another of its size has been refused.
  // Where the other came first it is this one that was refused, and both begin anew.
  std::unique_ptr<Upload> BeginUpload() {
    std::unique_ptr<Upload> upload;
    EXPECT_TRUE(WaitUntil([&] {
      upload = std::make_unique<Upload>(*snapshots_);
      upload->Send(600'000);
      Upload other(*snapshots_);
      other.Send(600'000);
      const bool held = other.Finish().detail.limit_name() == "snapshot_bytes";
      if (!held) upload->Finish();
      return held;
    }));
    return upload;
  }
  // Whether an upload of so many bytes is taken in, and found to be no snapshot.
  bool IsTakenIn(size_t bytes) {
    Upload upload(*snapshots_);
    upload.Send(bytes);
    return static_cast<bool>(FailedWith(upload.Finish(), grpc::StatusCode::INVALID_ARGUMENT,
                                        v1::ERROR_REASON_BAD_SNAPSHOT));
  }
};

TEST_F(UploadTest, NoMoreThanASnapshotMayHave) {
  EXPECT_TRUE(IsTakenIn(kMost));
  Upload large(*snapshots_);
  large.Send(kMost);
  large.Send(1);
  const Outcome refused = large.Finish();
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "snapshot_bytes");
  Upload chunky(*snapshots_);
  chunky.Send(kMost + 1);
  EXPECT_EQ(chunky.Finish().detail.field(), "chunk");
}

TEST_F(UploadTest, AllTogetherHoldNoMoreEither) {
  const std::unique_ptr<Upload> first = BeginUpload();
  // Who was refused holds nothing any more.
  EXPECT_TRUE(IsTakenIn(400'000));
  // Who leaves makes room.
  first->Cancel();
  EXPECT_EQ(first->Finish().status.error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(WaitUntil([&] { return IsTakenIn(600'000); }));
}

TEST_F(UploadTest, OneThatIsSilentForTooLongIsEndedAndMakesRoom) {
  ManualClock clock;
  StartAgain(clock);
  const std::unique_ptr<Upload> silent = BeginUpload();
  auto ended = std::async(std::launch::async, [&] { return silent->Read(); });
  // What came in between two looks gives it another time of patience.
  EXPECT_TRUE(WaitUntil([&] {
    clock.Advance(std::chrono::seconds(31));
    return ended.wait_for(milliseconds(2)) == std::future_status::ready;
  }));
  silent->Cancel();
  EXPECT_TRUE(
      FailedWith(ended.get(), grpc::StatusCode::DEADLINE_EXCEEDED, v1::ERROR_REASON_DEADLINE));
  EXPECT_TRUE(WaitUntil([&] { return IsTakenIn(600'000); }));
  StopServer();  // before the clock goes
}

TEST_F(UploadTest, OneThatIsSilentForAWhileGoesOn) {
  ManualClock clock;
  StartAgain(clock);
  const std::unique_ptr<Upload> upload = BeginUpload();
  clock.Advance(std::chrono::seconds(29));
  EXPECT_TRUE(upload->Send(1000));
  EXPECT_TRUE(FailedWith(upload->Finish(), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_BAD_SNAPSHOT));
  StopServer();
}

TEST_F(UploadTest, TheEndOfTheServerEndsOneUnderWay) {
  const std::unique_ptr<Upload> waiting = BeginUpload();
  std::thread ending([this] { server_->Shutdown(milliseconds(60'000)); });
  EXPECT_TRUE(
      FailedWith(waiting->Read(), grpc::StatusCode::UNAVAILABLE, v1::ERROR_REASON_DRAINING));
  ending.join();
}

}  // namespace
}  // namespace talus::testing
