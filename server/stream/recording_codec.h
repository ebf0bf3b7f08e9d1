// How a recording's messages are written as bytes, and inputs read back. The ring decides what is
// recorded and when; server/wire knows the encoding and its schema. Immutable, so any thread may
// use it.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/stream/frame.h"
#include "server/stream/scene_input.h"

namespace talus {

// The topics of a recording.
enum class RecordingTopic { kLayout, kFrames, kContacts, kDiagnostics, kInputs };
inline constexpr int kRecordingTopics = 5;

struct RecordingSchema {
  std::string topic;     // as in `/frames`
  std::string name;      // full name of the message
  std::string encoding;  // of messages and schema, as the container's registry calls it
  std::string data;      // self-contained
};

class RecordingCodec {
 public:
  virtual ~RecordingCodec() = default;

  virtual RecordingSchema MakeSchema(RecordingTopic topic) const = 0;
  // The part of the frame that belongs to the topic, which is not kInputs; of kFrames the columns
  // in `parts`.
  virtual std::string Encode(RecordingTopic topic, const FrameData& frame,
                             const FrameParts& parts) const = 0;
  virtual std::string Encode(const InputRecord& input) const = 0;
  // INVALID_ARGUMENT: no input that this version knows.
  virtual absl::StatusOr<InputRecord> DecodeInput(std::string_view bytes) const = 0;
};

}  // namespace talus
