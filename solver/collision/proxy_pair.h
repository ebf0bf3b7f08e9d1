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

// Sorted pairs by their first proxy: a number a pair instead of two.
struct PairTable {
  std::span<const uint32_t> ends;      // by first proxy: where its partners end
  std::span<const uint32_t> partners;  // ascending for each

  size_t begin(size_t proxy) const { return proxy == 0 ? 0 : ends[proxy - 1]; }
};

// Keeps its memory when cleared.
class PairBuffer {
 public:
  void Clear() { count_ = 0; }

  // Appends the pair of two different proxies, given in either order.
  void Add(uint32_t first, uint32_t second) {
    *Reserve(1) = {std::min(first, second), std::max(first, second)};
    Keep(1);
  }

  // Room for `count` more, to be written before Keep says how many of them, from the first on,
  // count.
  ProxyPair* Reserve(size_t count) {
    if (slots_.size() - count_ < count) slots_.resize(2 * slots_.size() + count);
    return slots_.data() + count_;
  }
  void Keep(size_t count) { count_ += count; }

  std::span<const ProxyPair> pairs() const { return {slots_.data(), count_}; }

 private:
  std::vector<ProxyPair> slots_;
  size_t count_ = 0;
};

}  // namespace talus
