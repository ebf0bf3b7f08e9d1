// What is done to blocks of contacts at once, for the best instruction set of the machine: AVX-512,
// AVX2, NEON, or two lanes at a time. The bits are the same on all of them (lanes-inl.h).
//
// All functions work on the blocks [chunk.begin, chunk.end) of a problem; bodies that strands
// of a phase share are never written.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "solver/contact/compliance_block.h"
#include "solver/contact/contact_block.h"
#include "solver/scene/solver_settings.h"

namespace talus {

// What all contacts of a chunk have in common.
struct BlockKind {
  BlockGeometry geometry = BlockGeometry::kFull;
  bool dynamic_a = true;
  bool dynamic_b = true;
  int32_t local_steps =
      1;  // steps an accelerated sweep takes here, 1 unless central (contact_kinds.h)

  bool operator==(const BlockKind&) const = default;
};

struct BlockChunk {
  uint32_t begin = 0;
  uint32_t end = 0;
  BlockKind kind;
  uint32_t first_wide = 0;  // where the WideBlock of `begin` stands, unless central
};

// The place of a block among the WideBlocks, from a problem's first one on; null when central.
template <typename Wide>
Wide* FindWide(Wide* wide, const BlockChunk& chunk, uint32_t index) {
  if (chunk.kind.geometry == BlockGeometry::kCentral) return nullptr;
  return wide + (chunk.first_wide + (index - chunk.begin));
}

// The constant part of a problem as kernels read it that compute with Real what is held in Stored.
template <typename Real, typename Stored>
struct BlockSpanOf {
  const ContactBlockOf<Stored>* blocks = nullptr;
  const WideBlockOf<Stored>* wide = nullptr;     // may be null when all chunks are central
  const InertiaLineOf<Real>* inertia = nullptr;  // by row; may be null without kFull chunks
  const ComplianceBlock* compliance = nullptr;   // by block; null where all contacts are rigid
};
using SingleBlockSpan = BlockSpanOf<float, float>;

// What is computed in double precision reads blocks of doubles or of floats.
struct BlockSpan {
  BlockSpanOf<double, double> doubles;
  BlockSpanOf<double, float> floats;  // its blocks are null where the problem has those of doubles

  bool has_floats() const { return floats.blocks != nullptr; }
  bool compliant() const { return doubles.compliance != nullptr; }
};

// What a sweep tells the momentum, in the metric: y the impulses it started from, γ⁺ those it came
// to, γ those of the sweep before.
struct SweepChange {
  double length_squared = 0.0;  // ‖γ⁺ − y‖²
  double against = 0.0;         // (y − γ⁺)·(γ⁺ − γ)
};

template <typename Span, typename Real>
struct SweepBlocksOf {
  Span problem;
  BodyMotionOf<Real>* motions = nullptr;       // v(y) in, v(γ⁺) out, by row of a problem
  const WrenchBlockOf<Real>* last = nullptr;   // γ
  WrenchBlockOf<Real>* before_last = nullptr;  // the impulses before γ in, γ⁺ out
  double beta = 0.0;                           // y = γ + beta (γ − before)
  double extra_gap = 0.0;                      // b_n of open contacts counts 1 + extra_gap times
  bool local_steps = false;                    // take the local steps of the chunk's kind, else one
};
using SweepBlocks = SweepBlocksOf<BlockSpan, double>;
using SingleSweepBlocks = SweepBlocksOf<SingleBlockSpan, float>;

// One sweep over a chunk: each contact brought closer to its law with the velocities that are
// there. `last` and `before_last` may be the same memory where nothing is to be extrapolated: γ is
// then written over, and what was before it counts as γ.
SweepChange SweepAlartCurnier(const SweepBlocks& sweep, const BlockChunk& chunk);
SweepChange SweepProjected(const SweepBlocks& sweep, const BlockChunk& chunk);

// The same in single precision.
namespace single {
SweepChange SweepAlartCurnier(const SingleSweepBlocks& sweep, const BlockChunk& chunk);
SweepChange SweepProjected(const SingleSweepBlocks& sweep, const BlockChunk& chunk);
}  // namespace single

// v += M⁻¹ D (γ − from); `from` may be null for zero.
void AddImpulses(const BlockSpan& problem, const BlockChunk& chunk, const WrenchBlock* impulse,
                 const WrenchBlock* from, BodyMotion* motions);

// u = Dᵀ v + E γ + b; `velocity` is of the blocks of the chunk alone.
void FindLocalVelocities(const BlockSpan& problem, const BlockChunk& chunk,
                         const WrenchBlock* impulse, const BodyMotion* motions,
                         WrenchBlock* velocity);

// The weights of the metric; `weights` is of the blocks of the chunk alone.
void FindWeights(const BlockSpan& problem, const BlockChunk& chunk, const BodyMotion* motions,
                 PartBlock* weights);

// γ ← the nearest point of its cone, of γ − step u / weight; `velocity` may be null for zero. Of
// the motions only the inverse masses count, and only in central chunks.
void ProjectImpulses(const BlockSpan& problem, const BlockChunk& chunk, double step,
                     const BodyMotion* motions, const WrenchBlock* velocity, WrenchBlock* impulse);

// Sums of contact/residual.h over a chunk.
struct ResidualParts {
  double violation = 0.0;  // Σ ‖γ' − Π(γ' − û')‖²
  double impulse = 0.0;    // Σ ‖γ'‖²
};
ResidualParts MeasureResidual(const BlockSpan& problem, const BlockChunk& chunk, ContactLaw law,
                              const WrenchBlock* impulse, const BodyMotion* motions);

// The largest ‖p̃ − Π(p̃ − ρ û̃)‖² / ρ² of a chunk, of the residual η; and what its contacts do, bits
// of ContactSolution::modes, a number for each lane of its blocks. `modes` may be null.
double DescribeContacts(const BlockSpan& problem, const BlockChunk& chunk, ContactLaw law,
                        const WrenchBlock* impulse, const BodyMotion* motions, uint8_t* modes);

// What the residuals are relative to, over a chunk: Σ ‖Π_Z'(−r')‖² and the largest ‖r̃‖², with r =
// Dᵀ v + b at the velocities `motions`.
struct DrivingParts {
  double pressing = 0.0;
  double largest = 0.0;
};
DrivingParts MeasureDriving(const BlockSpan& problem, const BlockChunk& chunk,
                            const BodyMotion* motions);

// Fills weights, steps and bounds of the blocks from what the other fields say. `projected`: the
// steps of SweepProjected, else those of SweepAlartCurnier. `blocks`, `wide` and `compliance`, null
// where there is none, are the problem's.
void CompleteBlocks(const BlockSpanOf<double, double>& problem, const BlockChunk& chunk,
                    const BodyMotion* motions, bool projected, ContactBlock* blocks,
                    WideBlock* wide, ComplianceBlock* compliance);
void CompleteBlocks(const BlockSpanOf<double, float>& problem, const BlockChunk& chunk,
                    const BodyMotion* motions, bool projected, ContactBlockOf<float>* blocks,
                    WideBlockOf<float>* wide);

// The instruction sets this machine can run the kernels on, best first, by name; for tests.
std::vector<std::string_view> KernelTargets();
// From now on use the named one; an empty name goes back to the best.
void UseKernelTarget(std::string_view name);

}  // namespace talus
