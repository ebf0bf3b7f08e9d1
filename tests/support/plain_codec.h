// Recorded messages without a schema, for tests of what holds them: a frame takes as many bytes as
// its positions do, an input a few.
#pragma once

#include <string>
#include <string_view>

#include "server/stream/recording_codec.h"

namespace talus::testing {

class PlainCodec : public RecordingCodec {
 public:
  RecordingSchema MakeSchema(RecordingTopic topic) const override {
    const char* const names[] = {"/layout", "/frames", "/contacts", "/diagnostics", "/inputs"};
    return {names[static_cast<int>(topic)], "plain", "plain", "plain"};
  }
  std::string Encode(RecordingTopic, const FrameData& frame, const FrameParts&) const override {
    const std::string_view bytes(reinterpret_cast<const char*>(frame.positions_world_m.data()),
                                 frame.positions_world_m.size() * sizeof(double));
    return std::string(bytes);
  }
  std::string Encode(const InputRecord& input) const override {
    return std::to_string(input.step_index);
  }
  absl::StatusOr<InputRecord> DecodeInput(std::string_view) const override {
    return absl::InvalidArgumentError("nobody reads these");
  }
};

}  // namespace talus::testing
