// What a sweep does at one contact: the whole difference between the sweep-based algorithms.
//
// A step takes an impulse and the pair as that impulse leaves it to the new impulse and moves the
// pair on by the change.
#if defined(TALUS_STEPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_STEPS_INL_H
#undef TALUS_STEPS_INL_H
#else
#define TALUS_STEPS_INL_H
#endif

#include "solver/contact/kernels/cone-inl.h"

HWY_BEFORE_NAMESPACE();
namespace TALUS_KERNELS::HWY_NAMESPACE {

// What a step needs to know of its contacts beside the pair.
struct ContactLanes {
  PartLanes friction, weight, step;
};

// The Alart–Curnier step: the normal first, then each friction part clipped with the bound of the
// normal impulse that came out (solvers/alart_curnier.h has the formulas).
struct AlartCurnierStep {
  // Whether a contact without impulse stays so if only its normal velocity opens it.
  static constexpr bool kOpenByNormal = true;

  template <class Pair>
  static HWY_INLINE WrenchLanes Take(const ContactLanes& c, const WrenchLanes& g, Pair& pair) {
    const V n = hn::Max(Splat(0.0), Fnma(c.step.normal, pair.NormalVelocity(), g.n));
    pair.AddNormal(n - g.n);
    V u = Fnma(c.step.sliding, pair.SlidingU(), g.u);
    V w = Fnma(c.step.sliding, pair.SlidingW(), g.w);
    ClipDisc(c.friction.sliding * n, u, w);
    pair.AddSliding(u - g.u, w - g.w);
    V roll_u = Fnma(c.step.rolling, pair.RollingU(), g.roll_u);
    V roll_w = Fnma(c.step.rolling, pair.RollingW(), g.roll_w);
    ClipDisc(c.friction.rolling * n, roll_u, roll_w);
    pair.AddRolling(roll_u - g.roll_u, roll_w - g.roll_w);
    const V bound = c.friction.spinning * n;
    V spin = Fnma(c.step.spinning, pair.Spinning(), g.spin);
    spin = hn::Min(hn::Max(spin, hn::Neg(bound)), bound);
    pair.AddSpinning(spin - g.spin);
    return {n, u, w, spin, roll_u, roll_w};
  }
};

// The projected step of PSOR (solvers/psor.h): all rows at once, then the joint projection.
struct ProjectedStep {
  static constexpr bool kOpenByNormal = false;

  template <class Pair>
  static HWY_INLINE WrenchLanes Take(const ContactLanes& c, const WrenchLanes& g, Pair& pair) {
    const WrenchLanes next = ProjectToCone(c.friction, c.weight, Move(g, c.step, pair.Velocity()));
    pair.AddWrench(next - g);
    return next;
  }
};

}  // namespace TALUS_KERNELS::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
