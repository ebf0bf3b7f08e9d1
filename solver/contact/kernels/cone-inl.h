// The cone of admissible impulses in lanes: the projection onto it, the clipping of one friction
// part, the De Saxcé shift.
//
//   Z = { (γ, τ) : ‖γ_T‖ ≤ μ γ_n,  ‖τ_T‖ ≤ ρ γ_n,  |τ_n| ≤ σ γ_n }            [TA] eq. (8)
//
// The three bounds share γ_n, so they are projected together: doing them in turn would let the last
// one spoil the first. With L_i the length of the i-th friction part and w_i its weight,
//   y = (w_n x_n + Σ_A w_i m_i L_i) / (w_n + Σ_A w_i m_i²),   A ← { i ∈ A : m_i y < L_i },
// from all three active on; three removals at most, so four passes settle A. Then γ_n = max(y, 0)
// and each part is shortened to m_i γ_n where it is longer. No sorting, no division by m_i.
#if defined(TALUS_CONE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_CONE_INL_H
#undef TALUS_CONE_INL_H
#else
#define TALUS_CONE_INL_H
#endif

#include <limits>

#include "solver/contact/kernels/compliance-inl.h"

HWY_BEFORE_NAMESPACE();
namespace TALUS_KERNELS::HWY_NAMESPACE {

HWY_INLINE V Length(V x, V y) { return hn::Sqrt(Fma(x, x, y * y)); }

// Σ weight x y.
HWY_INLINE V WeightedProduct(const PartLanes& weight, const WrenchLanes& x, const WrenchLanes& y) {
  const V sliding = weight.sliding * Fma(x.u, y.u, x.w * y.w);
  const V rolling = weight.rolling * Fma(x.roll_u, y.roll_u, x.roll_w * y.roll_w);
  return Fma(weight.normal * x.n, y.n, sliding) + Fma(weight.spinning * x.spin, y.spin, rolling);
}

// x moved by -step u, part by part.
HWY_INLINE WrenchLanes Move(const WrenchLanes& x, const PartLanes& step, const WrenchLanes& u) {
  return {Fnma(step.normal, u.n, x.n),
          Fnma(step.sliding, u.u, x.u),
          Fnma(step.sliding, u.w, x.w),
          Fnma(step.spinning, u.spin, x.spin),
          Fnma(step.rolling, u.roll_u, x.roll_u),
          Fnma(step.rolling, u.roll_w, x.roll_w)};
}

// One friction part on its way through the projection.
struct ConePart {
  V coefficient, length, lift, spread;  // m, L, weight m L, weight m²
  Mask active;

  HWY_INLINE ConePart(V m, V part_length, V weight)
      : coefficient(m),
        length(part_length),
        lift(weight * m * part_length),
        spread(weight * m * m),
        active(m == m) {}
  HWY_INLINE Mask Beyond(V y) const { return coefficient * y < length; }
  // Drops out where it is within its bound; returns where it has just done so.
  HWY_INLINE Mask Leave(V y) {
    const Mask beyond = Beyond(y);
    const Mask left = hn::AndNot(beyond, active);
    active = hn::And(active, beyond);
    return left;
  }
  HWY_INLINE V Shrink(V y) const {
    return hn::IfThenElse(Beyond(y), coefficient * y / length, Splat(1.0));
  }
};

// The nearest point of the cone in the metric of `weight`: of all (y, l_i) with ‖l_i‖ ≤ m_i y the
// one that makes Σ weight (difference)² least. `friction.normal` is not read.
HWY_INLINE WrenchLanes ProjectToCone(const PartLanes& friction, const PartLanes& weight,
                                     const WrenchLanes& x) {
  ConePart parts[3] = {ConePart(friction.sliding, Length(x.u, x.w), weight.sliding),
                       ConePart(friction.rolling, Length(x.roll_u, x.roll_w), weight.rolling),
                       ConePart(friction.spinning, hn::Abs(x.spin), weight.spinning)};
  V y = Splat(-std::numeric_limits<Real>::infinity());
  for (int pass = 0; pass < 4; ++pass) {
    V numerator = weight.normal * x.n;
    V denominator = weight.normal;
    for (const ConePart& part : parts) {
      numerator = numerator + hn::IfThenElseZero(part.active, part.lift);
      denominator = denominator + hn::IfThenElseZero(part.active, part.spread);
    }
    y = hn::Max(y, numerator / denominator);
    const Mask left = hn::Or(parts[0].Leave(y), hn::Or(parts[1].Leave(y), parts[2].Leave(y)));
    if (hn::AllFalse(D(), left)) break;  // another pass would find the same
  }
  y = hn::Max(y, Splat(0.0));
  const V slide = parts[0].Shrink(y);
  const V roll = parts[1].Shrink(y);
  const V spin = parts[2].Shrink(y);
  return {y, slide * x.u, slide * x.w, spin * x.spin, roll * x.roll_u, roll * x.roll_w};
}

// Shortens (x, y) to `bound`.
HWY_INLINE void ClipDisc(V bound, V& x, V& y) {
  const V square = Fma(x, x, y * y);
  const Mask beyond = square > bound * bound;
  if (hn::AllFalse(D(), beyond)) return;  // in a heap most contacts stick
  // bound / sqrt(square), with the root and the quotient side by side.
  const V shrink = hn::IfThenElse(beyond, (bound / square) * hn::Sqrt(square), Splat(1.0));
  x = shrink * x;
  y = shrink * y;
}

// A_r, m/s: what the De Saxcé shift adds to the normal velocity; zero under CCP
// (contact/residual.h).
HWY_INLINE V DeSaxceShift(const PartLanes& friction, const WrenchLanes& u) {
  return Fma(
      friction.sliding, Length(u.u, u.w),
      Fma(friction.rolling, Length(u.roll_u, u.roll_w), friction.spinning * hn::Abs(u.spin)));
}

}  // namespace TALUS_KERNELS::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
