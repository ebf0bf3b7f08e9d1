// Sums and maxima whose bits do not depend on the number of workers: each fixed chunk is reduced in
// index order, then the partial results are combined in chunk order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "solver/parallel/parallel_for.h"

namespace talus {

// Combines value(index) over [0, count): acc = combine(acc, value). `identity` starts every chunk.
// Partial results live on the stack: chunks go to the workers a batch at a time, and batches are
// long enough for any number of workers.
template <typename T, typename Value, typename Combine>
T OrderedReduce(WorkerArena& workers, size_t count, size_t chunk_size, T identity,
                const Value& value, const Combine& combine) {
  constexpr size_t kBatchChunks = 128;
  const size_t batch_size = kBatchChunks * chunk_size;
  std::array<T, kBatchChunks> partial;
  T total = identity;
  for (size_t first = 0; first < count; first += batch_size) {
    const size_t batch = std::min(batch_size, count - first);
    ParallelForChunks(workers, batch, chunk_size, [&](size_t begin, size_t end, size_t chunk) {
      T sum = identity;
      for (size_t index = first + begin; index < first + end; ++index) {
        sum = combine(sum, value(index));
      }
      partial[chunk] = sum;
    });
    const size_t chunk_count = ChunkCount(batch, chunk_size);
    for (size_t chunk = 0; chunk < chunk_count; ++chunk) total = combine(total, partial[chunk]);
  }
  return total;
}

}  // namespace talus
