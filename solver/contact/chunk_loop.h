// The two loops over the chunks of a problem: all at once, or colour after colour where bodies are
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
  ParallelFor(workers, problem.blocks.size(), kChunkBlocks, [&](size_t index) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const uint32_t contact = problem.layout.slot_contact[index * kLanes + lane];
      if (contact == kNoContact) return;
      body(static_cast<uint32_t>(index), lane, contact);
    }
  });
}

// Like ForEachChunk, colour after colour.
template <typename Body>
void ForEachColor(WorkerArena& workers, const BlockLayout& layout, const Body& body) {
  for (size_t color = 0; color < layout.color_count(); ++color) {
    const size_t first = layout.color_begin[color];
    const size_t count = layout.color_begin[color + 1] - first;
    const bool serial = layout.last_color_serial && color + 1 == layout.color_count();
    if (serial) {
      for (size_t i = first; i < first + count; ++i) body(layout.chunks[i], i);
    } else {
      ParallelFor(workers, count, 1, [&](size_t i) { body(layout.chunks[first + i], first + i); });
    }
  }
}

}  // namespace talus
