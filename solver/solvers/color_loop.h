// The loop all sweeps share: colour after colour, contacts of one colour in fixed chunks on the
// workers. Chunks are numbered through the whole sweep, so that partial sums have a slot of their
// own and are added in order.
#pragma once

#include <cstddef>

#include "solver/contact/contact_problem.h"
#include "solver/parallel/parallel_for.h"

namespace talus {

// Contacts a worker takes at once. A colour smaller than this runs on the calling thread: waking
// another worker costs about as much as sweeping so many contacts.
inline constexpr size_t kSweepChunk = 256;

inline size_t SweepChunkCount(const ContactProblem& problem) {
  size_t count = 0;
  for (size_t color = 0; color < problem.color_count(); ++color) {
    count += ChunkCount(problem.color_begin[color + 1] - problem.color_begin[color], kSweepChunk);
  }
  return count;
}

// body(begin, end, chunk): contacts [begin, end) of one colour; chunk counts through all colours.
template <typename Body>
void ForEachColor(WorkerArena& workers, const ContactProblem& problem, const Body& body) {
  size_t first_chunk = 0;
  for (size_t color = 0; color < problem.color_count(); ++color) {
    const size_t first = problem.color_begin[color];
    const size_t count = problem.color_begin[color + 1] - first;
    const bool serial = problem.last_color_serial && color + 1 == problem.color_count();
    if (serial) {
      for (size_t chunk = 0; chunk < ChunkCount(count, kSweepChunk); ++chunk) {
        const size_t begin = chunk * kSweepChunk;
        body(first + begin, first + std::min(count, begin + kSweepChunk), first_chunk + chunk);
      }
    } else {
      ParallelForChunks(workers, count, kSweepChunk, [&](size_t begin, size_t end, size_t chunk) {
        body(first + begin, first + end, first_chunk + chunk);
      });
    }
    first_chunk += ChunkCount(count, kSweepChunk);
  }
}

}  // namespace talus
