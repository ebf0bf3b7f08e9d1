// How many bytes a frame or an input takes while it waits to be recorded, within a factor of two:
// what a bounded queue counts by.
#pragma once

#include <cstdint>

#include "server/stream/frame.h"
#include "server/stream/scene_input.h"

namespace talus {

int64_t WeighFrame(const FrameData& frame);
int64_t WeighInput(const SceneInput& input);

}  // namespace talus
