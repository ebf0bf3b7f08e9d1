// Room for buffers that are filled anew in every step.
//
// std::vector doubles when it grows, and copies what it holds while both lie in memory. A buffer of
// the step holds nothing worth copying, and what the scene needs grows by little from step to step:
// the first time it gets what is asked for, later a little more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace talus {

// What a buffer that has grown to `count` entries gets beyond them.
inline size_t FindSlack(size_t count) { return count / 32; }

// Entries hold anything afterwards.
template <typename T>
void ResizeBuffer(std::vector<T>& buffer, size_t count) {
  if (buffer.capacity() < count) {
    const size_t slack = buffer.capacity() > 0 ? FindSlack(count) : 0;
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
    buffer.reserve(expected + FindSlack(expected));
  }
  if (buffer.size() < count) buffer.resize(count);
}

// Ends a buffer so filled at `count` entries. Where it has grown, from a capacity of
// `old_capacity`, beyond the slack it may have, it gives back the rest.
template <typename T>
void FitBuffer(std::vector<T>& buffer, size_t count, size_t old_capacity) {
  buffer.resize(count);
  const size_t slack = old_capacity > 0 ? FindSlack(count) : 0;
  if (buffer.capacity() <= std::max(old_capacity, count + slack)) return;
  std::vector<T> fitted;
  fitted.reserve(count + slack);
  fitted.assign(buffer.begin(), buffer.end());
  buffer.swap(fitted);
}

// Room for `more` entries behind those that are there and stay: a sixteenth more at least.
template <typename T>
void ReserveMore(std::vector<T>& column, size_t more) {
  const size_t count = column.size() + more;
  if (column.capacity() < count) column.reserve(count + column.size() / 16);
}

}  // namespace talus
