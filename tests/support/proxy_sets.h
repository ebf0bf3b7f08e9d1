// Sets of bounds for the tests of the broad phase, with the pairs they make by the definition: all
// compared with all. A set owns what a BroadPhaseInput borrows; it knows no shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/collision/broad_phase.h"
#include "tests/support/random_poses.h"

namespace talus::testing {

// Owns what a BroadPhaseInput borrows.
struct ProxySet {
  std::vector<Aabb> bounds;
  std::vector<uint8_t> movable;
  std::vector<uint32_t> body_rows;
  std::vector<HalfSpaceProxy> planes;

  uint32_t Add(const Vec3& center, const Vec3& half, bool is_movable, uint32_t body_row) {
    bounds.push_back({center - half, center + half});
    movable.push_back(is_movable ? 1 : 0);
    body_rows.push_back(body_row);
    return static_cast<uint32_t>(bounds.size() - 1);
  }
  // A body of its own.
  uint32_t Add(const Vec3& center, double half, bool is_movable = true) {
    return Add(center, Vec3::Constant(half), is_movable, static_cast<uint32_t>(bounds.size()));
  }
  uint32_t AddPlane(const HalfSpace& half_space) {
    const uint32_t proxy = Add(Vec3::Constant(std::nan("")), 0.0, false);
    planes.push_back({proxy, half_space});
    return proxy;
  }
  // `count` equal spheres at random in a cube of side `side`.
  void AddSpheres(Random& random, size_t count, double radius, double side) {
    for (size_t i = 0; i < count; ++i) Add(RandomVector(random, 0.5 * side), radius);
  }

  BroadPhaseInput input() const { return {bounds, movable, body_rows, planes}; }

  // By the definition, comparing all with all.
  std::vector<ProxyPair> AllPairs() const {
    std::vector<const HalfSpace*> plane_of(bounds.size(), nullptr);
    for (const HalfSpaceProxy& plane : planes) plane_of[plane.proxy] = &plane.half_space;
    std::vector<ProxyPair> pairs;
    for (uint32_t a = 0; a < bounds.size(); ++a) {
      for (uint32_t b = a + 1; b < bounds.size(); ++b) {
        if (body_rows[a] == body_rows[b] || (movable[a] == 0 && movable[b] == 0)) continue;
        bool overlap = false;
        if (plane_of[a] == nullptr && plane_of[b] == nullptr) {
          overlap = bounds[a].Overlaps(bounds[b]);
        } else if (plane_of[a] == nullptr) {
          overlap = plane_of[b]->Overlaps(bounds[a]);
        } else if (plane_of[b] == nullptr) {
          overlap = plane_of[a]->Overlaps(bounds[b]);
        }
        if (overlap) pairs.push_back({a, b});
      }
    }
    return pairs;
  }
};

// What FindPairs finds with one worker and fresh memory.
inline std::vector<ProxyPair> FindPairsOnce(const ProxySet& set) {
  WorkerArena workers(1);
  BroadPhase broad_phase;
  const std::span<const ProxyPair> pairs = broad_phase.FindPairs(workers, set.input());
  return {pairs.begin(), pairs.end()};
}

}  // namespace talus::testing
