// A bare gRPC server that echoes, in a process of its own: the floor that the service is measured
// against. Built as the service is, with callbacks and the same port options, and nothing behind
// them. Prints `listening on ADDRESS` and runs until it is killed.
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "tests/bench/service/echo.grpc.pb.h"

namespace talus::bench {
namespace {

constexpr uint32_t kMostReplyBytes = 1 << 20;

void Answer(const EchoRequest& request, EchoResponse& response) {
  if (request.reply_bytes() == 0) {
    response.set_payload(request.payload());
  } else {
    response.mutable_payload()->assign(std::min(request.reply_bytes(), kMostReplyBytes), '\0');
  }
}

class StreamReactor final : public grpc::ServerBidiReactor<EchoRequest, EchoResponse> {
 public:
  StreamReactor() { StartRead(&request_); }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::OK);
    Answer(request_, response_);
    StartWrite(&response_);
  }
  void OnWriteDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::CANCELLED);
    StartRead(&request_);
  }
  void OnDone() override { delete this; }

  EchoRequest request_;
  EchoResponse response_;
};

class EchoServer final : public EchoService::CallbackService {
 private:
  grpc::ServerUnaryReactor* Echo(grpc::CallbackServerContext* context, const EchoRequest* request,
                                 EchoResponse* response) override {
    Answer(*request, *response);
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
  grpc::ServerBidiReactor<EchoRequest, EchoResponse>* EchoStream(
      grpc::CallbackServerContext*) override {
    return new StreamReactor;
  }
};

int Serve(const std::string& address) {
  EchoServer service;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) {
    std::fprintf(stderr, "echo_server: cannot listen on %s\n", address.c_str());
    return 1;
  }
  const bool is_path = address.rfind("unix:", 0) == 0;
  std::printf("listening on %s\n",
              is_path ? address.c_str()
                      : (address.substr(0, address.rfind(':') + 1) + std::to_string(port)).c_str());
  std::fflush(stdout);
  server->Wait();
  return 0;
}

}  // namespace
}  // namespace talus::bench

int main(int count, char** arguments) {
  if (count != 3 || std::string(arguments[1]) != "--listen") {
    std::fprintf(stderr, "usage: %s --listen ADDRESS\n", arguments[0]);
    return 2;
  }
  return talus::bench::Serve(arguments[2]);
}
