// What is measured on blocks: local velocities, the parts of the residual; and the projection of
// impulses.
#if defined(TALUS_MEASURE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_MEASURE_INL_H
#undef TALUS_MEASURE_INL_H
#else
#define TALUS_MEASURE_INL_H
#endif

#include "solver/contact/kernels/sweep-inl.h"

HWY_BEFORE_NAMESPACE();
namespace TALUS_KERNELS::HWY_NAMESPACE {

// u = Dᵀ v + E γ + b, and the weights of the metric.
struct LocalLanes {
  WrenchLanes u;
  PartLanes weight;
};

HWY_INLINE LocalLanes FindLocal(const BlockView& view, const BlockKind& kind, const WrenchLanes& g,
                                const BodyMotion* motions, size_t lane) {
  if (kind.geometry == BlockGeometry::kCentral) {
    Central pair;
    pair.Load(view, motions, lane);
    pair.Bear(g);
    return {pair.Velocity(), pair.Weight(view, lane)};
  }
  Any<RoundInertia> pair;  // velocities alone do not ask for inertia
  pair.Load(view, motions, lane);
  pair.Bear(g);
  return {pair.Velocity(), pair.Weight(view, lane)};
}

HWY_INLINE PartLanes FindWeight(const BlockView& view, const BlockKind& kind,
                                const BodyMotion* motions, size_t lane) {
  if (kind.geometry != BlockGeometry::kCentral) return LoadParts(view.wide->weight, lane);
  Central pair;
  pair.Load(view, motions, lane);
  return pair.Weight(view, lane);
}

void FindLocalVelocities(const BlockSpan& problem, const BlockChunk& chunk,
                         const WrenchBlock* impulse, const BodyMotion* motions,
                         WrenchBlock* velocity) {
  for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
    const BlockView view = ViewBlock(problem, chunk, index);
    for (size_t lane = 0; lane < kLanes; lane += kWidth) {
      const WrenchLanes g = LoadWrench(impulse[index], lane);
      const LocalLanes local = FindLocal(view, chunk.kind, g, motions, lane);
      StoreWrench(local.u, velocity[index - chunk.begin], lane);
    }
  }
}

void FindWeights(const BlockSpan& problem, const BlockChunk& chunk, const BodyMotion* motions,
                 PartBlock* weights) {
  for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
    const BlockView view = ViewBlock(problem, chunk, index);
    PartBlock& block = weights[index - chunk.begin];
    for (size_t lane = 0; lane < kLanes; lane += kWidth) {
      const PartLanes weight = FindWeight(view, chunk.kind, motions, lane);
      StoreLanes(weight.normal, block.part[kNormal] + lane);
      StoreLanes(weight.sliding, block.part[kSliding] + lane);
      StoreLanes(weight.spinning, block.part[kSpinning] + lane);
      StoreLanes(weight.rolling, block.part[kRolling] + lane);
    }
  }
}

HWY_INLINE PartLanes Inverse(const PartLanes& parts, V scale) {
  return {scale / parts.normal, scale / parts.sliding, scale / parts.spinning,
          scale / parts.rolling};
}

void ProjectImpulses(const BlockSpan& problem, const BlockChunk& chunk, double step,
                     const BodyMotion* motions, const WrenchBlock* velocity, WrenchBlock* impulse) {
  for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
    const BlockView view = ViewBlock(problem, chunk, index);
    for (size_t lane = 0; lane < kLanes; lane += kWidth) {
      const PartLanes weight = FindWeight(view, chunk.kind, motions, lane);
      WrenchLanes g = LoadWrench(impulse[index], lane);
      if (velocity != nullptr) {
        g = Move(g, Inverse(weight, Splat(step)), LoadWrench(velocity[index], lane));
      }
      g = ProjectToCone(LoadFriction(view.block, lane), weight, g);
      StoreWrench(g, impulse[index], lane);
    }
  }
}

// The metric of η: torque rows count by ℓ² = W_nn / W_rr, the others as they are.
HWY_INLINE PartLanes WorstMetric(const PartLanes& weight) {
  const V one = Splat(1.0);
  const V torque = weight.rolling / weight.normal;
  return {one, one, torque, torque};
}

