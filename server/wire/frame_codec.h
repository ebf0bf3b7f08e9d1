// Moments of a scene onto the wire, in the view a caller chose.
//
// Encode reads a frame that holds at least what the view asks for and writes that and nothing more,
// so that two callers with the same view get the same bytes whatever else the frame holds.
#pragma once

#include <cstdint>

#include "server/stream/frame.h"
#include "talus/v1/frame.pb.h"

namespace talus::wire {

// What a caller wants of a frame.
struct FrameView {
  FrameParts parts;
  bool layout = false;

  // A number of its own for each view, for caches of encoded frames.
  uint32_t Key() const;
  bool operator==(const FrameView&) const = default;
};

FrameView DecodeView(const v1::FrameSelection& message);

void EncodeFrame(const FrameData& frame, const FrameView& view, v1::Frame& message);
void EncodeLayout(const Layout& layout, v1::Layout& message);

}  // namespace talus::wire
