// Calls that send a stream of messages and get one answer: bytes in chunks. For the client's own
// sources: what a program calls is in client.h.
#pragma once

#include <grpcpp/grpcpp.h>

#include <cstddef>
#include <memory>
#include <string>

#include "clients/cpp/call_options.h"
#include "clients/cpp/result.h"
#include "clients/cpp/stub_call.h"

namespace talus::client {

// Writes `bytes` as chunks of `message`, at least one, each by `write`; false: the server has ended
// the call.
template <typename Message, typename Write>
bool WriteChunks(const std::string& bytes, Message& message, const Write& write) {
  // With its frame it must fit the smallest limit on messages, 1 MiB.
  constexpr size_t kChunkBytes = size_t{1} << 19;
  size_t sent = 0;
  do {
    message.set_chunk(bytes.substr(sent, kChunkBytes));
    sent += message.chunk().size();
    if (!write()) return false;
  } while (sent < bytes.size());
  return true;
}

// `produce` writes the messages with what it is given, until that is false: then the server has
// ended the call, and the result says why.
template <typename Stub, typename Request, typename Response, typename Produce>
Result<Response> SendStream(
    Stub& stub,
    std::unique_ptr<grpc::ClientWriter<Request>> (Stub::*method)(grpc::ClientContext*, Response*),
    const CallOptions& options, const Produce& produce) {
  grpc::ClientContext context;
  ApplyOptions(options, &context);
  const std::stop_callback on_stop(options.stop, [&context] { context.TryCancel(); });
  Response response;
  const auto writer = (stub.*method)(&context, &response);
  produce([&writer](const Request& message) { return writer->Write(message); });
  writer->WritesDone();
  const grpc::Status status = writer->Finish();
  if (!status.ok()) return DecodeError(status, context);
  return response;
}

}  // namespace talus::client
