// A sweep over all blocks of a problem, colour after colour, in whichever precision the blocks are.
// The chunks of a colour run in any order; what they sum up is added in theirs, so that the bits do
// not depend on the number of threads.
#pragma once

#include <vector>

#include "solver/contact/chunk_loop.h"

namespace talus {

// A sweep of kernels/block_kernels.h.
template <typename Real>
using ChunkSweep = SweepChange (*)(const SweepBlocksOf<Real>&, const BlockChunk&);

// `partial` is scratch: the parts of the change by chunk, added up in order.
template <typename Real>
SweepChange SweepColors(WorkerArena& workers, const BlockLayout& layout,
                        const SweepBlocksOf<Real>& blocks, ChunkSweep<Real> sweep,
                        std::vector<SweepChange>& partial) {
  partial.resize(layout.chunks.size());
  ForEachColor(workers, layout, [&](const BlockChunk& chunk, size_t index) {
    partial[index] = sweep(blocks, chunk);
  });
  SweepChange total;
  for (const SweepChange& part : partial) {
    total.length_squared += part.length_squared;
    total.against += part.against;
  }
  return total;
}

// How a sweep-based algorithm sweeps.
struct SweepMethod {
  ChunkSweep<double> sweep = nullptr;
  // The same in single precision, for solves of many sweeps; null: in double precision only.
  ChunkSweep<float> single = nullptr;
  bool accelerated = true;  // capped momentum, local steps, and the start of cold_start.h
};

}  // namespace talus
