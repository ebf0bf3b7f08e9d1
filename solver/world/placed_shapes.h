// All shapes of a scene placed in the world for one step: what the broad phase and the narrow phase
// look at.
//
// Spheres, which most shapes of a heap are, are one cache line each; only other shapes are copied
// whole. A shape's bounds hold all it can reach by free motion in this step, with a margin of a
// fraction of its size. The memory is kept from step to step.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solver/collision/broad_phase.h"
#include "solver/collision/shape_proxy.h"
#include "solver/parallel/worker_arena.h"
#include "solver/state/scene_state.h"

namespace talus {

// Surfaces closer than this fraction of the smaller shape are a contact even when nothing drives
// them together: an impact elsewhere may, within the same step.
inline constexpr double kMarginFraction = 0.01;

// By row: what velocities would be without contacts.
struct FreeVelocities {
  std::span<const Vec3> linear;
  std::span<const Vec3> angular;
};

// What is read of a shape for every pair: one cache line.
struct alignas(64) PlacedShape {
  Vec3 center;              // world, metres
  double size = 0.0;        // the smallest extent, metres; a sphere's radius; infinite for a plane
  Vec3 velocity;            // of its body, m/s
  double spin_speed = 0.0;  // at most this fast is its surface moved by the body's rotation, m/s
};

class PlacedShapes {
 public:
  void Place(WorkerArena& workers, const SceneState& state, const FreeVelocities& velocities);
  // Grows the bounds of each shape by the way its body may be stirred in a step: `stirs` by body
  // row, m/s.
  void GrowBounds(WorkerArena& workers, std::span<const double> stirs, double time_step_s);

  const PlacedShape& operator[](uint32_t shape) const { return shapes_[shape]; }
  bool is_sphere(uint32_t shape) const { return solids_[shape] == kSphere; }
  bool is_plane(uint32_t shape) const { return std::isinf(shapes_[shape].size); }
  uint32_t body_row(uint32_t shape) const { return body_rows_[shape]; }
  // A shape that is no sphere.
  const ShapeProxy& solid(uint32_t shape) const {
    return chunks_[shape / kShapeChunk].solids[solids_[shape]];
  }
  // The whole shape, whatever it is.
  ShapeProxy proxy(uint32_t shape) const;
  bool movable(uint32_t shape) const { return movable_[shape] != 0; }
  BroadPhaseInput broad_phase_input() const { return {bounds_, movable_, body_rows_, planes_}; }

 private:
  static constexpr size_t kShapeChunk = 256;
  static constexpr uint32_t kSphere = std::numeric_limits<uint32_t>::max();
  // The shapes of one fixed chunk that are no spheres.
  struct Chunk {
    std::vector<ShapeProxy> solids;
    std::vector<HalfSpaceProxy> planes;
  };

  void PlaceShape(const SceneState& state, const FreeVelocities& velocities, size_t index,
                  Chunk& chunk);
  // The rest of it, of a shape that is no ball about the origin of its body.
  void PlaceAnyShape(const SceneState& state, const FreeVelocities& velocities, size_t index,
                     Chunk& chunk);
  // Makes the bounds hold the way to come.
  void SweepBounds(size_t index, const Vec3& way);

  std::vector<PlacedShape> shapes_;
  std::vector<uint32_t> solids_;  // kSphere, or its place among the solids of its chunk
  std::vector<Aabb> bounds_;
  std::vector<uint8_t> movable_;
  std::vector<uint32_t> body_rows_;
  std::vector<HalfSpaceProxy> planes_;
  std::vector<Chunk> chunks_;
};

}  // namespace talus
