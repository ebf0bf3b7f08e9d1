#include "solver/world/warm_start.h"

#include <algorithm>

#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kChunk = 1024;
}  // namespace

void RecallImpulses(WorkerArena& workers, const ContactCache& cache,
                    std::span<const ContactKey> keys, std::vector<ContactImpulse>& impulses) {
  impulses.resize(keys.size());
  ParallelForChunks(workers, keys.size(), kChunk, [&](size_t begin, size_t end, size_t) {
    const auto slots = std::span(impulses).subspan(begin, end - begin);
    std::ranges::fill(slots, ContactImpulse{});
    cache.Join(keys.subspan(begin, end - begin), [&](size_t index, const CachedImpulse& impulse) {
      slots[index] = {impulse.linear, impulse.angular};
    });
  });
}

void ImpulseKeeper::KeepImpulses(WorkerArena& workers, std::span<const ContactKey> keys,
                                 std::span<const ContactImpulse> impulses, ContactCache& cache) {
  begins_.assign(ChunkCount(keys.size(), kChunk) + 1, 0);
  ParallelForChunks(workers, keys.size(), kChunk, [&](size_t begin, size_t end, size_t chunk) {
    size_t kept = 0;
    for (size_t index = begin; index < end; ++index) kept += impulses[index].IsZero() ? 0 : 1;
    begins_[chunk + 1] = kept;
  });
  for (size_t chunk = 1; chunk < begins_.size(); ++chunk) begins_[chunk] += begins_[chunk - 1];
  cache.Resize(begins_.back(), keys.size());
  ParallelForChunks(workers, keys.size(), kChunk, [&](size_t begin, size_t end, size_t chunk) {
    size_t place = begins_[chunk];
    for (size_t index = begin; index < end; ++index) {
      const ContactImpulse& impulse = impulses[index];
      if (impulse.IsZero()) continue;
      cache.Set(place++, keys[index], {impulse.linear, impulse.angular});
    }
  });
}

}  // namespace talus
