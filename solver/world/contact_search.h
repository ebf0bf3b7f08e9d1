// Which shapes are close enough to matter this step, and where: the stages FindPairs and
// FindContacts of the step.
//
// A pair becomes contacts when its gap could close within the step:
//
//   gap <= h * max(relative speed of the two surfaces after free motion, stir of either body) +
//   fraction * smaller size
//
// Stirs (impact_stirs.h) are what impacts may set bodies to. Without them a stone struck by another
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
#include <utility>
#include <vector>

#include "solver/collision/broad_phase.h"
#include "solver/parallel/worker_arena.h"
#include "solver/state/scene_state.h"
#include "solver/world/contact_set.h"
#include "solver/world/impact_stirs.h"
#include "solver/world/placed_shapes.h"

namespace talus {

class ContactSearch {
 public:
  // Places all shapes and returns how many pairs have overlapping swept bounds.
  size_t FindPairs(WorkerArena& workers, const SceneState& state, const FreeVelocities& velocities);
  // The contacts of the pairs found last, sorted by key; both vectors are overwritten. Returns the
  // deepest overlap, >= 0, metres.
  double FindContacts(WorkerArena& workers, const SceneState& state,
                      std::vector<ContactInput>& contacts, std::vector<ContactMark>& marks);

 private:
  struct FoundPoint {
    Vec3 point;
    Vec3 normal;
    double gap = 0.0;
    uint32_t feature = 0;
    uint32_t pair = 0;  // index in pairs_
  };
  // What one fixed chunk of a batch of pairs came to.
  struct Chunk {
    std::vector<FoundPoint> points;
    size_t first = 0;  // place of its first point among all contacts
    double deepest = 0.0;
  };

  // The pairs without those whose bodies may not collide.
  std::span<const ProxyPair> WithoutExcluded(std::span<const ProxyPair> pairs);
  // Surfaces this close are a contact, metres.
  double FindMargin(double time_step_s, const ProxyPair& pair) const;
  void FindPoints(double time_step_s, size_t begin, size_t end, Chunk& chunk) const;
  void FindSpherePoint(uint32_t pair_index, double margin, Chunk& chunk) const;
  void FindPlanePoint(uint32_t pair_index, double margin, Chunk& chunk) const;
  void FindSolidPoints(uint32_t pair_index, double margin, Chunk& chunk) const;
  void WriteContacts(const SceneState& state, const Chunk& chunk,
                     std::vector<ContactInput>& contacts, std::vector<ContactMark>& marks) const;

  BroadPhase broad_phase_;
  std::span<const ProxyPair> pairs_;
  std::vector<std::pair<uint32_t, uint32_t>> excluded_;  // body rows that joints keep apart
  std::vector<ProxyPair> kept_pairs_;                    // where any are excluded
  PlacedShapes shapes_;
  ImpactStirs stirs_;
  std::vector<Chunk> chunks_;  // of one batch
};

}  // namespace talus
