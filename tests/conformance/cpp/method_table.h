// Every RPC of talus.v1 by name, called through the C++ client. Stands between the transcripts and
// talus::client. Promises the answer as plain messages, an error as the client gives it. It does
// not know what is expected.
#pragma once

#include <google/protobuf/message.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "clients/cpp/client.h"

namespace talus::conformance {

using MessagePointer = std::shared_ptr<google::protobuf::Message>;

// A stream whatever its message type.
class AnyStream {
 public:
  virtual ~AnyStream() = default;
  virtual MessagePointer Read() = 0;  // null at the end
  virtual client::Result<client::Done> Finish() = 0;
};

struct Method {
  std::function<MessagePointer()> new_request;
  // One of the two is set.
  std::function<client::Result<MessagePointer>(client::Client&, const google::protobuf::Message&)>
      call;
  std::function<std::unique_ptr<AnyStream>(client::Client&, const google::protobuf::Message&)> open;
};

// `SceneService/CreateScene` and so on; null when there is none.
const Method* FindMethod(const std::string& name);

}  // namespace talus::conformance
