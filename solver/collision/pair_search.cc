#include "solver/collision/pair_search.h"

#include <algorithm>
#include <array>

#include "solver/base/check.h"
#include "solver/base/slack.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

// Fixed, so that the cut does not depend on the workers; large enough that finding a chunk's place
// costs little.
constexpr size_t kChunkSize = 512;
// A search covers at most this many cells a side: two spans of 2 and the cell itself.
constexpr size_t kCellsAcross = 5;

bool MakePair(const GridEntry& a, const GridEntry& b) {
  return a.bounds.Overlaps(b.bounds) & (a.body_row != b.body_row) & (a.movable | b.movable);
}

// The first of keys[begin, end) that is not below `key`, found from where the last search of the
// same kind ended: searches mostly move forward by a little.
size_t FindFirst(std::span<const uint64_t> keys, const GridLevel& level, size_t start,
                 uint64_t key) {
  const auto lower_bound = [&](size_t begin, size_t end) {
    return static_cast<size_t>(std::lower_bound(keys.begin() + static_cast<std::ptrdiff_t>(begin),
                                                keys.begin() + static_cast<std::ptrdiff_t>(end),
                                                key) -
                               keys.begin());
  };
  if (start > level.begin && keys[start - 1] >= key) return lower_bound(level.begin, start - 1);
  for (int step = 0; step < 4; ++step, ++start) {
    if (start == level.end || keys[start] >= key) return start;
  }
  size_t stride = 1;
  while (start < level.end && keys[start] < key) {
    const size_t next = start + stride;
    if (next >= level.end || keys[next] >= key) {
      return lower_bound(start + 1, std::min(next, level.end));
    }
    start = next;
    stride *= 2;
  }
  return start;
}

// Compares the entries [begin, end) of one level with their neighbours in `target`: the same level,
// where each couple is met once, from the entry whose cell comes first, or a coarser one.
class LevelSearch {
 public:
  LevelSearch(const ProxyGrid& grid, const GridLevel& target, bool same_level)
      : entries_(grid.entries()), keys_(grid.keys()), level_(target), same_level_(same_level) {
    starts_.fill(target.begin);
  }

  void Visit(size_t index, PairBuffer& pairs) {
    const GridEntry& entry = entries_[index];
    const GridCell low = level_.FindCell(entry.bounds.min);
    const GridCell high = level_.FindCell(entry.bounds.max);
    const int64_t first_x = low[0] - level_.span;
    const int64_t first_y = low[1] - level_.span;
    const int64_t first_z = low[2] - level_.span;
    // A neighbour overlaps only if its lower corner's cell lies between these and `high`: cell
    // indices never decrease with the coordinate, and its upper corner's cell is at most `span`
    // further on.
    for (int64_t x = same_level_ ? low[0] : first_x; x <= high[0]; ++x) {
      const bool own_x = same_level_ && x == low[0];
      for (int64_t y = own_x ? low[1] : first_y; y <= high[1]; ++y) {
        const size_t slot =
            static_cast<size_t>(x - first_x) * kCellsAcross + static_cast<size_t>(y - first_y);
        const uint64_t last = level_.FindKey({x, y, high[2]});
        if (own_x && y == low[1]) {
          const uint64_t first = level_.FindKey(low);
          VisitRun(entry, index + 1, first, last, pairs);
          continue;
        }
        TALUS_DCHECK(slot < starts_.size());
        const uint64_t first = level_.FindKey({x, y, first_z});
        starts_[slot] = FindFirst(keys_, level_, starts_[slot], first);
        VisitRun(entry, starts_[slot], first, last, pairs);
      }
    }
  }

  uint64_t candidate_count() const { return candidate_count_; }

 private:
  // Compares with the entries from `start` on whose keys are in [first, last]; where z wraps
  // around, with those up to the column's end and then with those from its beginning to `last`.
  void VisitRun(const GridEntry& entry, size_t start, uint64_t first, uint64_t last,
                PairBuffer& pairs) {
    if (first > last) {
      VisitKeys(entry, start, GridLevel::FindColumnEnd(first), pairs);
      const uint64_t column = GridLevel::FindColumnBegin(last);
      start = FindFirst(keys_, level_, level_.begin, column);
    }
    VisitKeys(entry, start, last, pairs);
  }

  void VisitKeys(const GridEntry& entry, size_t start, uint64_t last, PairBuffer& pairs) {
    size_t end = start;
    while (end < level_.end && keys_[end] <= last) ++end;
    if (end == start) return;
    // Written in any case, kept if it is a pair: about one in three is, which a branch would guess
    // wrong.
    ProxyPair* const slots = pairs.Reserve(end - start);
    size_t kept = 0;
    const GridEntry own = entry;
    for (const GridEntry& other : entries_.subspan(start, end - start)) {
      slots[kept] = {std::min(own.proxy, other.proxy), std::max(own.proxy, other.proxy)};
      kept += MakePair(own, other) ? 1 : 0;
    }
    pairs.Keep(kept);
    candidate_count_ += end - start;
  }

  std::span<const GridEntry> entries_;
  std::span<const uint64_t> keys_;
  const GridLevel& level_;
  bool same_level_;
  std::array<size_t, kCellsAcross * kCellsAcross> starts_;  // by column, relative to the entry's
  uint64_t candidate_count_ = 0;
};

}  // namespace

