// Two proxies that may touch, and a list of such pairs that is cheap to append to.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace talus {

// Indices of two proxies, a < b.
struct ProxyPair {
  uint32_t a = 0;
  uint32_t b = 0;

  auto operator<=>(const ProxyPair&) const = default;
};

// Keeps its memory when cleared.
class PairBuffer {
 public:
  void Clear() { count_ = 0; }

  // Appends the pair of two different proxies, in either order, if `keep`: without a branch on it.
  void Write(uint32_t first, uint32_t second, bool keep) {
    if (count_ == slots_.size()) slots_.resize(2 * count_ + 64);
    slots_[count_] = {std::min(first, second), std::max(first, second)};
    count_ += keep ? 1 : 0;
  }

  std::span<const ProxyPair> pairs() const { return {slots_.data(), count_}; }

 private:
  std::vector<ProxyPair> slots_;
  size_t count_ = 0;
};

}  // namespace talus
