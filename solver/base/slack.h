// Room for buffers that are filled anew in every step.
//
// std::vector doubles when it grows, and copies what it holds while both lie in memory. A buffer of
// the step holds nothing worth copying, and what the scene needs grows by little from step to step:
// the first time it gets what is asked for, later a sixteenth more.
#pragma once

#include <cstddef>
#include <vector>

namespace talus {

// Entries hold anything afterwards.
template <typename T>
void ResizeBuffer(std::vector<T>& buffer, size_t count) {
  if (buffer.capacity() < count) {
    const size_t slack = buffer.capacity() > 0 ? count / 16 : 0;
    std::vector<T>().swap(buffer);
    buffer.reserve(count + slack);
  }
  buffer.resize(count);
}

}  // namespace talus
