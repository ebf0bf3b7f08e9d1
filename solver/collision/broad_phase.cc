#include "solver/collision/broad_phase.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "solver/base/check.h"
#include "solver/base/slack.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kProxyChunk = 1024;
constexpr size_t kFilterChunk = 512;

constexpr uint32_t kBounded = std::numeric_limits<uint32_t>::max();

// Of a proxy's smallest extent, on every side. Larger ones last longer and make more candidates.
constexpr double kSkin = 0.04;
// After a skin in vain the next search is made without, then the next two, four and so on, up to
// two to this power.
constexpr int kMostDoublings = 5;
// Of all proxies: more strays than that are not searched by themselves.
constexpr double kMostStrays = 0.25;

bool Contains(const Aabb& outer, const Aabb& inner) {
  return (outer.min.x() <= inner.min.x()) & (outer.min.y() <= inner.min.y()) &
         (outer.min.z() <= inner.min.z()) & (inner.max.x() <= outer.max.x()) &
         (inner.max.y() <= outer.max.y()) & (inner.max.z() <= outer.max.z());
}

}  // namespace

std::span<const ProxyPair> BroadPhase::FindPairs(WorkerArena& workers,
                                                 const BroadPhaseInput& input) {
  TALUS_CHECK(input.movable.size() == input.bounds.size());
  TALUS_CHECK(input.body_rows.size() == input.bounds.size());
  if (has_candidates_ && FindStrays(workers, input)) {
    was_covered_ = true;
  } else {
    ++search_count_;
    strays_.clear();
    strays_searched_ = 0;
    has_candidates_ = IsSkinWorthwhile();
    if (!has_candidates_) return search_.FindPairs(workers, input);
    FindCandidates(workers, input);
  }
  FilterCandidates(workers, input);
  if (!strays_.empty()) AddStrayPairs(workers, input);
  return search_.idle_pairs();
}

bool BroadPhase::IsSameScene(const BroadPhaseInput& input) const {
  const size_t known = movable_.size();
  if (input.bounds.size() < known) return false;
  if (!std::ranges::equal(input.movable.first(known), movable_)) return false;
  if (!std::ranges::equal(input.body_rows.first(known), body_rows_)) return false;
  const auto is_covered = [](const HalfSpaceProxy& plane, const HalfSpaceProxy& old) {
    return plane.proxy == old.proxy && plane.half_space.normal == old.half_space.normal &&
           plane.half_space.offset_m <= old.half_space.offset_m;
  };
  return std::ranges::equal(input.planes, planes_, is_covered);
}

bool BroadPhase::FindStrays(WorkerArena& workers, const BroadPhaseInput& input) {
  if (!IsSameScene(input)) return false;
  const size_t count = input.bounds.size();
  plane_of_.resize(count, kBounded);
  is_stray_.assign(count, 1);  // what nobody knows yet is one
  for (const HalfSpaceProxy& plane : planes_) is_stray_[plane.proxy] = 0;
  const auto compare = [&](const GridEntry& known) {
    if (Contains(known.bounds, input.bounds[known.proxy])) is_stray_[known.proxy] = 0;
  };
  const std::span<const GridEntry> entries = search_.grid().entries();
  ParallelFor(workers, entries.size(), kProxyChunk, [&](size_t i) { compare(entries[i]); });
  std::ranges::for_each(search_.grid().wide(), compare);
  strays_.clear();
  for (size_t proxy = 0; proxy < count; ++proxy) {
    if (is_stray_[proxy] != 0) strays_.push_back(static_cast<uint32_t>(proxy));
  }
  strays_searched_ += strays_.size();
  return static_cast<double>(strays_.size()) <= kMostStrays * static_cast<double>(count) &&
         strays_searched_ <= count;
}

