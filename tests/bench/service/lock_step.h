// Round trips over one bidirectional stream: a request is written and its answer read before the
// next one. Every lock-step RPC is measured by deriving from this, with what to ask and what to
// make of the answer; the stream is the same for all of them.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include <memory>

#include "absl/status/status.h"
#include "tests/bench/service/round_trip.h"

namespace talus::bench {

template <typename Request, typename Response>
class LockStep : public RoundTrip {
 public:
  using Stream = std::unique_ptr<grpc::ClientReaderWriter<Request, Response>>;

  // `open(context)` starts the stream: a method of a stub.
  template <typename Open>
  explicit LockStep(const Open& open) : stream_(open(&context_)) {}

  ~LockStep() override {
    if (ended_) return;
    context_.TryCancel();
    stream_->Finish();
  }

  absl::Status Make() override {
    if (ended_) return absl::UnavailableError("the stream has ended");
    if (stream_->Write(NextRequest()) && stream_->Read(&response_)) return Take(response_);
    ended_ = true;
    const grpc::Status end = stream_->Finish();
    return absl::UnavailableError("the stream ended: " + end.error_message());
  }

 protected:
  virtual const Request& NextRequest() = 0;
  virtual absl::Status Take(const Response& response) = 0;

 private:
  grpc::ClientContext context_;
  Stream stream_;
  Response response_;
  bool ended_ = false;
};

}  // namespace talus::bench
