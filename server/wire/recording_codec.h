// The messages of a recording: layouts, frames, contacts, reports and inputs as protobuf, each with
// the descriptors a reader needs to understand them without our schema. Inputs are read back; what
// no description can hold is an error, as in body_codec.h.
#pragma once

#include <string>
#include <string_view>

#include "server/stream/recording_codec.h"
#include "talus/v1/recording.pb.h"

namespace talus::wire {

class ProtobufRecordingCodec final : public RecordingCodec {
 public:
  RecordingSchema MakeSchema(RecordingTopic topic) const override;
  std::string Encode(RecordingTopic topic, const FrameData& frame,
                     const FrameParts& parts) const override;
  std::string Encode(const InputRecord& input) const override;
  absl::StatusOr<InputRecord> DecodeInput(std::string_view bytes) const override;
};

void EncodeInput(const InputRecord& input, v1::SceneInput& message);
absl::StatusOr<InputRecord> DecodeInput(const v1::SceneInput& message);

}  // namespace talus::wire
