#include "solver/world/free_space.h"

#include <algorithm>
#include <cmath>

#include "solver/collision/shape_bounds.h"

namespace talus {
namespace {

constexpr int kMaxCellsPerAxis = 32;
constexpr int kMaxCellsPerObstacle = 512;

Aabb SphereBounds(const Vec3& center, double radius) {
  return {center - Vec3::Constant(radius), center + Vec3::Constant(radius)};
}

}  // namespace

void FreeSpace::Reset(const BodyStore& bodies, const Aabb& region, double cell_m) {
  region_ = {region.min - Vec3::Constant(0.5 * cell_m), region.max + Vec3::Constant(0.5 * cell_m)};
  const Vec3 extent = region_.max - region_.min;
  cell_m_ = std::max(cell_m, extent.maxCoeff() / kMaxCellsPerAxis);
  size_t cell_count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    cell_counts_[axis] =
        std::clamp(static_cast<int>(std::ceil(extent[axis] / cell_m_)), 1, kMaxCellsPerAxis);
    cell_count *= static_cast<size_t>(cell_counts_[axis]);
  }
  heads_.assign(cell_count, -1);
  nodes_.clear();
  obstacles_.clear();
  large_.clear();
  planes_.clear();
  for (size_t row = 0; row < bodies.shapes().size(); ++row) {
    const ShapeRow shape = bodies.shapes()[row];
    const Pose body{bodies.positions()[shape.body], bodies.orientations()[shape.body]};
    const Pose pose = body * shape.pose_body;
    if (const auto* plane = std::get_if<talus::Plane>(&shape.geometry)) {
      const HalfSpace solid = FindHalfSpace(*plane, pose, 0.0);
      planes_.push_back({solid.normal, solid.offset_m});
      continue;
    }
    const Aabb bounds = FindBounds(shape.geometry, pose, 0.0);
    if (!bounds.Overlaps(region_)) continue;
    const auto* sphere = std::get_if<Sphere>(&shape.geometry);
    AddObstacle({bounds, pose.position, sphere != nullptr ? sphere->radius_m : -1.0});
  }
}

FreeSpace::CellRange FreeSpace::CoverCells(const Aabb& bounds) const {
  CellRange range;
  for (int axis = 0; axis < 3; ++axis) {
    // Clamped as doubles: the bounds of a floor may be too large for an int.
    const double last = cell_counts_[axis] - 1;
    const double low = std::floor((bounds.min[axis] - region_.min[axis]) / cell_m_);
    const double high = std::floor((bounds.max[axis] - region_.min[axis]) / cell_m_);
    range.low[axis] = static_cast<int>(std::clamp(low, 0.0, last));
    range.high[axis] = static_cast<int>(std::clamp(high, 0.0, last));
  }
  return range;
}

void FreeSpace::AddObstacle(const Obstacle& obstacle) {
  const auto index = static_cast<uint32_t>(obstacles_.size());
  obstacles_.push_back(obstacle);
  const CellRange range = CoverCells(obstacle.bounds);
  const int covered = (range.high[0] - range.low[0] + 1) * (range.high[1] - range.low[1] + 1) *
                      (range.high[2] - range.low[2] + 1);
  if (covered > kMaxCellsPerObstacle) {
    large_.push_back(index);
    return;
  }
  for (int z = range.low[2]; z <= range.high[2]; ++z) {
    for (int y = range.low[1]; y <= range.high[1]; ++y) {
      for (int x = range.low[0]; x <= range.high[0]; ++x) {
        const auto cell = static_cast<size_t>((z * cell_counts_[1] + y) * cell_counts_[0] + x);
        nodes_.push_back({index, heads_[cell]});
        heads_[cell] = static_cast<int32_t>(nodes_.size() - 1);
      }
    }
  }
}

void FreeSpace::AddSphere(const Vec3& center, double radius) {
  AddObstacle({SphereBounds(center, radius), center, radius});
}

bool FreeSpace::Hits(const Obstacle& obstacle, const Vec3& center, double radius,
                     const Aabb& bounds) const {
  if (obstacle.radius < 0.0) return obstacle.bounds.Overlaps(bounds);
  const double reach = obstacle.radius + radius;
  return (obstacle.center - center).squaredNorm() < reach * reach;
}

bool FreeSpace::IsFree(const Vec3& center, double radius) const {
  for (const Plane& plane : planes_) {
    if (plane.normal.dot(center) - plane.offset < radius) return false;
  }
  const Aabb bounds = SphereBounds(center, radius);
  for (const uint32_t index : large_) {
    if (Hits(obstacles_[index], center, radius, bounds)) return false;
  }
  const CellRange range = CoverCells(bounds);
  for (int z = range.low[2]; z <= range.high[2]; ++z) {
    for (int y = range.low[1]; y <= range.high[1]; ++y) {
      for (int x = range.low[0]; x <= range.high[0]; ++x) {
        const auto cell = static_cast<size_t>((z * cell_counts_[1] + y) * cell_counts_[0] + x);
        for (int32_t node = heads_[cell]; node >= 0;
             node = nodes_[static_cast<size_t>(node)].next) {
          const Obstacle& obstacle = obstacles_[nodes_[static_cast<size_t>(node)].obstacle];
          if (Hits(obstacle, center, radius, bounds)) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace talus
