#include "solver/collision/stray_search.h"

#include <algorithm>

#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kChunk = 32;
// What reaches over more cells along an axis is compared with all of a level instead.
constexpr int64_t kMostStrayCells = 8;

// Calls visit(entries) for those of a level whose keys are in [first, last].
template <typename Visit>
void VisitKeys(const ProxyGrid& grid, const GridLevel& level, uint64_t first, uint64_t last,
               const Visit& visit) {
  const auto keys = grid.keys().subspan(level.begin, level.end - level.begin);
  const auto begin = std::lower_bound(keys.begin(), keys.end(), first);
  const auto end = std::upper_bound(begin, keys.end(), last);
  visit(grid.entries().subspan(level.begin + static_cast<size_t>(begin - keys.begin()),
                               static_cast<size_t>(end - begin)));
}

// Calls visit(entries) for runs of a level that have all in them that may overlap the bounds, once:
// an entry that does has its lower corner at most `span` cells below them.
template <typename Visit>
void VisitLevel(const ProxyGrid& grid, const GridLevel& level, const Aabb& bounds,
                const Visit& visit) {
  const GridCell low = level.FindCell(bounds.min);
  const GridCell high = level.FindCell(bounds.max);
  for (size_t axis = 0; axis < 3; ++axis) {
    if (high[axis] - low[axis] >= kMostStrayCells) {
      return visit(grid.entries().subspan(level.begin, level.end - level.begin));
    }
  }
  for (int64_t x = low[0] - level.span; x <= high[0]; ++x) {
    for (int64_t y = low[1] - level.span; y <= high[1]; ++y) {
      const uint64_t first = level.FindKey({x, y, low[2] - level.span});
      const uint64_t last = level.FindKey({x, y, high[2]});
      if (first <= last) {
        VisitKeys(grid, level, first, last, visit);
      } else {  // z wraps around
        VisitKeys(grid, level, first, GridLevel::FindColumnEnd(first), visit);
        VisitKeys(grid, level, GridLevel::FindColumnBegin(last), last, visit);
      }
    }
  }
}

// Appends the pairs of a stray with those of `others` that are none.
void Compare(const BroadPhaseInput& input, uint32_t stray, std::span<const GridEntry> others,
             std::span<const uint8_t> is_stray, PairBuffer& found) {
  const Aabb own = input.bounds[stray];
  ProxyPair* const slots = found.Reserve(others.size());
  size_t near = 0;
  for (const GridEntry& other : others) {
    slots[near] = {std::min(stray, other.proxy), std::max(stray, other.proxy)};
    near += other.bounds.Overlaps(own) ? 1 : 0;
  }
  size_t kept = 0;
  for (size_t i = 0; i < near; ++i) {
    const uint32_t other = slots[i].a == stray ? slots[i].b : slots[i].a;
    slots[kept] = slots[i];
    const bool is_pair = (is_stray[other] == 0) & input.bounds[other].Overlaps(own) &
                         (input.body_rows[stray] != input.body_rows[other]) &
                         ((input.movable[stray] | input.movable[other]) != 0);
    kept += is_pair ? 1 : 0;
  }
  found.Keep(kept);
}

}  // namespace

std::span<const ProxyPair> StraySearch::FindPairs(WorkerArena& workers,
                                                  const BroadPhaseInput& input,
                                                  const ProxyGrid& grid,
                                                  std::span<const uint32_t> strays,
                                                  std::span<const uint8_t> is_stray) {
  FindAmongStrays(workers, input, strays);
  const size_t chunk_count = ChunkCount(strays.size(), kChunk);
  if (chunks_.size() < chunk_count) chunks_.resize(chunk_count);
  ParallelForChunks(workers, strays.size(), kChunk, [&](size_t begin, size_t end, size_t chunk) {
    PairBuffer& found = chunks_[chunk];
    found.Clear();
    for (const uint32_t stray : strays.subspan(begin, end - begin)) {
      const auto visit = [&](std::span<const GridEntry> others) {
        Compare(input, stray, others, is_stray, found);
      };
      for (const GridLevel& level : grid.levels()) {
        VisitLevel(grid, level, input.bounds[stray], visit);
      }
      visit(grid.wide());
    }
  });
  for (size_t chunk = 0; chunk < chunk_count; ++chunk) {
    const std::span<const ProxyPair> found = chunks_[chunk].pairs();
    pairs_.insert(pairs_.end(), found.begin(), found.end());
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

void StraySearch::FindAmongStrays(WorkerArena& workers, const BroadPhaseInput& input,
                                  std::span<const uint32_t> strays) {
  members_.assign(strays.begin(), strays.end());
  planes_.assign(input.planes.begin(), input.planes.end());
  for (HalfSpaceProxy& plane : planes_) {
    members_.push_back(plane.proxy);
    plane.proxy = static_cast<uint32_t>(members_.size() - 1);
  }
  bounds_.resize(members_.size());
  movable_.resize(members_.size());
  body_rows_.resize(members_.size());
  for (size_t i = 0; i < members_.size(); ++i) {
    bounds_[i] = input.bounds[members_[i]];
    movable_[i] = input.movable[members_[i]];
    body_rows_[i] = input.body_rows[members_[i]];
  }
  const auto found = among_strays_.FindPairs(workers, {bounds_, movable_, body_rows_, planes_});
  pairs_.clear();
  for (const ProxyPair& pair : found) {
    const uint32_t a = members_[pair.a];
    const uint32_t b = members_[pair.b];
    pairs_.push_back({std::min(a, b), std::max(a, b)});
  }
}

}  // namespace talus
