#include "tests/integration/relay_server.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "talus/v1/simulation_service.pb.h"

namespace talus::testing {
namespace {

constexpr char kStep[] = "/talus.v1.SimulationService/Step";

template <typename Message>
Message Parse(const grpc::ByteBuffer& bytes) {
  std::vector<grpc::Slice> slices;
  EXPECT_TRUE(bytes.Dump(&slices).ok());
  std::string text;
  for (const grpc::Slice& slice : slices)
    text.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  Message message;
  EXPECT_TRUE(message.ParseFromString(text));
  return message;
}

grpc::ByteBuffer Serialize(const google::protobuf::Message& message) {
  const grpc::Slice slice(message.SerializeAsString());
  return {&slice, 1};
}

// One call on its way to the server behind and back.
class RelayedCall final : public grpc::ServerGenericBidiReactor {
 public:
  using Ahead = std::function<std::optional<grpc::ByteBuffer>(grpc::ByteBuffer&)>;
  using Behind = std::function<void(grpc::ByteBuffer&)>;

  // `ahead` may change the request, or answer in its place; `behind` may change the answer.
  RelayedCall(grpc::GenericCallbackServerContext& context, grpc::GenericStub& stub, Ahead ahead,
              Behind behind)
      : context_(context), stub_(stub), ahead_(std::move(ahead)), behind_(std::move(behind)) {
    StartRead(&request_);
  }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::CANCELLED);
    if (auto answer = ahead_(request_)) {
      answer_ = *std::move(answer);
      return StartWriteAndFinish(&answer_, {}, grpc::Status::OK);
    }
    call_.set_deadline(context_.deadline());
    stub_.UnaryCall(
        &call_, context_.method(), {}, &request_, &answer_, [this](grpc::Status status) {
          for (const auto& [key, value] : call_.GetServerTrailingMetadata()) {
            context_.AddTrailingMetadata({key.data(), key.size()}, {value.data(), value.size()});
          }
          if (!status.ok()) return Finish(std::move(status));
          behind_(answer_);
          StartWriteAndFinish(&answer_, {}, grpc::Status::OK);
        });
  }
  void OnDone() override { delete this; }

  grpc::GenericCallbackServerContext& context_;
  grpc::GenericStub& stub_;
  const Ahead ahead_;
  const Behind behind_;
  grpc::ClientContext call_;
  grpc::ByteBuffer request_;
  grpc::ByteBuffer answer_;
};

}  // namespace

class RelayServer::Service final : public grpc::CallbackGenericService {
 public:
  Service(const std::shared_ptr<grpc::Channel>& behind, Lie lie) : stub_(behind), lie_(lie) {}

 private:
  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override {
    const bool lies = lie_ != Lie::kNone && context->method() == kStep;
    return new RelayedCall(
        *context, stub_,
        [this, lies](grpc::ByteBuffer& request) -> std::optional<grpc::ByteBuffer> {
          if (!lies) return std::nullopt;
          return Change(request);
        },
        [this, lies](grpc::ByteBuffer& answer) {
          if (!lies || lie_ != Lie::kClaimsOneMore) return;
          auto response = Parse<v1::StepResponse>(answer);
          response.set_steps_done(response.steps_done() + 1);
          response.mutable_frame()->set_step_index(response.frame().step_index() + 1);
          answer = Serialize(response);
        });
  }

  std::optional<grpc::ByteBuffer> Change(grpc::ByteBuffer& bytes) {
    auto request = Parse<v1::StepRequest>(bytes);
    if (lie_ == Lie::kAnswersEarly) {
      v1::StepResponse response;
      const std::lock_guard lock(mutex_);
      claimed_[request.scene()] += request.step_count();
      response.set_steps_done(request.step_count());
      response.mutable_frame()->set_step_index(claimed_[request.scene()]);
      return Serialize(response);
    }
    if (request.step_count() > 1) request.set_step_count(request.step_count() - 1);
    bytes = Serialize(request);
    return std::nullopt;
  }

  grpc::GenericStub stub_;
  const Lie lie_;
  std::mutex mutex_;
  std::map<std::string, int64_t> claimed_;
};

RelayServer::RelayServer(const std::shared_ptr<grpc::Channel>& behind, Lie lie)
    : service_(std::make_unique<Service>(behind, lie)) {
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterCallbackGenericService(service_.get());
  server_ = builder.BuildAndStart();
  address_ = "127.0.0.1:" + std::to_string(port);
}

RelayServer::~RelayServer() { server_->Shutdown(); }

}  // namespace talus::testing
