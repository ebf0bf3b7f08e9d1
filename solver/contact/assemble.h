// From bodies and contacts to a contact problem: strands, colours, blocks, arms, gap row, metric,
// steps.
//
// The gap row: b_n = Φ/h where the bodies are apart (speculative: they may come as far as
// touching), max(Φ/h, −v_recovery) where they overlap; an impact faster than the threshold that
// closes within the step bounces, b_n = min(b_n, e u_n⁻) with u_n⁻ the approach velocity at the
// start of the step (Newton restitution, never added to Φ/h). What elastic surfaces put in its
// place is in compliance.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/coloring.h"
#include "solver/contact/compliance.h"
#include "solver/contact/contact_input.h"
#include "solver/contact/contact_kinds.h"
#include "solver/contact/contact_problem.h"
#include "solver/contact/layout_key.h"
#include "solver/contact/strands.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

// Which sweeps the steps of the blocks are for.
enum class SweepKind : uint8_t { kAlartCurnier, kProjected };

// Belongs to one problem: it knows what that was made of last.
struct AssemblyScratch {
  ContactKinds kinds;
  LayoutKey layout_key;
  Strands strands;
  std::vector<uint16_t> row_of_bin;  // of StrandScratch
  Coloring coloring;
  std::vector<StrandExtent> extents;
};

// What the blocks are for: the sweeps, and whether floats will do, which they are where bodies are
// not too different (problem_units.h).
struct BlockUse {
  SweepKind sweeps = SweepKind::kAlartCurnier;
  bool in_floats = false;
};

// `warm`: the impulses that a solve will start from; they decide only the order of contacts that
// could stand in any. `motion` comes to hold what belongs to no impulses: v_free and the
// mobilities. `compliance`: by contact, or none where all are rigid; blocks are of doubles then.
void AssembleProblem(WorkerArena& workers, const DynamicsView& bodies,
                     std::span<const ContactInput> contacts, const WarmStart& warm,
                     const AssemblySettings& settings, const BlockUse& use,
                     AssemblyScratch& scratch, ContactProblem& problem,
                     std::vector<BodyMotion>& motion,
                     std::span<const ContactCompliance> compliance = {});

}  // namespace talus
