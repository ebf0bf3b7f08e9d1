#include "solver/collision/proxy_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/slack.h"
#include "solver/parallel/ordered_reduce.h"

namespace talus {
namespace {

constexpr size_t kGridChunk = 512;
// Cell indices saturate here: far below the 2^53 up to which a double counts in ones.
constexpr double kCellLimit = 0x1.0p50;
constexpr int64_t kWidestSpan = 2;
// Proxies smaller than the reference by more than this power of two share one level.
constexpr int kFinestLevel = -40;
constexpr int kLowestExponent = -1000;  // 1 / cell size stays finite
constexpr int kHighestExponent = 1023;  // the cell size stays finite
constexpr int16_t kNoLevel = std::numeric_limits<int16_t>::min();

int64_t FindIndex(double coordinate, double inverse_cell) {
  const double index = std::floor(coordinate * inverse_cell);
  // The comparisons are false for NaN, which lands at the lower limit: the cast below is always
  // defined.
  if (!(index > -kCellLimit)) return -static_cast<int64_t>(kCellLimit);
  if (index > kCellLimit) return static_cast<int64_t>(kCellLimit);
  return static_cast<int64_t>(index);
}

double FindSize(const Aabb& bounds) { return (bounds.max - bounds.min).maxCoeff(); }

int64_t FindSpan(const GridCell& low, const GridCell& high) {
  return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
}

}  // namespace

GridCell GridLevel::FindCell(const Vec3& point) const {
  return {FindIndex(point.x(), inverse_cell), FindIndex(point.y(), inverse_cell),
          FindIndex(point.z(), inverse_cell)};
}

void ProxyGrid::Assemble(WorkerArena& workers, const GrownBounds& bounds,
                         std::span<const uint8_t> movable, std::span<const uint32_t> body_rows,
                         std::span<const uint8_t> left_out) {
  ChooseReference(bounds, left_out);
  AssignLevels(workers, bounds, left_out);

  const auto entry = [&](uint32_t proxy) {
    return GridEntry{bounds[proxy], proxy, body_rows[proxy], movable[proxy] != 0};
  };
  wide_.clear();
  for (size_t proxy = 0; proxy < bounds.size(); ++proxy) {
    if (exponents_[proxy] == kNoLevel && left_out[proxy] == 0) {
      wide_.push_back(entry(static_cast<uint32_t>(proxy)));
    }
  }
  ResizeBuffer(entries_, proxies_.size());
  ResizeBuffer(keys_, proxies_.size());
  for (GridLevel& level : levels_) {
    SortLevel(workers, level, bounds);
  }
  ParallelFor(workers, entries_.size(), kGridChunk, [&](size_t i) {
    entries_[i] = entry(proxies_[i].proxy);
    keys_[i] = proxies_[i].key;
  });
}

// Cells of the finest crowded level should be as large as its proxies and no larger: the median
// size sets the mantissa. Equal shapes differ by rounding, so the median is rounded up a little;
// else half of them would get cells twice as large.
void ProxyGrid::ChooseReference(const GrownBounds& bounds, std::span<const uint8_t> left_out) {
  constexpr size_t kSampleCount = 255;
  const size_t stride = bounds.size() / kSampleCount + 1;
  sample_.clear();
  sample_.reserve(kSampleCount + 1);
  for (size_t proxy = 0; proxy < bounds.size(); proxy += stride) {
    const double size = FindSize(bounds[proxy]);
    if (left_out[proxy] == 0 && size > 0.0 && std::isfinite(size)) sample_.push_back(size);
  }
  double reference = 1.0;
  if (!sample_.empty()) {
    const auto median = sample_.begin() + static_cast<std::ptrdiff_t>(sample_.size() / 2);
    std::nth_element(sample_.begin(), median, sample_.end());
    reference = *median * (1.0 + 0x1.0p-8);
  }
  int exponent = 0;
  mantissa_ = std::frexp(reference, &exponent);
  lowest_exponent_ = std::clamp(exponent + kFinestLevel, kLowestExponent, kHighestExponent);
}

// The smallest level whose cells are no smaller than `size`.
int ProxyGrid::FindExponent(double size) const {
  if (!(size > 0.0)) return lowest_exponent_;
  if (!std::isfinite(size)) return kHighestExponent;
  int exponent = 0;
  if (std::frexp(size, &exponent) > mantissa_) ++exponent;
  return std::clamp(exponent, lowest_exponent_, kHighestExponent);
}

// Fills exponents_, levels_ and proxies_ (by level, in index order within a level).
void ProxyGrid::AssignLevels(WorkerArena& workers, const GrownBounds& bounds,
                             std::span<const uint8_t> left_out) {
  ResizeBuffer(exponents_, bounds.size());
  ParallelForChunks(workers, bounds.size(), kGridChunk, [&](size_t begin, size_t end, size_t) {
    GridLevel own;
    own.exponent = kLowestExponent - 1;
    for (size_t proxy = begin; proxy < end; ++proxy) {
      exponents_[proxy] = kNoLevel;
      if (left_out[proxy] != 0) continue;
      const Aabb grown = bounds[proxy];
      const int exponent = FindExponent(FindSize(grown));
      if (exponent != own.exponent) {
        own.exponent = exponent;
        own.inverse_cell = 1.0 / std::ldexp(mantissa_, exponent);
      }
      const GridCell low = own.FindCell(grown.min);
      if (FindSpan(low, own.FindCell(grown.max)) > kWidestSpan) continue;
      exponents_[proxy] = static_cast<int16_t>(exponent);
    }
  });
  level_counts_.assign(kHighestExponent - kLowestExponent + 1, 0);
  for (const int16_t exponent : exponents_) {
    if (exponent != kNoLevel) ++level_counts_[static_cast<size_t>(exponent - kLowestExponent)];
  }

  GridLevel level;
  levels_.clear();
  size_t entry_count = 0;
  for (size_t i = 0; i < level_counts_.size(); ++i) {
    const size_t count = level_counts_[i];
    if (count == 0) continue;
    level.exponent = static_cast<int>(i) + kLowestExponent;
    level.inverse_cell = 1.0 / std::ldexp(mantissa_, level.exponent);
    level.begin = entry_count;
    level.end = entry_count += count;
    levels_.push_back(level);
    level_counts_[i] = static_cast<uint32_t>(level.begin);  // from here on: where the next one goes
  }
  ResizeBuffer(proxies_, entry_count);
  for (size_t proxy = 0; proxy < bounds.size(); ++proxy) {
    if (exponents_[proxy] == kNoLevel) continue;
    const size_t slot = static_cast<size_t>(exponents_[proxy] - kLowestExponent);
    proxies_[level_counts_[slot]++].proxy = static_cast<uint32_t>(proxy);
  }
}

void ProxyGrid::SortLevel(WorkerArena& workers, GridLevel& level, const GrownBounds& bounds) {
  struct Extent {
    GridCell low;
    int64_t span;
  };
  const std::span<KeyedProxy> proxies =
      std::span(proxies_).subspan(level.begin, level.end - level.begin);
  const auto extent_of = [&](size_t index) {
    const Aabb own = bounds[proxies[index].proxy];
    const GridCell low = level.FindCell(own.min);
    return Extent{low, FindSpan(low, level.FindCell(own.max))};
  };
  const auto cover = [](const Extent& a, const Extent& b) {
    return Extent{
        {std::min(a.low[0], b.low[0]), std::min(a.low[1], b.low[1]), std::min(a.low[2], b.low[2])},
        std::max(a.span, b.span)};
  };
  const Extent extent =
      OrderedReduce(workers, proxies.size(), kGridChunk, extent_of(0), extent_of, cover);
  level.span = extent.span;
  // Room below for the neighbours of the lowest cells, whose keys would else wrap around.
  for (size_t axis = 0; axis < 3; ++axis) level.origin[axis] = extent.low[axis] - kWidestSpan;
  ParallelFor(workers, proxies.size(), kGridChunk, [&](size_t index) {
    KeyedProxy& entry = proxies[index];
    entry.key = level.FindKey(level.FindCell(bounds[entry.proxy].min));
  });
  SortKeys(proxies);
}

// By key, in index order within a key: a stable radix sort that skips the digits in which all keys
// agree.
void ProxyGrid::SortKeys(std::span<KeyedProxy> proxies) {
  constexpr int kDigitBits = 11;
  constexpr size_t kDigitCount = size_t{1} << kDigitBits;
  constexpr size_t kRadixWorthwhile = 256;
  if (proxies.size() < kRadixWorthwhile) {
    std::sort(proxies.begin(), proxies.end(), [](const KeyedProxy& a, const KeyedProxy& b) {
      return a.key != b.key ? a.key < b.key : a.proxy < b.proxy;
    });
    return;
  }
  uint64_t varying = 0;
  for (const KeyedProxy& entry : proxies) varying |= entry.key ^ proxies[0].key;
  ResizeBuffer(sorted_, proxies_.size());
  const std::span<KeyedProxy> scratch(sorted_.data(), proxies.size());
  std::array<uint32_t, kDigitCount> offsets;
  for (int axis = 0; axis < 3; ++axis) {
    for (int bit = 0; bit < GridLevel::kAxisBits; bit += kDigitBits) {
      const int shift = axis * GridLevel::kAxisBits + bit;
      const uint64_t mask = (uint64_t{1} << std::min(kDigitBits, GridLevel::kAxisBits - bit)) - 1;
      if ((varying >> shift & mask) == 0) continue;
      offsets.fill(0);
      for (const KeyedProxy& entry : proxies) ++offsets[entry.key >> shift & mask];
      uint32_t total = 0;
      for (uint32_t& offset : offsets) total += std::exchange(offset, total);
      for (const KeyedProxy& entry : proxies) {
        scratch[offsets[entry.key >> shift & mask]++] = entry;
      }
      std::copy(scratch.begin(), scratch.end(), proxies.begin());
    }
  }
}

}  // namespace talus
