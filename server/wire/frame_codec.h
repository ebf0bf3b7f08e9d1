// Moments of a scene onto the wire, in the view a caller chose.
//
// Encode reads a frame that holds at least what the view asks for and writes that and nothing more,
// so that two callers with the same view get the same bytes whatever else the frame holds.
#pragma once

#include <cstdint>

#include "server/stream/body_selection.h"
#include "server/stream/frame.h"
#include "talus/v1/frame.pb.h"

namespace talus::wire {

// The numbers are those of talus.v1.EncodingProfile.
enum class Profile : uint32_t { kF64 = 1, kF32 = 2, kQuantized = 3 };

// What a caller wants of a frame.
struct FrameView {
  FrameParts parts{};
  bool layout = false;
  Profile profile = Profile::kF64;
  double position_step_m = 0.0;        // of kQuantized
  SelectedBodiesPtr bodies = nullptr;  // null: all
  FramePtr base = nullptr;             // of kQuantized: the key frame to tell it by; null: none

  // Equal for equal views only, for caches of encoded frames.
  ViewKey Key() const;
};

FrameView DecodeView(const v1::FrameSelection& message);
BodySelection DecodeBodySelection(const v1::BodySelection& message);

void EncodeFrame(const FrameData& frame, const FrameView& view, v1::Frame& message);
void EncodeLayout(const Layout& layout, v1::Layout& message);

}  // namespace talus::wire
