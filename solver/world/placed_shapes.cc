#include "solver/world/placed_shapes.h"

#include <algorithm>
#include <limits>

#include "solver/base/slack.h"
#include "solver/collision/shape_bounds.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kShapeChunk = 256;

// A plane has no reach of its own: a turning one moves whatever it can touch, out to the farthest
// body.
double PlaneReach(const SceneState& state, uint32_t row) {
  const Vec3& origin = state.bodies.positions()[row];
  double reach = 0.0;
  for (const Vec3& position : state.bodies.positions()) {
    reach = std::max(reach, (position - origin).norm());
  }
  return reach;
}

}  // namespace

void PlacedShapes::PlaceShape(const SceneState& state, const FreeVelocities& velocities,
                              size_t index, Chunk& chunk) {
  const ShapeRow& shape = state.bodies.shapes()[index];
  const size_t row = shape.body;
  const double h = state.settings.time_step_s;
  const Vec3& linear = velocities.linear[row];
  const Vec3& angular = velocities.angular[row];
  movable_[index] = state.bodies.kinds()[row] == BodyKind::kDynamic ? 1 : 0;
  body_rows_[index] = shape.body;
  PlacedShape& placed = shapes_[index];
  placed.velocity = linear;
  owners_[index] = {state.bodies.ids()[row], shape.body, shape.material, shape.index,
                    static_cast<uint32_t>(chunk.solids.size())};
  const Pose body{state.bodies.positions()[row], state.bodies.orientations()[row]};
  const auto* sphere = std::get_if<Sphere>(&shape.geometry);
  is_sphere_[index] = sphere != nullptr ? 1 : 0;
  Pose pose;
  double spin_reach = shape.pose_body.position.norm();  // from the body's origin, metres
  if (sphere != nullptr) {
    pose.position = body * shape.pose_body.position;  // how it is turned does not matter
    placed.size = sphere->radius_m;
  } else {
    pose = body * shape.pose_body;
    chunk.solids.push_back({shape.geometry, pose});
  }
  placed.center = pose.position;
  if (const auto* plane = std::get_if<Plane>(&shape.geometry)) {
    placed.size = std::numeric_limits<double>::infinity();
    placed.spin_speed = angular.isZero(0.0) ? 0.0 : angular.norm() * PlaneReach(state, shape.body);
    // Bounds of the other shape carry its margin; what is left is the plane's own motion.
    const double speed = linear.norm() + placed.spin_speed;
    chunk.planes.push_back({static_cast<uint32_t>(index), FindHalfSpace(*plane, pose, h * speed)});
    return;
  }
  if (const auto* box = std::get_if<Box>(&shape.geometry)) {
    placed.size = box->half_extents_m.minCoeff();
    spin_reach += box->half_extents_m.norm();
  }
  // A ball about the body's centre is not moved by turning.
  const double spin = spin_reach > 0.0 ? angular.norm() : 0.0;
  placed.spin_speed = spin * spin_reach;
  const double margin = kMarginFraction * placed.size + h * spin * spin_reach;
  Aabb& bounds = bounds_[index];
  bounds = FindBounds(shape.geometry, pose, margin);
  const Vec3 way = h * linear;
  bounds.min += way.cwiseMin(0.0);
  bounds.max += way.cwiseMax(0.0);
}

void PlacedShapes::Place(WorkerArena& workers, const SceneState& state,
                         const FreeVelocities& velocities) {
  const size_t count = state.bodies.shapes().size();
  ResizeBuffer(shapes_, count);
  ResizeBuffer(owners_, count);
  ResizeBuffer(is_sphere_, count);
  ResizeBuffer(bounds_, count);
  ResizeBuffer(movable_, count);
  ResizeBuffer(body_rows_, count);
  chunks_.resize(ChunkCount(count, kShapeChunk));
  ParallelForChunks(workers, count, kShapeChunk, [&](size_t begin, size_t end, size_t index) {
    Chunk& chunk = chunks_[index];
    chunk.solids.clear();
    chunk.planes.clear();
    for (size_t shape = begin; shape < end; ++shape) PlaceShape(state, velocities, shape, chunk);
  });
  planes_.clear();
  for (const Chunk& chunk : chunks_) {
    planes_.insert(planes_.end(), chunk.planes.begin(), chunk.planes.end());
  }
}

void PlacedShapes::GrowBounds(WorkerArena& workers, std::span<const double> stirs,
                              double time_step_s) {
  ParallelFor(workers, bounds_.size(), kShapeChunk, [&](size_t index) {
    const Vec3 way = Vec3::Constant(time_step_s * stirs[body_rows_[index]]);
    bounds_[index].min -= way;
    bounds_[index].max += way;
  });
}

ShapeProxy PlacedShapes::proxy(uint32_t shape) const {
  const PlacedShape& placed = shapes_[shape];
  if (!is_sphere(shape)) return chunks_[shape / kShapeChunk].solids[owners_[shape].solid];
  return {Sphere{placed.size}, {placed.center, Quat::Identity()}};
}

}  // namespace talus
