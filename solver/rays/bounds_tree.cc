#include "solver/rays/bounds_tree.h"

namespace talus {
namespace {

Aabb EncloseBounds(const BoundedItem* begin, const BoundedItem* end) {
  Aabb all = begin->bounds;
  for (const BoundedItem* item = begin + 1; item != end; ++item) {
    all.min = all.min.cwiseMin(item->bounds.min);
    all.max = all.max.cwiseMax(item->bounds.max);
  }
  return all;
}

}  // namespace

BoundsTree::BoundsTree(std::vector<BoundedItem> items, size_t leaf_size)
    : items_(std::move(items)) {
  if (items_.empty()) return;
  Build(0, static_cast<uint32_t>(items_.size()), std::max<size_t>(leaf_size, 1));
  const Aabb& all = nodes_[0].bounds;
  extent_ = std::max(all.min.cwiseAbs().maxCoeff(), all.max.cwiseAbs().maxCoeff());
}

void BoundsTree::Build(uint32_t begin, uint32_t end, size_t leaf_size) {
  const size_t index = nodes_.size();
  const Aabb bounds = EncloseBounds(items_.data() + begin, items_.data() + end);
  nodes_.push_back({bounds, begin, end, 0});
  if (end - begin <= leaf_size) return;
  int axis = 0;
  (bounds.max - bounds.min).maxCoeff(&axis);
  const uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
                   [axis](const BoundedItem& a, const BoundedItem& b) {
                     const double at_a = a.bounds.min[axis] + a.bounds.max[axis];
                     const double at_b = b.bounds.min[axis] + b.bounds.max[axis];
                     return at_a != at_b ? at_a < at_b : a.item < b.item;
                   });
  Build(begin, middle, leaf_size);
  nodes_[index].second = static_cast<uint32_t>(nodes_.size());
  Build(middle, end, leaf_size);
}

}  // namespace talus
