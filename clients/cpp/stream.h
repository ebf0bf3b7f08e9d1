// A server-streaming answer, read by blocking: the messages of one type as they come, and at the
// end why it ended. One thread reads; any thread may Cancel. Promises that the call is over when
// the object is gone. It does not know what the messages mean, nor which service they come from.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "clients/cpp/result.h"

namespace google::protobuf {
class Message;
}

namespace talus::client {

// The call behind a Stream; client.cc implements it.
class StreamSource {
 public:
  virtual ~StreamSource() = default;
  // False when the stream is over.
  virtual bool Read(google::protobuf::Message* message) = 0;
  // Cancels what is left and waits for the end; the first call decides what all later ones return.
  virtual Result<Done> Finish() = 0;
  virtual void Cancel() = 0;
};

template <typename Message>
class Stream {
 public:
  explicit Stream(std::unique_ptr<StreamSource> source) : source_(std::move(source)) {}

  // The next message; nothing when the stream is over, and Finish() says why.
  std::optional<Message> Read() {
    Message message;
    if (!source_->Read(&message)) return std::nullopt;
    return message;
  }
  // After Read returned nothing: success when the server ended the stream in good order.
  Result<Done> Finish() { return source_->Finish(); }
  // Makes a blocked Read return nothing; Finish then gives Code::kCancelled.
  void Cancel() { source_->Cancel(); }

 private:
  std::unique_ptr<StreamSource> source_;
};

}  // namespace talus::client
