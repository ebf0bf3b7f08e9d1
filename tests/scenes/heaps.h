// Gravel as it lies, flows and falls, in any number: heaps that are laid down stone by stone
// (deposit.h) instead of poured, so that a hundred thousand stones are ready in seconds.
//
// Heaps of different size are alike: lengths grow as the cube root of the number of stones, and
// speeds and times as the square root of lengths (equal Froude numbers).
#pragma once

#include <cstdint>

#include "solver/scene/scene_def.h"

namespace talus::scenes {

struct HeapOptions {
  int64_t stones = 1000;  // >= 1
  uint64_t seed = 1;
};

// sqrt(length) as it grows with the number of stones; 1 for 10 000.
double FindHeapTimeScale(int64_t stones);

// A cone on the ground, flatter (19 degrees) than gravel can stand. Row 0 is the ground.
SceneDef Heap(const HeapOptions& options);

// The same under a nozzle that goes on pouring: of 10 000 stones 800 a second, more from larger
// nozzles in proportion.
SceneDef HeapUnderNozzle(const HeapOptions& options);

// As high as wide, with nothing around it: falls apart on all sides.
SceneDef Column(const HeapOptions& options);

// The same in a tray with walls that reach above it.
SceneDef PackedBox(const HeapOptions& options);

}  // namespace talus::scenes
