// Poses of a frame as viewers get them: positions on a grid, told relative to a key frame, and
// quaternions by their three smallest components. The form and its error bounds stand with
// talus.v1.QuantizedBodies.
//
// What is written depends on the two frames only, not on who watches, so watchers that hold the
// same key frame share it.
#pragma once

#include <cstdint>
#include <vector>

#include "server/stream/frame.h"
#include "talus/v1/frame.pb.h"

namespace talus::wire {

// `base` is a key frame of the same layout, null: `frame` becomes one itself. `rows`: null for all.
// Both frames hold the columns that `parts` names.
void EncodeQuantized(const FrameData& frame, const FrameData* base, const FrameParts& parts,
                     const std::vector<uint32_t>* rows, double position_step_m,
                     v1::QuantizedBodies& message);

}  // namespace talus::wire
