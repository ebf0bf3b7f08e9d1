#include "solver/world/placed_shapes.h"

#include <algorithm>
#include <limits>

#include "solver/base/slack.h"
#include "solver/collision/shape_bounds.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

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
  const ShapeTable& shapes = state.bodies.shapes();
  const uint32_t row = shapes.body(index);
  movable_[index] = state.bodies.kinds()[row] == BodyKind::kDynamic ? 1 : 0;
  body_rows_[index] = row;
  shapes_[index].velocity = velocities.linear[row];
  const double ball_radius = shapes.ball_radius(index);
  if (ball_radius == 0.0) return PlaceAnyShape(state, velocities, index, chunk);
  // A ball about the body's centre is not moved by turning. Its place on the body, zero, is added
  // because it would be to any other shape: -0 becomes 0.
  solids_[index] = kSphere;
  PlacedShape& placed = shapes_[index];
  placed.center = state.bodies.positions()[row] + Vec3::Zero();
  placed.size = ball_radius;
  placed.spin_speed = 0.0;
  bounds_[index] = FindBounds(Sphere{ball_radius}, {placed.center, Quat::Identity()},
                              kMarginFraction * ball_radius);
  SweepBounds(index, state.settings.time_step_s * placed.velocity);
}

void PlacedShapes::PlaceAnyShape(const SceneState& state, const FreeVelocities& velocities,
                                 size_t index, Chunk& chunk) {
  const ShapeRow shape = state.bodies.shapes()[index];
  const double h = state.settings.time_step_s;
  const Vec3& linear = velocities.linear[shape.body];
  const Vec3& angular = velocities.angular[shape.body];
  PlacedShape& placed = shapes_[index];
  const Pose body{state.bodies.positions()[shape.body], state.bodies.orientations()[shape.body]};
  Pose pose;
  double spin_reach = shape.pose_body.position.norm();  // from the body's origin, metres
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) {
    pose.position = body * shape.pose_body.position;  // how it is turned does not matter
    placed.size = sphere->radius_m;
    solids_[index] = kSphere;
  } else {
    pose = body * shape.pose_body;
    solids_[index] = static_cast<uint32_t>(chunk.solids.size());
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
  const double spin = spin_reach > 0.0 ? angular.norm() : 0.0;
  placed.spin_speed = spin * spin_reach;
  const double margin = kMarginFraction * placed.size + h * spin * spin_reach;
  bounds_[index] = FindBounds(shape.geometry, pose, margin);
  SweepBounds(index, h * linear);
}

void PlacedShapes::SweepBounds(size_t index, const Vec3& way) {
  bounds_[index].min += way.cwiseMin(0.0);
  bounds_[index].max += way.cwiseMax(0.0);
}

void PlacedShapes::Place(WorkerArena& workers, const SceneState& state,
                         const FreeVelocities& velocities) {
  const size_t count = state.bodies.shapes().size();
  ResizeBuffer(shapes_, count);
  ResizeBuffer(solids_, count);
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
  if (!is_sphere(shape)) return solid(shape);
  return {Sphere{placed.size}, {placed.center, Quat::Identity()}};
}

}  // namespace talus
