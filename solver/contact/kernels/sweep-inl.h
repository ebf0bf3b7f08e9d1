// One sweep over blocks of contacts, and the impulses of blocks applied to their bodies.
#if defined(TALUS_SWEEP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_SWEEP_INL_H
#undef TALUS_SWEEP_INL_H
#else
#define TALUS_SWEEP_INL_H
#endif

#include <hwy/cache_control.h>

#include <algorithm>

#include "solver/contact/kernels/block_kernels.h"
#include "solver/contact/kernels/steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace TALUS_KERNELS::HWY_NAMESPACE {

using SweepBlocks = SweepBlocksOf<BlockSpan, Real>;

// How many lanes from `lane` on hold contacts, at most kWidth.
HWY_INLINE size_t CountFrom(const ContactBlock& block, size_t lane) {
  const uint32_t* const a = block.line_a + lane;
  const uint32_t* const b = block.line_b + lane;
  if (HWY_LIKELY(a[kWidth - 1] != b[kWidth - 1])) return kWidth;
  size_t count = 0;
  while (count < kWidth - 1 && a[count] != b[count]) ++count;
  return count;
}

// A sum for each lane of a block, added up in the order of lanes.
class LaneSum {
 public:
  // Lanes from `count` on hold no contacts.
  HWY_INLINE void Add(V value, size_t count, size_t lane) {
    if (HWY_UNLIKELY(count < kWidth)) value = hn::IfThenElseZero(hn::FirstN(D(), count), value);
    V& sum = sum_[lane / kWidth];
    sum = sum + value;
  }
  double Total() const {
    HWY_ALIGN Lanes lanes;
    for (size_t lane = 0; lane < kLanes; lane += kWidth) {
      StoreLanes(sum_[lane / kWidth], lanes + lane);
    }
    double total = 0.0;
    for (const Real value : lanes) total += value;
    return total;
  }

 private:
  V sum_[kLanes / kWidth] = {};
};

HWY_INLINE void PrefetchBodies(const ContactBlock& block, const BodyMotion* motions) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    hwy::Prefetch(motions->line() + block.line_a[lane]);
    hwy::Prefetch(motions->line() + block.line_b[lane]);
  }
}

// What a sweep reads of a block and of its impulses, so far ahead that it is there in time from
// beyond the caches. The last blocks have none behind them: what is fetched there is never read.
HWY_INLINE void PrefetchAhead(const SweepBlocks& sweep, uint32_t index) {
  constexpr uint32_t kBlocksAhead = 4;
  const auto fetch = [index](const auto* lines) {
    const auto begin = reinterpret_cast<uintptr_t>(lines) + (index + kBlocksAhead) * sizeof(*lines);
    for (size_t at = 0; at < sizeof(*lines); at += 64) {
      hwy::Prefetch(reinterpret_cast<const char*>(begin + at));
    }
  };
  fetch(sweep.problem.blocks);
  fetch(sweep.last);
  fetch(sweep.before_last);
}

HWY_INLINE WrenchLanes Extrapolate(V beta, const WrenchLanes& last, const WrenchLanes& way) {
  return {Fma(beta, way.n, last.n),           Fma(beta, way.u, last.u),
          Fma(beta, way.w, last.w),           Fma(beta, way.spin, last.spin),
          Fma(beta, way.roll_u, last.roll_u), Fma(beta, way.roll_w, last.roll_w)};
}

// The normal part has none.
HWY_INLINE PartLanes LoadFriction(const ContactBlock& block, size_t lane) {
  return {Splat(1.0), LoadLanes(block.friction[0] + lane), LoadLanes(block.friction[1] + lane),
          LoadLanes(block.friction[2] + lane)};
}

// Whether no contact of a central block approaches, its open gaps counted 1 + extra_gap times.
HWY_INLINE bool NothingApproaches(const ContactBlock& block, const BodyMotion* motions,
                                  double extra_gap) {
  const V zero = Splat(0.0);
  for (size_t lane = 0; lane < kLanes; lane += kWidth) {
    const V gap = hn::Max(LoadLanes(block.bias + lane), zero);
    const V velocity = Fma(Splat(static_cast<Real>(extra_gap)), gap,
                           CentralPair::NormalVelocityOf(block, motions, lane));
    if (!hn::AllTrue(D(), velocity >= zero)) return false;
  }
  return true;
}

// Whether a sweep would leave the block as it is: nothing touches, and nothing is about to. Then
// rows other than the normal ones are zero too, being bounded by them.
HWY_INLINE bool StaysOpen(const SweepBlocks& sweep, const ContactBlock& block, uint32_t index) {
  const V zero = Splat(0.0);
  const Real* const last = sweep.last[index].row[0];
  const Real* const before = sweep.before_last[index].row[0];
  Mask open = zero == zero;
  for (size_t lane = 0; lane < kLanes; lane += kWidth) {
    const Mask last_open = LoadLanes(last + lane) == zero;
    open = hn::And(open, hn::And(last_open, LoadLanes(before + lane) == zero));
  }
  if (HWY_LIKELY(!hn::AllTrue(D(), open))) return false;
  return NothingApproaches(block, sweep.motions, sweep.extra_gap);
}

