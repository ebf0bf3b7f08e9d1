// From bodies and contacts to a contact problem: strands, colours, blocks, arms, gap row, metric,
// steps.
//
// The gap row: b_n = Φ/h where the bodies are apart (speculative: they may come as far as
// touching), max(Φ/h, −v_recovery) where they overlap; an impact faster than the threshold that
// closes within the step bounces, b_n = min(b_n, e u_n⁻) with u_n⁻ the approach velocity at the
// start of the step (Newton restitution, never added to Φ/h).
//
// Local steps (BlockKind): of central contacts 4 where only one body moves, 2 where the rows couple
// strongly (the largest row sum of the scaled block exceeds 1.5); else 1. Contacts with the ground
// are few in a heap and one step leaves most there, sliding and rolling being coupled with 0.845 in
// the metric; between bodies a second step pays only where the rows couple strongly
// (docs/TRIED.md). Where the normal row couples too, as at the corners of a box, the first of
// several corners would take the load of all before the others are asked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/coloring.h"
#include "solver/contact/contact_input.h"
#include "solver/contact/contact_problem.h"
#include "solver/contact/strands.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

// Which sweeps the steps of the blocks are for.
enum class SweepKind : uint8_t { kAlartCurnier, kProjected };

struct AssemblyScratch {
  Strands strands;
  Coloring coloring;
  std::vector<uint8_t> kinds;  // by contact
  std::vector<uint8_t> open;
  std::vector<StrandExtent> extents;
};

// `warm`: the impulses that a solve will start from; they decide only the order of contacts that
// could stand in any.
void AssembleProblem(WorkerArena& workers, const DynamicsView& bodies,
                     std::span<const ContactInput> contacts, const WarmStart& warm,
                     const AssemblySettings& settings, SweepKind sweeps, AssemblyScratch& scratch,
                     ContactProblem& problem);

}  // namespace talus