// ‖p̃ − Π(p̃ − ρ û̃)‖² / ρ² by lane.
HWY_INLINE V WorstViolation(V rho, const PartLanes& friction, const PartLanes& weight,
                            const WrenchLanes& g, const WrenchLanes& u) {
  const PartLanes metric = WorstMetric(weight);
  const WrenchLanes back = g - ProjectToCone(friction, metric, Move(g, Inverse(metric, rho), u));
  return WeightedProduct(metric, back, back) / (rho * rho);
}

// The largest value of the valid lanes.
HWY_INLINE double LargestOf(V value, size_t count, double largest) {
  HWY_ALIGN Lanes lanes;
  StoreLanes(value, lanes);
  for (size_t i = 0; i < count; ++i) largest = std::max(largest, lanes[i]);
  return largest;
}

// Whether the law holds in the whole block because nothing touches and nothing approaches: NCP then
// pairs the impulses of zero with a velocity in the dual cone.
HWY_INLINE bool IsOpen(const ContactBlock& block, const WrenchBlock& impulse,
                       const BodyMotion* motions) {
  const V zero = Splat(0.0);
  Mask open = zero == zero;
  for (const Lanes& row : impulse.row) {
    for (size_t lane = 0; lane < kLanes; lane += kWidth) {
      open = hn::And(open, LoadLanes(row + lane) == zero);
    }
    if (HWY_LIKELY(!hn::AllTrue(D(), open))) return false;
  }
  return NothingApproaches(block, motions, 0.0);
}

// û in place of u: the velocity the law pairs with the impulse.
HWY_INLINE void PairVelocity(ContactLaw law, const PartLanes& friction, WrenchLanes& u) {
  if (law == ContactLaw::kNcp) u.n = u.n + DeSaxceShift(friction, u);
}

HWY_INLINE bool MaySkip(ContactLaw law, const BlockKind& kind) {
  return law == ContactLaw::kNcp && kind.geometry == BlockGeometry::kCentral;
}

ResidualParts MeasureResidual(const BlockSpan& problem, const BlockChunk& chunk, ContactLaw law,
                              const WrenchBlock* impulse, const BodyMotion* motions) {
  LaneSum violation, square;
  const bool may_skip = MaySkip(law, chunk.kind);
  for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
    const BlockView view = ViewBlock(problem, chunk, index);
    PrefetchBodies(problem.blocks[std::min(index + 1, chunk.end - 1)], motions);
    if (may_skip && IsOpen(view.block, impulse[index], motions)) continue;
    // Stage by stage, as a sweep does.
    WrenchLanes g[kVectors], back[kVectors];
    LocalLanes local[kVectors];
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      g[v] = LoadWrench(impulse[index], v * kWidth);
      local[v] = FindLocal(view, chunk.kind, g[v], motions, v * kWidth);
      PairVelocity(law, LoadFriction(view.block, v * kWidth), local[v].u);
    }
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      const PartLanes& weight = local[v].weight;
      back[v] = g[v] - ProjectToCone(LoadFriction(view.block, v * kWidth), weight,
                                     Move(g[v], Inverse(weight, Splat(1.0)), local[v].u));
    }
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      const size_t lane = v * kWidth;
      const size_t count = CountFrom(view.block, lane);
      violation.Add(WeightedProduct(local[v].weight, back[v], back[v]), count, lane);
      square.Add(WeightedProduct(local[v].weight, g[v], g[v]), count, lane);
    }
  }
  return {violation.Total(), square.Total()};
}

// A friction part counts as at its limit within this relative distance: clipping leaves it there to
// rounding.
constexpr Real kAtLimit = 1.0 - 1e-9;
// A part without friction is at its limit of zero whatever it does; it counts as moving when its
// velocity, in the metric, exceeds this share of the normal impulse: above what solvers leave
// behind, far below what a step of gravity makes.
constexpr Real kMoving = 1e-3;

// `bit` where a friction part moves. `impulse` and `velocity` are its squared lengths in SI.
HWY_INLINE V MovingBit(V friction, V impulse, V velocity, V weights, V normal, Real bit) {
  const V limit = Splat(kAtLimit) * friction * normal;
  const Mask at_limit = hn::And(limit > Splat(0.0), impulse >= limit * limit);
  const Mask slips = hn::AndNot(limit > Splat(0.0),
                                velocity > Splat(kMoving * kMoving) * weights * normal * normal);
  return hn::IfThenElseZero(hn::Or(at_limit, slips), Splat(bit));
}

