// The two loops over the chunks of a problem: all at once, or strand by strand where bodies are
// written. Chunks are numbered through the whole problem, so that partial results have a slot of
// their own and are added in order.
#pragma once

#include <cstddef>

#include "solver/contact/contact_problem.h"
#include "solver/parallel/parallel_for.h"

namespace talus {

// body(chunk, index) for all chunks, in any order.
template <typename Body>
void ForEachChunk(WorkerArena& workers, const BlockLayout& layout, const Body& body) {
  ParallelFor(workers, layout.chunks.size(), 1,
              [&](size_t index) { body(layout.chunks[index], index); });
}

// body(block, lane, contact) for every contact, in any order.
template <typename Body>
void ForEachSlot(WorkerArena& workers, const ContactProblem& problem, const Body& body) {
  ParallelFor(workers, problem.layout.block_count(), kChunkBlocks, [&](size_t index) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const uint32_t contact = problem.layout.slot_contact[index * kLanes + lane];
      if (contact == kNoContact) return;
      body(static_cast<uint32_t>(index), lane, contact);
    }
  });
}

// body(chunk, index) for the chunks of one strand, in order.
template <typename Body>
void ForEachChunkOf(const BlockLayout& layout, size_t strand, const Body& body) {
  const size_t end = layout.strand_begin[strand + 1];
  for (size_t i = layout.strand_begin[strand]; i < end; ++i) body(layout.chunks[i], i);
}

// body(strand) for all strands, phase after phase; strands of a phase share no dynamic body.
template <typename Body>
void ForEachStrand(WorkerArena& workers, const BlockLayout& layout, const Body& body) {
  for (size_t phase = 0; phase < layout.phase_count(); ++phase) {
    const size_t first = layout.phase_begin[phase];
    ParallelFor(workers, layout.phase_begin[phase + 1] - first, 1,
                [&](size_t k) { body(first + k); });
  }
}

// body(chunk, index) for all chunks: strand by strand, those of a strand in order.
template <typename Body>
void ForEachChunkInOrder(WorkerArena& workers, const BlockLayout& layout, const Body& body) {
  ForEachStrand(workers, layout, [&](size_t strand) { ForEachChunkOf(layout, strand, body); });
}

}  // namespace talus
