// Sums and maxima whose bits do not depend on the number of workers: each fixed chunk is reduced in
// index order, then the partial results are combined in chunk order.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/parallel/parallel_for.h"

namespace talus {

// Combines value(index) over [0, count): acc = combine(acc, value). `identity` starts every chunk.
template <typename T, typename Value, typename Combine>
T OrderedReduce(WorkerArena& workers, size_t count, size_t chunk_size, T identity,
                const Value& value, const Combine& combine) {
  std::vector<T> partial(ChunkCount(count, chunk_size), identity);
  ParallelForChunks(workers, count, chunk_size, [&](size_t begin, size_t end, size_t chunk) {
    T sum = identity;
    for (size_t index = begin; index < end; ++index) sum = combine(sum, value(index));
    partial[chunk] = sum;
  });
  T total = identity;
  for (const T& part : partial) total = combine(total, part);
  return total;
}

}  // namespace talus
