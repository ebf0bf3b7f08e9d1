// Boxes in space in a binary tree of boxes around them: which of them a ray may meet, without
// looking at all.
//
// Inner nodes halve what they hold along the longest side. A leaf holds up to as many as the caller
// says: for one ray a list is best, for thousands a tree down to the last few. Bounds are tested
// with a slack far above the rounding of any coordinate in sight, so that nothing is left out that
// an exact test would find, whatever the shape of the tree.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "solver/collision/aabb.h"
#include "solver/rays/ray.h"

namespace talus {

struct BoundedItem {
  Aabb bounds;
  uint32_t item = 0;
};

// Where a ray enters bounds that are grown by `slack_m` on every side, metres along it, 0 from
// inside; infinite where it misses them.
inline double EnterBounds(const Ray& ray, const Aabb& bounds, double slack_m) {
  double begin = 0.0;
  double end = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const double low = bounds.min[axis] - slack_m - ray.origin[axis];
    const double high = bounds.max[axis] + slack_m - ray.origin[axis];
    const double rate = ray.direction[axis];
    if (rate == 0.0) {
      if (low > 0.0 || high < 0.0) return std::numeric_limits<double>::infinity();
      continue;
    }
    begin = std::max(begin, (rate > 0.0 ? low : high) / rate);
    end = std::min(end, (rate > 0.0 ? high : low) / rate);
  }
  return begin <= end ? begin : std::numeric_limits<double>::infinity();
}

class BoundsTree {
 public:
  // Takes O(n log(n / leaf_size)) time. `leaf_size` >= 1.
  BoundsTree(std::vector<BoundedItem> items, size_t leaf_size);

  // Calls `meet(item)`, which returns how far the ray still reaches, metres, for whatever it may
  // meet within the reach of the moment: the nearer of two nodes first, in no particular order
  // otherwise.
  template <typename Meet>
  void Visit(const Ray& ray, double reach_m, const Meet& meet) const;

 private:
  struct Node {
    Aabb bounds;
    uint32_t begin = 0;  // items [begin, end)
    uint32_t end = 0;
    uint32_t second = 0;  // of an inner node: its second child; the first stands behind it
  };
  struct Waiting {
    uint32_t node = 0;
    double entry = 0.0;  // metres along the ray
  };
  // Halving 2^32 items takes 32 levels, and each leaves one node waiting.
  static constexpr size_t kMostWaiting = 40;

  void Build(uint32_t begin, uint32_t end, size_t leaf_size);

  std::vector<BoundedItem> items_;
  std::vector<Node> nodes_;  // a node, its first child with all below it, the second with all below
  double extent_ = 0.0;      // no coordinate of any bounds is larger, metres
};

template <typename Meet>
void BoundsTree::Visit(const Ray& ray, double reach_m, const Meet& meet) const {
  if (nodes_.empty()) return;
  const double slack = 1e-13 * (ray.origin.cwiseAbs().maxCoeff() + extent_);
  std::array<Waiting, kMostWaiting> waiting;
  size_t count = 0;
  waiting[count++] = {0, EnterBounds(ray, nodes_[0].bounds, slack)};
  while (count > 0) {
    const Waiting next = waiting[--count];
    if (!(next.entry <= reach_m) || std::isinf(next.entry)) continue;
    const Node& node = nodes_[next.node];
    if (node.second != 0) {
      Waiting near{next.node + 1, EnterBounds(ray, nodes_[next.node + 1].bounds, slack)};
      Waiting far{node.second, EnterBounds(ray, nodes_[node.second].bounds, slack)};
      if (far.entry < near.entry) std::swap(near, far);
      waiting[count++] = far;
      waiting[count++] = near;
      continue;
    }
    for (uint32_t index = node.begin; index < node.end; ++index) {
      const double entry = EnterBounds(ray, items_[index].bounds, slack);
      if (entry <= reach_m && !std::isinf(entry)) reach_m = meet(items_[index].item);
    }
  }
}

}  // namespace talus
