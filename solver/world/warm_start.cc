#include "solver/world/warm_start.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/slack.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kWarmStartChunk = 1024;
// A wrench below this may be zero in world axes, and the cache, like a snapshot of it, takes no
// zeros; one above has a part there of at least half of it.
constexpr double kLeastImpulse = 4.0 * std::numeric_limits<double>::min();  // N s, N m s

bool Carries(const ContactSolution& solution, size_t contact) {
  const uint32_t slot = solution.slots[contact];
  // The first of them, of what is pressed.
  return std::ranges::any_of(
      solution.impulse_blocks[slot / kLanes].row,
      [lane = slot % kLanes](const Lanes& row) { return std::abs(row[lane]) > kLeastImpulse; });
}

}  // namespace

void FindKeptImpulses(WorkerArena& workers, const ContactCache& cache, const ContactSet& set,
                      std::span<const BodyId> ids, std::vector<uint32_t>& entries) {
  const size_t count = set.contacts.size();
  ResizeBuffer(entries, count);
  const CachedImpulse* const first = cache.impulses().data();
  ParallelForChunks(workers, count, kWarmStartChunk, [&](size_t begin, size_t end, size_t) {
    std::ranges::fill(std::span(entries).subspan(begin, end - begin), kNotKept);
    cache.Join(
        begin, end, [&](size_t index) { return set.key(index, ids); },
        [&](size_t index, const CachedImpulse& impulse) {
          entries[index] = static_cast<uint32_t>(&impulse - first);
        });
  });
}

void ImpulseKeeper::KeepImpulses(WorkerArena& workers, const ContactSet& set,
                                 std::span<const BodyId> ids, bool with_normals,
                                 ContactCache& cache) {
  const size_t count = set.contacts.size();
  const auto carries = [&](size_t index) { return Carries(set.solution, index); };
  begins_.assign(ChunkCount(count, kWarmStartChunk) + 1, 0);
  ParallelForChunks(workers, count, kWarmStartChunk, [&](size_t begin, size_t end, size_t chunk) {
    size_t kept = 0;
    for (size_t index = begin; index < end; ++index) kept += carries(index) ? 1 : 0;
    begins_[chunk + 1] = kept;
  });
  for (size_t chunk = 1; chunk < begins_.size(); ++chunk) begins_[chunk] += begins_[chunk - 1];
  cache.Resize(begins_.back(), with_normals);
  ParallelForChunks(workers, count, kWarmStartChunk, [&](size_t begin, size_t end, size_t chunk) {
    size_t place = begins_[chunk];
    for (size_t index = begin; index < end; ++index) {
      if (!carries(index)) continue;
      const ContactImpulse impulse = set.solution.impulse(index, set.contacts[index].normal);
      if (with_normals) cache.SetNormal(place, set.contacts[index].normal);
      cache.Set(place++, set.key(index, ids), {impulse.linear, impulse.angular});
    }
  });
}

}  // namespace talus
