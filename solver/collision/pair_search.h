// All pairs of shapes whose bounds overlap, found from nothing.
//
// Each bounded proxy lies in one cell of one level of a hierarchy of uniform grids: the cell of its
// lower corner, in the level whose cells are just larger than its bounds (the levels' cell sizes
// differ by powers of two). It is compared with its neighbours in its own level and in the coarser
// ones that hold anything, so that the work follows the number of close proxies whatever the ratio
// of their sizes. Cells exist only as sorted integer keys; a cell index that would not fit wraps
// around, which costs comparisons and never a pair, so a body may fall for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/collision/aabb.h"
#include "solver/collision/half_space.h"
#include "solver/collision/proxy_grid.h"
#include "solver/collision/proxy_pair.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

// A proxy without bounds.
struct HalfSpaceProxy {
  uint32_t proxy = 0;
  HalfSpace half_space;
};

// One entry a proxy, fewer than 2^32 of them. Two proxies make a pair when their bounds overlap, at
// least one is movable, and they belong to different bodies.
struct BroadPhaseInput {
  std::span<const Aabb> bounds;            // world, min <= max, grown by the caller's margin
  std::span<const uint8_t> movable;        // 0: static or kinematic, else dynamic
  std::span<const uint32_t> body_rows;     // whose proxy it is
  std::span<const HalfSpaceProxy> planes;  // the proxies without bounds, by index; their entry in
                                           // `bounds` is not read. Two of them never make a pair.
  double skin = 0.0;  // of a proxy's smallest extent: its bounds are searched with so much added on
                      // every side
};

class PairSearch {
 public:
  // All pairs, sorted, without repetition, for any number of workers. Valid until the next call;
  // the memory is kept from call to call.
  PairTable FindTable(WorkerArena& workers, const BroadPhaseInput& input);
  // The same written out, to what is else idle memory.
  std::span<const ProxyPair> FindPairs(WorkerArena& workers, const BroadPhaseInput& input);

  // What the last call compared, by cell.
  const ProxyGrid& grid() const { return grid_; }
  // Memory that is free to use until the next call.
  std::vector<ProxyPair>& idle_pairs() { return unsorted_; }

  // How many times two proxies were compared in the last call, for tests of scaling.
  uint64_t candidate_count() const { return candidate_count_; }

 private:
  // What one chunk of grid entries found, in the order of the search.
  struct ChunkResult {
    PairBuffer pairs;
    uint64_t candidate_count = 0;
  };

  // Compares the grid entries [begin, end) with everything they can overlap.
  void SearchGrid(const BroadPhaseInput& input, size_t begin, size_t end,
                  ChunkResult& result) const;
  // Compares the wide entries with each other and with the planes.
  void SearchWide(const BroadPhaseInput& input, ChunkResult& result) const;
  // Compares one entry with what is in no cell: the wide entries from `first_wide` on, and the
  // planes.
  void SearchUngridded(const BroadPhaseInput& input, const GridEntry& entry, size_t first_wide,
                       ChunkResult& result) const;
  // Puts what a chunk found behind what was found before; `done` of `all` entries are searched
  // then.
  void Append(const ChunkResult& result, size_t done, size_t all);
  PairTable SortPairs(WorkerArena& workers, size_t proxy_count);

  ProxyGrid grid_;
  std::vector<uint8_t> unbounded_;   // one a proxy
  std::vector<ChunkResult> chunks_;  // of one batch
  std::vector<ProxyPair> unsorted_;
  std::vector<uint32_t> offsets_;   // of the table
  std::vector<uint32_t> partners_;  // of the table
  uint64_t candidate_count_ = 0;
};

}  // namespace talus
