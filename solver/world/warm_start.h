// What contacts hand on from step to step: the impulses they carried, found again by their keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/parallel/worker_arena.h"
#include "solver/state/contact_cache.h"
#include "solver/world/contact_set.h"

namespace talus {

// For each contact its row in the cache, or kNotKept. `ids`: by row, of the step's bodies.
void FindKeptImpulses(WorkerArena& workers, const ContactCache& cache, const ContactSet& set,
                      std::span<const BodyId> ids, std::vector<uint32_t>& entries);

class ImpulseKeeper {
 public:
  // Overwrites the cache with the impulses that are not zero (nor so small that world axes lose
  // them: below 1e-307), and where asked to with the normals they had.
  void KeepImpulses(WorkerArena& workers, const ContactSet& set, std::span<const BodyId> ids,
                    bool with_normals, ContactCache& cache);

 private:
  std::vector<size_t> begins_;  // place in the cache, by chunk of contacts
};

}  // namespace talus
