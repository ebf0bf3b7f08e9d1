// Loops over fixed chunks. The chunk size is the caller's constant, so the cut is the same for any
// worker count.
#pragma once

#include <algorithm>
#include <cstddef>

#include "solver/parallel/worker_arena.h"

namespace talus {

inline size_t ChunkCount(size_t count, size_t chunk_size) {
  return (count + chunk_size - 1) / chunk_size;
}

// How many chunks to hand out at once where what each finds is held until all of them are through:
// enough to keep the workers busy. What comes out must not depend on it.
inline size_t BatchChunks(const WorkerArena& workers) {
  return workers.worker_count() == 1 ? 1 : 16 * static_cast<size_t>(workers.worker_count());
}

// body(begin, end, chunk) for each chunk of [0, count). One chunk runs on the calling thread
// without any fork.
template <typename Body>
void ParallelForChunks(WorkerArena& workers, size_t count, size_t chunk_size, const Body& body) {
  const size_t chunk_count = ChunkCount(count, chunk_size);
  if (chunk_count <= 1 || workers.worker_count() == 1) {
    for (size_t chunk = 0; chunk < chunk_count; ++chunk) {
      body(chunk * chunk_size, std::min(count, (chunk + 1) * chunk_size), chunk);
    }
    return;
  }
  workers.RunChunks(chunk_count, [&](size_t chunk) {
    body(chunk * chunk_size, std::min(count, (chunk + 1) * chunk_size), chunk);
  });
}

// body(index) for each index of [0, count).
template <typename Body>
void ParallelFor(WorkerArena& workers, size_t count, size_t chunk_size, const Body& body) {
  ParallelForChunks(workers, count, chunk_size, [&](size_t begin, size_t end, size_t) {
    for (size_t index = begin; index < end; ++index) body(index);
  });
}

}  // namespace talus
