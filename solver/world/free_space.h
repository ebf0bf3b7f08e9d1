// Where an emitter's next particle has room: the shapes near a nozzle, in a small grid of their
// own.
//
// Only shapes that reach into the nozzle's region are taken in, and a question looks only at the
// cells a particle would cover, so that a step with hundreds of births stays far from comparing
// every particle with every body. Spheres are compared exactly, planes too, boxes by their bounds.
// Touching is not overlapping.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/base/math.h"
#include "solver/collision/aabb.h"
#include "solver/state/body_store.h"

namespace talus {

class FreeSpace {
 public:
  // Takes in the shapes of `bodies` that reach into `region`. `cell_m` > 0 is the diameter of the
  // largest particle.
  void Reset(const BodyStore& bodies, const Aabb& region, double cell_m);
  // Whether a sphere there overlaps nothing. Its centre lies in the region.
  bool IsFree(const Vec3& center, double radius) const;
  void AddSphere(const Vec3& center, double radius);

 private:
  struct Obstacle {
    Aabb bounds;
    Vec3 center;
    double radius = -1.0;  // of a sphere; negative: compare by bounds
  };
  struct Node {
    uint32_t obstacle = 0;
    int32_t next = -1;
  };
  struct CellRange {
    int low[3];
    int high[3];
  };
  struct Plane {
    Vec3 normal;
    double offset = 0.0;
  };

  void AddObstacle(const Obstacle& obstacle);
  CellRange CoverCells(const Aabb& bounds) const;
  bool Hits(const Obstacle& obstacle, const Vec3& center, double radius, const Aabb& bounds) const;

  Aabb region_;
  double cell_m_ = 1.0;
  int cell_counts_[3] = {1, 1, 1};
  std::vector<int32_t> heads_;  // first node by cell, -1: none
  std::vector<Node> nodes_;
  std::vector<Obstacle> obstacles_;
  std::vector<uint32_t> large_;  // obstacles that cover too many cells to list there
  std::vector<Plane> planes_;
};

}  // namespace talus
