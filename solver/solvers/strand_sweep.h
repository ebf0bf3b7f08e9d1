// A sweep over all blocks of a problem, phase after phase of strands, in whichever precision the
// blocks are. What the chunks sum up is added in their order, so that the bits do not depend on the
// number of threads.
#pragma once

#include <vector>

#include "solver/contact/chunk_loop.h"
#include "solver/solvers/iterate.h"

namespace talus {

// A sweep of kernels/block_kernels.h.
template <typename Blocks>
using ChunkSweep = SweepChange (*)(const Blocks&, const BlockChunk&);

// Each strand first extrapolates the velocities of the rows that are its own, from those before:
// none before it has touched them. `previous` may be null where beta is 0: then those before are
// not kept. `partial` is scratch: the parts of the change by chunk, added up in order.
template <typename Span, typename Real>
SweepChange SweepStrands(WorkerArena& workers, const ContactProblem& problem,
                         const SweepBlocksOf<Span, Real>& blocks, BodyMotionOf<Real>* previous,
                         ChunkSweep<SweepBlocksOf<Span, Real>> sweep,
                         std::vector<SweepChange>& partial) {
  const BlockLayout& layout = problem.layout;
  const std::vector<uint32_t>& rows = problem.rows.strand_begin;
  partial.resize(layout.chunks.size());
  ForEachStrand(workers, layout, [&](size_t strand) {
    if (previous != nullptr) {
      ExtrapolateLines(static_cast<Real>(blocks.beta), blocks.motions, previous, rows[strand],
                       rows[strand + 1]);
    }
    ForEachChunkOf(layout, strand, [&](const BlockChunk& chunk, size_t index) {
      partial[index] = sweep(blocks, chunk);
    });
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
  ChunkSweep<SweepBlocks> sweep = nullptr;
  // The same in single precision, for solves of many sweeps; null: in double precision only.
  ChunkSweep<SingleSweepBlocks> single = nullptr;
  bool accelerated = true;  // capped momentum, local steps, and the start of cold_start.h
};

}  // namespace talus