template <class Step, class Pair, bool kRepeat>
SweepChange SweepChunk(const SweepBlocks& sweep, const BlockChunk& chunk) {
  const V beta = Splat(static_cast<Real>(sweep.beta));
  const V extra_gap = Splat(static_cast<Real>(sweep.extra_gap));
  LaneSum length_squared, along_way;
  for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
    const BlockView view = ViewBlock(sweep.problem, chunk, index);
    const ContactBlock& block = view.block;
    PrefetchAhead(sweep, index);
    PrefetchBodies(sweep.problem.blocks[std::min(index + 1, chunk.end - 1)], sweep.motions);
    if constexpr (Step::kOpenByNormal && Pair::kCentral) {
      if (StaysOpen(sweep, block, index)) continue;
    }
    // Vector by vector, but stage by stage: the processor overlaps the stages' long chains.
    Pair pair[kVectors];
    WrenchLanes way[kVectors], start[kVectors], next[kVectors];
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      const size_t lane = v * kWidth;
      pair[v].Load(view, sweep.motions, lane);
      if (HWY_UNLIKELY(sweep.extra_gap > 0.0)) pair[v].WidenGap(extra_gap, block, lane);
      const WrenchLanes last = LoadWrench(sweep.last[index], lane);
      way[v] = last - LoadWrench(sweep.before_last[index], lane);
      start[v] = Extrapolate(beta, last, way[v]);
      pair[v].Bear(start[v]);
    }
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      const size_t lane = v * kWidth;
      const ContactLanes contact = {LoadFriction(block, lane), pair[v].Weight(view, lane),
                                    pair[v].Step(view, lane)};
      next[v] = Step::Take(contact, start[v], pair[v]);
      if constexpr (kRepeat) {
        for (int32_t taken = 1; taken < chunk.kind.local_steps; ++taken) {
          next[v] = Step::Take(contact, next[v], pair[v]);
        }
      }
    }
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      const size_t lane = v * kWidth;
      StoreWrench(next[v], sweep.before_last[index], lane);
      const size_t count = CountFrom(block, lane);
      const WrenchLanes change = next[v] - start[v];
      const PartLanes weight = pair[v].Weight(view, lane);
      length_squared.Add(WeightedProduct(weight, change, change), count, lane);
      along_way.Add(WeightedProduct(weight, change, way[v]), count, lane);
      pair[v].Apply(change, block, chunk.kind, lane, sweep.motions);
    }
  }
  // γ⁺ − γ is the change and beta times the way.
  const double length = length_squared.Total();
  return {length, -(length + sweep.beta * along_way.Total())};
}

template <class Step>
SweepChange SweepWith(const SweepBlocks& sweep, const BlockChunk& chunk) {
  switch (chunk.kind.geometry) {
    case BlockGeometry::kCentral:
      return sweep.local_steps && chunk.kind.local_steps > 1
                 ? SweepChunk<Step, Central, true>(sweep, chunk)
                 : SweepChunk<Step, Central, false>(sweep, chunk);
    case BlockGeometry::kRound:
      return SweepChunk<Step, Any<RoundInertia>, false>(sweep, chunk);
    case BlockGeometry::kFull:
      break;
  }
  return SweepChunk<Step, Any<FullInertia>, false>(sweep, chunk);
}

SweepChange SweepAlartCurnier(const SweepBlocks& sweep, const BlockChunk& chunk) {
  return SweepWith<AlartCurnierStep>(sweep, chunk);
}
SweepChange SweepProjected(const SweepBlocks& sweep, const BlockChunk& chunk) {
  return SweepWith<ProjectedStep>(sweep, chunk);
}

template <class Pair>
void AddImpulsesOf(const BlockSpan& problem, const BlockChunk& chunk, const WrenchBlock* impulse,
                   const WrenchBlock* from, BodyMotion* motions) {
  for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
    const BlockView view = ViewBlock(problem, chunk, index);
    for (size_t lane = 0; lane < kLanes; lane += kWidth) {
      Pair pair;
      pair.Load(view, motions, lane);
      WrenchLanes g = LoadWrench(impulse[index], lane);
      if (from != nullptr) g = g - LoadWrench(from[index], lane);
      pair.Apply(g, view.block, chunk.kind, lane, motions);
    }
  }
}

void AddImpulses(const BlockSpan& problem, const BlockChunk& chunk, const WrenchBlock* impulse,
                 const WrenchBlock* from, BodyMotion* motions) {
  switch (chunk.kind.geometry) {
    case BlockGeometry::kCentral:
      return AddImpulsesOf<CentralPair>(problem, chunk, impulse, from, motions);
    case BlockGeometry::kRound:
      return AddImpulsesOf<AnyPair<RoundInertia>>(problem, chunk, impulse, from, motions);
    case BlockGeometry::kFull:
      return AddImpulsesOf<AnyPair<FullInertia>>(problem, chunk, impulse, from, motions);
  }
}

}  // namespace TALUS_KERNELS::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
