// The pairs of shapes whose bounds overlap: the stage FindPairs.
//
// A search (pair_search.h) looks at bounds that are grown by a skin; the pairs of what has not left
// its grown bounds are among those found then, and are filtered from them. So a heap at rest is
// searched once. Strays, which have left theirs or have come since, are searched anew in each call
// (stray_search.h), until they are many, or have cost as much as a search of all. The skin is left
// away for a while when it did not pay.
//
// The pairs are a function of the input alone: exactly those whose bounds overlap, sorted, for any
// number of workers and whatever was searched before. The memory is kept from call to call. Shapes,
// margins and velocities are not known here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/collision/pair_search.h"
#include "solver/collision/stray_search.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

class BroadPhase {
 public:
  // All pairs, sorted, without repetition. Valid until the next call.
  std::span<const ProxyPair> FindPairs(WorkerArena& workers, const BroadPhaseInput& input);

  // How many searches of all proxies there were, and how many times the last one compared two
  // proxies: for tests.
  uint64_t search_count() const { return search_count_; }
  uint64_t candidate_count() const { return search_.candidate_count(); }

 private:
  // Whether the candidates still serve: all pairs of `input` but those of the strays, which it
  // finds, are among them.
  bool FindStrays(WorkerArena& workers, const BroadPhaseInput& input);
  // Whether proxies and planes are those that the candidates were found for, but for proxies that
  // have come behind them.
  bool IsSameScene(const BroadPhaseInput& input) const;
  // Finds the candidates of `input` with bounds grown by the skin.
  void FindCandidates(WorkerArena& workers, const BroadPhaseInput& input);
  // Writes the candidates that are pairs, without strays, to the search's idle memory.
  void FilterCandidates(WorkerArena& workers, const BroadPhaseInput& input);
  // Adds the pairs of strays to them.
  void AddStrayPairs(WorkerArena& workers, const BroadPhaseInput& input);
  // Called when the candidates do not cover the input.
  bool IsSkinWorthwhile();

  PairSearch search_;
  PairTable candidates_;
  // What the candidates were found for.
  bool has_candidates_ = false;
  std::vector<uint8_t> movable_;
  std::vector<uint32_t> body_rows_;
  std::vector<HalfSpaceProxy> planes_;
  std::vector<uint32_t> plane_of_;  // by proxy, index in planes_ or kBounded

  StraySearch stray_search_;
  std::vector<uint32_t> strays_;  // ascending
  std::vector<uint8_t> is_stray_;
  size_t strays_searched_ = 0;       // in all calls since the last search
  std::vector<size_t> kept_counts_;  // by chunk of first proxies
  uint64_t search_count_ = 0;
  bool was_covered_ = false;    // whether the last skin covered a later call
  int vain_skins_ = 0;          // in a row
  int bare_searches_left_ = 0;  // until a skin is tried again
};

}  // namespace talus
