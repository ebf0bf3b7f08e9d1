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

// Makes a buffer that is filled piece by piece at least `count` long and keeps what it holds.
// `done` of `all` that fills it have come to so many entries.
template <typename T>
void ExtendBuffer(std::vector<T>& buffer, size_t count, size_t done, size_t all) {
  if (buffer.capacity() < count) {
    const auto expected =
        static_cast<size_t>(static_cast<double>(count) * (static_cast<double>(all) / done));
    const bool first = buffer.capacity() == 0 && done == all;
    buffer.reserve(first ? count : expected + expected / 16);
  }
  if (buffer.size() < count) buffer.resize(count);
}

// Room for `more` entries behind those that are there and stay: an eighth more at least.
template <typename T>
void ReserveMore(std::vector<T>& column, size_t more) {
  const size_t count = column.size() + more;
  if (column.capacity() < count) column.reserve(count + column.size() / 8);
}

}  // namespace talus
