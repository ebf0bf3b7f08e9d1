// What contacts hand on from step to step: the impulses they carried, found again by their keys.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solver/contact/contact_input.h"
#include "solver/parallel/worker_arena.h"
#include "solver/state/contact_cache.h"

namespace talus {

// For each of the sorted `keys` the impulse in the cache, or zero.
void RecallImpulses(WorkerArena& workers, const ContactCache& cache,
                    std::span<const ContactKey> keys, std::vector<ContactImpulse>& impulses);

class ImpulseKeeper {
 public:
  // Overwrites the cache with the impulses that are not zero. `keys` are sorted.
  void KeepImpulses(WorkerArena& workers, std::span<const ContactKey> keys,
                    std::span<const ContactImpulse> impulses, ContactCache& cache);

 private:
  std::vector<size_t> begins_;  // place in the cache, by chunk of contacts
};

}  // namespace talus
