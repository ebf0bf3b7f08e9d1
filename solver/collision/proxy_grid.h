// Bounded proxies sorted into the cells of a hierarchy of uniform grids: the data the broad phase
// searches.
//
// A level holds the proxies of about one size, its cells are at least as large as any of them, and
// cell sizes of different levels differ by powers of two. A proxy lies in the cell of its lower
// corner; within a level the entries are sorted by cell key (x, then y, then z) and by proxy index
// within a cell. Only levels that hold something exist. A proxy that does not fit two cells a side
// of its own level, because its coordinates are too large to resolve or not finite, is kept aside
// as wide. The grid is a function of the bounds alone, and keeps its memory from call to call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solver/collision/aabb.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

// What a comparison of two proxies needs, in one cache line.
struct GridEntry {
  Aabb bounds;
  uint32_t proxy = 0;
  uint32_t body_row = 0;
  bool movable = false;
};

// Bounds grown on every side by a fraction of their smallest extent, when they are asked for.
class GrownBounds {
 public:
  GrownBounds(std::span<const Aabb> bounds, double skin) : bounds_(bounds), skin_(skin) {}
  size_t size() const { return bounds_.size(); }
  Aabb operator[](size_t proxy) const {
    const Aabb& own = bounds_[proxy];
    if (skin_ == 0.0) return own;
    const Vec3 skin = Vec3::Constant(skin_ * (own.max - own.min).minCoeff());
    return {own.min - skin, own.max + skin};
  }

 private:
  std::span<const Aabb> bounds_;
  double skin_;
};

using GridCell = std::array<int64_t, 3>;

struct GridLevel {
  int exponent = 0;           // the cell size is reference mantissa * 2^exponent
  double inverse_cell = 0.0;  // 1/m
  size_t begin = 0;           // entries of this level: [begin, end)
  size_t end = 0;
  GridCell origin = {};  // just below the lowest index that occurs, subtracted to keep keys short
  int64_t span = 0;  // most cells by which any entry's upper corner is beyond its lower one, <= 2

  // The cell of a point. Saturates far out, and never decreases when a coordinate grows.
  GridCell FindCell(const Vec3& point) const;
  // Keys of equal cells are equal. Coordinates wrap around after 2^21 cells.
  uint64_t FindKey(const GridCell& cell) const {
    return Wrap(cell[0] - origin[0]) << (2 * kAxisBits) | Wrap(cell[1] - origin[1]) << kAxisBits |
           Wrap(cell[2] - origin[2]);
  }
  // The lowest and the highest key with the same x and y.
  static uint64_t FindColumnBegin(uint64_t key) { return key & ~kAxisMask; }
  static uint64_t FindColumnEnd(uint64_t key) { return key | kAxisMask; }

  static constexpr int kAxisBits = 21;
  static constexpr uint64_t kAxisMask = (uint64_t{1} << kAxisBits) - 1;
  static uint64_t Wrap(int64_t index) { return static_cast<uint64_t>(index) & kAxisMask; }
};

class ProxyGrid {
 public:
  // A proxy flagged in `left_out` is not entered. All spans have one entry a proxy.
  void Assemble(WorkerArena& workers, const GrownBounds& bounds, std::span<const uint8_t> movable,
                std::span<const uint32_t> body_rows, std::span<const uint8_t> left_out);

  std::span<const GridEntry> entries() const { return entries_; }
  std::span<const uint64_t> keys() const { return keys_; }       // one an entry
  std::span<const GridLevel> levels() const { return levels_; }  // finest first
  std::span<const GridEntry> wide() const { return wide_; }

 private:
  struct KeyedProxy {
    uint64_t key = 0;
    uint32_t proxy = 0;
  };

  void ChooseReference(const GrownBounds& bounds, std::span<const uint8_t> left_out);
  int FindExponent(double size) const;
  void AssignLevels(WorkerArena& workers, const GrownBounds& bounds,
                    std::span<const uint8_t> left_out);
  void SortLevel(WorkerArena& workers, GridLevel& level, const GrownBounds& bounds);
  void SortKeys(std::span<KeyedProxy> proxies);

  double mantissa_ = 0.5;    // in [0.5, 1)
  int lowest_exponent_ = 0;  // smaller proxies are entered at this level

  std::vector<double> sample_;
  std::vector<int16_t> exponents_;      // one a proxy
  std::vector<uint32_t> level_counts_;  // one an exponent
  std::vector<KeyedProxy> proxies_;
  std::vector<KeyedProxy> sorted_;
  std::vector<GridLevel> levels_;
  std::vector<GridEntry> entries_;
  std::vector<uint64_t> keys_;
  std::vector<GridEntry> wide_;
};

}  // namespace talus
