#include "solver/world/impact_stirs.h"

#include <atomic>

#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kStirChunk = 1024;

// Several workers may raise the same entry; the largest value stays, whoever comes last.
void Raise(double& stir, double value) {
  std::atomic_ref<double> shared(stir);
  double seen = shared.load(std::memory_order_relaxed);
  while (seen < value && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

bool ImpactStirs::Find(WorkerArena& workers, size_t body_count, const PlacedShapes& shapes,
                       std::span<const ProxyPair> pairs, double rest_speed) {
  stirs_.assign(body_count, 0.0);
  std::atomic<bool> any{false};
  ParallelFor(workers, pairs.size(), kStirChunk, [&](size_t index) {
    const ProxyPair& pair = pairs[index];
    const double speed = RelativeSpeed(shapes[pair.a], shapes[pair.b]);
    if (speed <= rest_speed) return;
    any.store(true, std::memory_order_relaxed);
    if (shapes.movable(pair.a)) Raise(stirs_[shapes.body_row(pair.a)], speed);
    if (shapes.movable(pair.b)) Raise(stirs_[shapes.body_row(pair.b)], speed);
  });
  any_ = any.load(std::memory_order_relaxed);
  if (!any_) return false;
  near_stirs_ = stirs_;
  ParallelFor(workers, pairs.size(), kStirChunk, [&](size_t index) {
    const ProxyPair& pair = pairs[index];
    if (!shapes.movable(pair.a) || !shapes.movable(pair.b)) return;
    const uint32_t a = shapes.body_row(pair.a);
    const uint32_t b = shapes.body_row(pair.b);
    Raise(stirs_[a], near_stirs_[b]);
    Raise(stirs_[b], near_stirs_[a]);
  });
  return true;
}

}  // namespace talus
