#include "tests/bench/service/echo_trips.h"

#include <string>

#include "tests/bench/service/echo.grpc.pb.h"
#include "tests/bench/service/lock_step.h"

namespace talus::bench {
namespace {

EchoRequest MakeEchoRequest(uint32_t reply_bytes) {
  EchoRequest request;
  request.set_payload("0123456789abcdef");
  request.set_reply_bytes(reply_bytes);
  return request;
}

absl::Status CheckSize(const EchoRequest& request, const EchoResponse& response) {
  const size_t wanted =
      request.reply_bytes() == 0 ? request.payload().size() : request.reply_bytes();
  if (response.payload().size() == wanted) return absl::OkStatus();
  return absl::InternalError("the echo sent " + std::to_string(response.payload().size()) +
                             " bytes for " + std::to_string(wanted));
}

class EchoUnaryTrip final : public RoundTrip {
 public:
  EchoUnaryTrip(const std::shared_ptr<grpc::Channel>& channel, uint32_t reply_bytes)
      : stub_(EchoService::NewStub(channel)), request_(MakeEchoRequest(reply_bytes)) {}

  absl::Status Make() override {
    grpc::ClientContext context;
    const grpc::Status status = stub_->Echo(&context, request_, &response_);
    if (!status.ok()) return absl::UnavailableError("echo: " + status.error_message());
    return CheckSize(request_, response_);
  }
  absl::Status Check() override { return absl::OkStatus(); }

 private:
  const std::unique_ptr<EchoService::Stub> stub_;
  const EchoRequest request_;
  EchoResponse response_;
};

class EchoStreamTrip final : public LockStep<EchoRequest, EchoResponse> {
 public:
  EchoStreamTrip(std::unique_ptr<EchoService::Stub> stub, uint32_t reply_bytes)
      : LockStep([&](grpc::ClientContext* context) { return stub->EchoStream(context); }),
        stub_(std::move(stub)),
        request_(MakeEchoRequest(reply_bytes)) {}

  absl::Status Check() override { return absl::OkStatus(); }

 private:
  const EchoRequest& NextRequest() override { return request_; }
  absl::Status Take(const EchoResponse& response) override { return CheckSize(request_, response); }

  const std::unique_ptr<EchoService::Stub> stub_;
  const EchoRequest request_;
};

}  // namespace

std::unique_ptr<RoundTrip> MakeEchoUnary(const std::shared_ptr<grpc::Channel>& channel,
                                         uint32_t reply_bytes) {
  return std::make_unique<EchoUnaryTrip>(channel, reply_bytes);
}

std::unique_ptr<RoundTrip> MakeEchoStream(const std::shared_ptr<grpc::Channel>& channel,
                                          uint32_t reply_bytes) {
  return std::make_unique<EchoStreamTrip>(EchoService::NewStub(channel), reply_bytes);
}

}  // namespace talus::bench