bool BroadPhase::IsSkinWorthwhile() {
  if (has_candidates_) {  // outgrown now
    vain_skins_ = was_covered_ ? 0 : vain_skins_ + 1;
    bare_searches_left_ = vain_skins_ > 0 ? 1 << std::min(vain_skins_ - 1, kMostDoublings) : 0;
  }
  if (bare_searches_left_ > 0) {
    --bare_searches_left_;
    return false;
  }
  was_covered_ = false;
  return true;
}

void BroadPhase::FindCandidates(WorkerArena& workers, const BroadPhaseInput& input) {
  const size_t count = input.bounds.size();
  movable_.assign(input.movable.begin(), input.movable.end());
  body_rows_.assign(input.body_rows.begin(), input.body_rows.end());
  planes_.assign(input.planes.begin(), input.planes.end());
  plane_of_.assign(count, kBounded);
  for (size_t plane = 0; plane < planes_.size(); ++plane) {
    plane_of_[planes_[plane].proxy] = static_cast<uint32_t>(plane);
  }
  candidates_ = search_.FindTable(workers, {input.bounds, movable_, body_rows_, planes_, kSkin});
}

void BroadPhase::FilterCandidates(WorkerArena& workers, const BroadPhaseInput& input) {
  const bool all_bounded = planes_.empty();
  const bool no_strays = strays_.empty();
  const auto is_pair = [&](uint32_t a, uint32_t b) {
    if (!no_strays && (is_stray_[a] | is_stray_[b]) != 0) return false;
    if (all_bounded) return input.bounds[a].Overlaps(input.bounds[b]);
    const uint32_t plane_a = plane_of_[a];
    const uint32_t plane_b = plane_of_[b];
    if ((plane_a & plane_b) == kBounded) return input.bounds[a].Overlaps(input.bounds[b]);
    return plane_a != kBounded ? input.planes[plane_a].half_space.Overlaps(input.bounds[b])
                               : input.planes[plane_b].half_space.Overlaps(input.bounds[a]);
  };
  std::vector<ProxyPair>& pairs = search_.idle_pairs();
  ResizeBuffer(pairs, candidates_.partners.size());
  const size_t proxy_count = candidates_.ends.size();
  kept_counts_.resize(ChunkCount(proxy_count, kFilterChunk));
  ParallelForChunks(workers, proxy_count, kFilterChunk,
                    [&](size_t begin, size_t end, size_t chunk) {
                      size_t place = candidates_.begin(begin);
                      for (size_t a = begin; a < end; ++a) {
                        for (size_t i = candidates_.begin(a); i < candidates_.ends[a]; ++i) {
                          // Written in any case, kept if it is a pair.
                          const ProxyPair pair{static_cast<uint32_t>(a), candidates_.partners[i]};
                          pairs[place] = pair;
                          place += is_pair(pair.a, pair.b) ? 1 : 0;
                        }
                      }
                      kept_counts_[chunk] = place - candidates_.begin(begin);
                    });
  size_t count = 0;
  for (size_t chunk = 0; chunk < kept_counts_.size(); ++chunk) {
    const auto first = static_cast<std::ptrdiff_t>(candidates_.begin(chunk * kFilterChunk));
    std::copy_n(pairs.begin() + first, kept_counts_[chunk],
                pairs.begin() + static_cast<std::ptrdiff_t>(count));
    count += kept_counts_[chunk];
  }
  pairs.resize(count);
}

void BroadPhase::AddStrayPairs(WorkerArena& workers, const BroadPhaseInput& input) {
  const auto found = stray_search_.FindPairs(workers, input, search_.grid(), strays_, is_stray_);
  std::vector<ProxyPair>& pairs = search_.idle_pairs();
  size_t covered = pairs.size();
  size_t left = found.size();
  ReserveMore(pairs, left);
  pairs.resize(covered + left);
  // From the back, so that no pair is written over before it is read.
  for (size_t place = pairs.size(); left > 0;) {
    const bool later = covered > 0 && found[left - 1] < pairs[covered - 1];
    pairs[--place] = later ? pairs[--covered] : found[--left];
  }
}

}  // namespace talus
