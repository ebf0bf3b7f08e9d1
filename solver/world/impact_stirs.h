// How far impacts may reach within a step: the stir of each body.
//
// The stir of a body is the largest relative speed at which something may hit it in this step, or
// hit a neighbour it may hit: what an impact can set it to. Only maxima are taken, so the order in
// which workers meet the pairs does not matter.
#pragma once

#include <span>
#include <vector>

#include "solver/collision/proxy_pair.h"
#include "solver/parallel/worker_arena.h"
#include "solver/world/placed_shapes.h"

namespace talus {

// A bound on how fast the two surfaces approach each other after free motion, m/s.
inline double RelativeSpeed(const PlacedShape& a, const PlacedShape& b) {
  return (b.velocity - a.velocity).norm() + a.spin_speed + b.spin_speed;
}

class ImpactStirs {
 public:
  // From the pairs that free motion makes. Speeds of at most `rest_speed` are no impact. Whether
  // any body is stirred.
  bool Find(WorkerArena& workers, size_t body_count, const PlacedShapes& shapes,
            std::span<const ProxyPair> pairs, double rest_speed);

  bool any() const { return any_; }
  std::span<const double> by_row() const { return stirs_; }  // m/s

 private:
  bool any_ = false;
  std::vector<double> stirs_;
  std::vector<double> near_stirs_;  // before neighbours were looked at
};

}  // namespace talus
