// Paths into an answer, as in `[0].frame.bodies.positions_world_m[2]`, and the values they lead to,
// printed as the README beside the transcripts says. Stands between the transcripts and protobuf's
// reflection. Promises that what is not there reads as absent; a path that names no field ends the
// program. It does not know what is expected.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/conformance/transcript.pb.h"

namespace talus::conformance {

using v1::ValueKind;

// What a path starts from: one message, or the messages of a stream.
struct Root {
  bool is_list = false;
  std::vector<std::shared_ptr<const google::protobuf::Message>> messages;
};

struct Value {
  bool absent = false;
  ValueKind kind = v1::VALUE_KIND_UNSPECIFIED;
  double number = 0;  // VALUE_KIND_NUMBER
  std::string text;   // every other kind; integers in decimal, booleans as true or false
};

// Same presence, kind and bits.
bool Equal(const Value& a, const Value& b);

Value ReadValue(const Root& root, const std::string& path, ValueKind kind);
// Elements of a repeated field, bytes of a bytes field, messages of a stream (empty path); -1 when
// absent.
int64_t ReadSize(const Root& root, const std::string& path);
// Nothing is there, whatever its type.
bool IsAbsent(const Root& root, const std::string& path);
// Puts a value into a request.
void WriteValue(google::protobuf::Message* message, const std::string& path, const Value& value);

std::string PrintValue(const Value& value);

}  // namespace talus::conformance
