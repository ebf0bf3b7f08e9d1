// Memory for an array of lines that are of one type for a while and of another later.
//
// A long solve sweeps in double precision first, and then, for most of its sweeps, with floats: two
// arrays of these lie where one of doubles was (single_sweeps.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "solver/base/slack.h"
#include "solver/parallel/parallel_for.h"

namespace talus {

class LineStore {
 public:
  // `count` entries that hold anything. What the store held before, of whatever type, is gone. The
  // memory is kept, and grows as a buffer does (base/slack.h).
  template <typename T>
  std::span<T> Hold(size_t count) {
    Reserve(count * sizeof(T));
    return Begin<T>(0, count);
  }

  template <typename T>
  struct Halves {
    std::span<T> first, second;
  };
  // Makes of the `count` entries that it holds, of type From, as many of a type half as large: they
  // are the first half; the second, just as many, holds anything.
  template <typename To, typename From, typename Convert>
  Halves<To> Halve(WorkerArena& workers, size_t count, const Convert& convert) {
    static_assert(2 * sizeof(To) == sizeof(From));
    const auto halve = [&](size_t index) {
      From from;
      std::memcpy(&from, bytes_.get() + index * sizeof(From), sizeof(From));
      const To to = convert(from);
      std::memcpy(bytes_.get() + index * sizeof(To), &to, sizeof(To));
    };
    if (count > 0) halve(0);
    // Those of [begin, 2 begin) go where [begin / 2, begin) were, which have been read by then.
    for (size_t begin = 1; begin < count; begin *= 2) {
      ParallelFor(workers, std::min(begin, count - begin), kChunk,
                  [&](size_t index) { halve(begin + index); });
    }
    return {Begin<To>(0, count), Begin<To>(count, count)};
  }

 private:
  static constexpr size_t kChunk = 128;  // small, for the first few are one by one
  static constexpr std::align_val_t kCacheLine{64};

  struct Delete {
    void operator()(std::byte* bytes) const { ::operator delete(bytes, kCacheLine); }
  };

  void Reserve(size_t size) {
    if (size <= capacity_) return;
    capacity_ = capacity_ > 0 ? size + FindSlack(size) : size;
    bytes_.reset();
    bytes_.reset(static_cast<std::byte*>(::operator new(capacity_, kCacheLine)));
  }

  // Begins the lives of entries in the bytes that are there, as std::start_lifetime_as_array of
  // C++23 does: moving them to where they are is no work.
  template <typename T>
  std::span<T> Begin(size_t first, size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= static_cast<size_t>(kCacheLine));
    if (count == 0) return {};
    std::byte* const bytes = bytes_.get() + first * sizeof(T);
    return {static_cast<T*>(std::memmove(bytes, bytes, count * sizeof(T))), count};
  }

  std::unique_ptr<std::byte, Delete> bytes_;
  size_t capacity_ = 0;
};

}  // namespace talus
