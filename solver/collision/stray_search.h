// The pairs of strays: proxies that have left the bounds under which a grid knows them, or that it
// does not know yet.
//
// In a heap that is poured onto few stones move far in a step. Their pairs are found with them
// alone, while those of all others are filtered from candidates (broad_phase.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/collision/pair_search.h"
#include "solver/collision/proxy_grid.h"
#include "solver/collision/proxy_pair.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

class StraySearch {
 public:
  // All pairs of `input` that have a stray in them, sorted, without repetition, for any number of
  // workers. `strays` ascend and are bounded proxies; `is_stray` says the same by proxy. `grid`
  // holds all other bounded proxies, each under bounds that contain its own in `input`; it may hold
  // strays too. Valid until the next call; the memory is kept from call to call.
  std::span<const ProxyPair> FindPairs(WorkerArena& workers, const BroadPhaseInput& input,
                                       const ProxyGrid& grid, std::span<const uint32_t> strays,
                                       std::span<const uint8_t> is_stray);

 private:
  // Strays with each other and with the planes.
  void FindAmongStrays(WorkerArena& workers, const BroadPhaseInput& input,
                       std::span<const uint32_t> strays);

  PairSearch among_strays_;
  std::vector<uint32_t> members_;  // strays, then planes
  std::vector<Aabb> bounds_;       // of the members, as are the next two
  std::vector<uint8_t> movable_;
  std::vector<uint32_t> body_rows_;
  std::vector<HalfSpaceProxy> planes_;
  std::vector<PairBuffer> chunks_;
  std::vector<ProxyPair> pairs_;
};

}  // namespace talus