std::span<const ProxyPair> PairSearch::FindPairs(WorkerArena& workers,
                                                 const BroadPhaseInput& input) {
  const PairTable table = FindTable(workers, input);
  for (uint32_t proxy = 0; proxy < table.ends.size(); ++proxy) {
    for (size_t i = table.begin(proxy); i < table.ends[proxy]; ++i) {
      unsorted_[i] = {proxy, table.partners[i]};
    }
  }
  return unsorted_;
}

PairTable PairSearch::FindTable(WorkerArena& workers, const BroadPhaseInput& input) {
  unbounded_.assign(input.bounds.size(), 0);
  for (const HalfSpaceProxy& plane : input.planes) unbounded_[plane.proxy] = 1;
  grid_.Assemble(workers, {input.bounds, input.skin}, input.movable, input.body_rows, unbounded_);

  const size_t entry_count = grid_.entries().size();
  unsorted_.clear();
  candidate_count_ = 0;
  const size_t room = unsorted_.capacity();
  const size_t batch_size = BatchChunks(workers) * kChunkSize;
  // What a batch finds is collected before the next one, so that it need not be kept twice.
  for (size_t first = 0; first < entry_count; first += batch_size) {
    const size_t batch = std::min(batch_size, entry_count - first);
    const size_t chunk_count = ChunkCount(batch, kChunkSize);
    if (chunks_.size() < chunk_count) chunks_.resize(chunk_count);
    ParallelForChunks(workers, batch, kChunkSize, [&](size_t begin, size_t end, size_t chunk) {
      SearchGrid(input, first + begin, first + end, chunks_[chunk]);
    });
    for (size_t chunk = 0; chunk < chunk_count; ++chunk) {
      Append(chunks_[chunk], first + batch, entry_count);
    }
  }
  if (!grid_.wide().empty()) {
    if (chunks_.empty()) chunks_.resize(1);
    SearchWide(input, chunks_[0]);
    Append(chunks_[0], 1, 1);
  }
  FitBuffer(unsorted_, unsorted_.size(), room);
  return SortPairs(workers, input.bounds.size());
}

void PairSearch::Append(const ChunkResult& result, size_t done, size_t all) {
  const std::span<const ProxyPair> found = result.pairs.pairs();
  const size_t begin = unsorted_.size();
  ExtendBuffer(unsorted_, begin + found.size(), done, all);
  std::ranges::copy(found, unsorted_.begin() + static_cast<std::ptrdiff_t>(begin));
  candidate_count_ += result.candidate_count;
}

void PairSearch::SearchGrid(const BroadPhaseInput& input, size_t begin, size_t end,
                            ChunkResult& result) const {
  result.pairs.Clear();
  result.candidate_count = 0;
  const std::span<const GridLevel> levels = grid_.levels();
  for (size_t own = 0; own < levels.size(); ++own) {
    const size_t first = std::max(begin, levels[own].begin);
    const size_t last = std::min(end, levels[own].end);
    if (first >= last) continue;
    for (size_t target = own; target < levels.size(); ++target) {
      LevelSearch search(grid_, levels[target], own == target);
      for (size_t i = first; i < last; ++i) search.Visit(i, result.pairs);
      result.candidate_count += search.candidate_count();
    }
  }
  for (size_t i = begin; i < end; ++i) SearchUngridded(input, grid_.entries()[i], 0, result);
}

void PairSearch::SearchWide(const BroadPhaseInput& input, ChunkResult& result) const {
  result.pairs.Clear();
  result.candidate_count = 0;
  const std::span<const GridEntry> wide = grid_.wide();
  for (size_t i = 0; i < wide.size(); ++i) SearchUngridded(input, wide[i], i + 1, result);
}

void PairSearch::SearchUngridded(const BroadPhaseInput& input, const GridEntry& entry,
                                 size_t first_wide, ChunkResult& result) const {
  for (const GridEntry& wide : grid_.wide().subspan(first_wide)) {
    ++result.candidate_count;
    if (MakePair(entry, wide)) result.pairs.Add(entry.proxy, wide.proxy);
  }
  for (const HalfSpaceProxy& plane : input.planes) {
    ++result.candidate_count;
    const bool of_interest = (entry.movable || input.movable[plane.proxy] != 0) &&
                             entry.body_row != input.body_rows[plane.proxy];
    if (of_interest && plane.half_space.Overlaps(entry.bounds)) {
      result.pairs.Add(entry.proxy, plane.proxy);
    }
  }
}

// A counting sort by the first index, then each proxy's own by the second.
PairTable PairSearch::SortPairs(WorkerArena& workers, size_t proxy_count) {
  constexpr size_t kProxyChunk = 256;
  ResizeBuffer(partners_, unsorted_.size());
  offsets_.assign(proxy_count + 1, 0);
  for (const ProxyPair& pair : unsorted_) ++offsets_[pair.a + 1];
  for (size_t proxy = 1; proxy <= proxy_count; ++proxy) offsets_[proxy] += offsets_[proxy - 1];
  for (const ProxyPair& pair : unsorted_) partners_[offsets_[pair.a]++] = pair.b;
  // Each offset is now where the next proxy's begin.
  const PairTable table{std::span(offsets_).first(proxy_count), partners_};
  ParallelFor(workers, proxy_count, kProxyChunk, [&](size_t proxy) {
    std::sort(partners_.begin() + static_cast<std::ptrdiff_t>(table.begin(proxy)),
              partners_.begin() + static_cast<std::ptrdiff_t>(table.ends[proxy]));
  });
  return table;
}

}  // namespace talus