// What contacts do: 1 closed, 2 sliding, 4 rolling, 8 spinning, added up.
HWY_INLINE V FindModes(const PartLanes& friction, const PartLanes& weight, const WrenchLanes& g,
                       const WrenchLanes& u) {
  const V sliding = MovingBit(friction.sliding, Fma(g.u, g.u, g.w * g.w), Fma(u.u, u.u, u.w * u.w),
                              weight.sliding * weight.normal, g.n, 2.0);
  const V rolling = MovingBit(friction.rolling, Fma(g.roll_u, g.roll_u, g.roll_w * g.roll_w),
                              Fma(u.roll_u, u.roll_u, u.roll_w * u.roll_w),
                              weight.rolling * weight.normal, g.n, 4.0);
  const V spinning = MovingBit(friction.spinning, g.spin * g.spin, u.spin * u.spin,
                               weight.spinning * weight.normal, g.n, 8.0);
  return hn::IfThenElseZero(g.n > Splat(0.0), Splat(1.0) + (sliding + (rolling + spinning)));
}

HWY_INLINE void StoreModes(V modes, uint8_t* to) {
  HWY_ALIGN Lanes lanes;
  StoreLanes(modes, lanes);
  for (size_t i = 0; i < kWidth; ++i) to[i] = static_cast<uint8_t>(lanes[i]);
}

template <class Pair>
double DescribeContactsOf(const BlockSpan& problem, const BlockChunk& chunk, ContactLaw law,
                          const WrenchBlock* impulse, const BodyMotion* motions, uint8_t* modes) {
  double worst = 0.0;
  const bool may_skip = MaySkip(law, chunk.kind);
  for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
    const BlockView view = ViewBlock(problem, chunk, index);
    uint8_t* const block_modes =
        modes == nullptr ? nullptr : modes + (index - chunk.begin) * kLanes;
    if (may_skip && IsOpen(view.block, impulse[index], motions)) {
      if (modes != nullptr) std::fill_n(block_modes, kLanes, uint8_t{0});
      continue;
    }
    for (size_t lane = 0; lane < kLanes; lane += kWidth) {
      Pair pair;
      pair.Load(view, motions, lane);
      const PartLanes friction = LoadFriction(view.block, lane);
      const PartLanes weight = pair.Weight(view, lane);
      const WrenchLanes g = LoadWrench(impulse[index], lane);
      pair.Bear(g);
      WrenchLanes u = pair.Velocity();
      if (modes != nullptr) StoreModes(FindModes(friction, weight, g, u), block_modes + lane);
      PairVelocity(law, friction, u);
      const V violation = WorstViolation(pair.WorstStep(view, lane), friction, weight, g, u);
      worst = LargestOf(violation, CountFrom(view.block, lane), worst);
    }
  }
  return worst;
}

double DescribeContacts(const BlockSpan& problem, const BlockChunk& chunk, ContactLaw law,
                        const WrenchBlock* impulse, const BodyMotion* motions, uint8_t* modes) {
  const auto describe = chunk.kind.geometry == BlockGeometry::kCentral
                            ? DescribeContactsOf<Central>
                            : DescribeContactsOf<Any<RoundInertia>>;
  return describe(problem, chunk, law, impulse, motions, modes);
}

DrivingParts MeasureDriving(const BlockSpan& problem, const BlockChunk& chunk,
                            const BodyMotion* motions) {
  const V zero = Splat(0.0);
  const WrenchLanes none = {zero, zero, zero, zero, zero, zero};
  DrivingParts parts;
  LaneSum pressing;
  for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
    const BlockView view = ViewBlock(problem, chunk, index);
    for (size_t lane = 0; lane < kLanes; lane += kWidth) {
      const size_t count = CountFrom(view.block, lane);
      const auto [r, weight] = FindLocal(view, chunk.kind, none, motions, lane);
      const WrenchLanes pressed = ProjectToCone(LoadFriction(view.block, lane), weight,
                                                Move(none, Inverse(weight, Splat(1.0)), r));
      pressing.Add(WeightedProduct(weight, pressed, pressed), count, lane);
      const PartLanes metric = Inverse(WorstMetric(weight), Splat(1.0));
      parts.largest = LargestOf(WeightedProduct(metric, r, r), count, parts.largest);
    }
  }
  parts.pressing = pressing.Total();
  return parts;
}

}  // namespace TALUS_KERNELS::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
