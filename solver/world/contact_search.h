// Which shapes are close enough to matter this step, and where: the stages FindPairs and
// FindContacts of the step.
//
// A pair becomes contacts when its gap could close within the step:
//
//   gap <= h * max(relative speed of the two surfaces after free motion, stir of either body) +
//   fraction * smaller size
//
// The stir of a body is the largest relative speed at which something may hit it in this step, or
// hit a neighbour it may hit: what an impact can set it to. Without it a stone struck by another
// would be in its neighbour before anyone had looked (15 mm deep in gravel of 45 mm that falls at 5
// m/s, 3 mm with it). No length is absolute, so gravel and boulders find the same contacts. Bounds
// are swept along the free motion, not grown by the speed on all sides, so that a falling pile does
// not pair with itself.
//
// Owns its buffers; a steady sequence of steps allocates nothing. Contacts come out sorted by key,
// whatever the workers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/collision/broad_phase.h"
#include "solver/collision/narrow_phase.h"
#include "solver/contact/contact_input.h"
#include "solver/parallel/worker_arena.h"
#include "solver/state/scene_state.h"

namespace talus {

// By row: what velocities would be without contacts.
struct FreeVelocities {
  std::span<const Vec3> linear;
  std::span<const Vec3> angular;
};

class ContactSearch {
 public:
  // Places all shapes and returns how many pairs have overlapping swept bounds.
  size_t FindPairs(WorkerArena& workers, const SceneState& state, const FreeVelocities& velocities);
  // The contacts of the pairs found last, sorted by key; both vectors are overwritten.
  void FindContacts(WorkerArena& workers, const SceneState& state, const FreeVelocities& velocities,
                    std::vector<ContactInput>& contacts, std::vector<ContactKey>& keys);

 private:
  // What the contacts of one fixed chunk of pairs are gathered in.
  struct Chunk {
    std::vector<ContactInput> contacts;
    std::vector<ContactKey> keys;
  };
  // A shape's own scales, metres.
  struct Scale {
    double size = 0.0;  // the smallest extent; infinite for a plane
    double spin_reach =
        0.0;  // how far from the body origin its surface is moved by the body's rotation
  };

  void PlaceShapes(WorkerArena& workers, const SceneState& state, const FreeVelocities& velocities);
  void PlaceShape(const SceneState& state, const FreeVelocities& velocities, size_t index);
  double PlaneReach(const SceneState& state, const ShapeRow& shape) const;
  void PlacePlanes(const SceneState& state, const FreeVelocities& velocities);
  double RelativeSpeed(const SceneState& state, const FreeVelocities& velocities,
                       const ProxyPair& pair) const;
  bool FindStirs(const SceneState& state, const FreeVelocities& velocities);
  void AddContacts(const SceneState& state, const FreeVelocities& velocities, const ProxyPair& pair,
                   Chunk& chunk) const;

  BroadPhase broad_phase_;
  std::span<const ProxyPair> pairs_;
  std::vector<ShapeProxy> proxies_;
  std::vector<Scale> scales_;
  std::vector<Aabb> bounds_;
  std::vector<uint8_t> movable_;
  std::vector<uint32_t> body_rows_;
  std::vector<HalfSpaceProxy> planes_;
  std::vector<double> stirs_;       // by body row, m/s
  std::vector<double> near_stirs_;  // the same before neighbours were looked at
  std::vector<Chunk> chunks_;
};

}  // namespace talus
