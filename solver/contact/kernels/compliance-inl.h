// Pairs whose contacts give way: u = Dᵀ v + E γ + b with E a number for each part and b in all
// rows.
//
// Compiled in place of the rigid pairs where TALUS_COMPLIANT is defined (compliant_kernels.cc), so
// that rigid problems know nothing of it.
#if defined(TALUS_COMPLIANCE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_COMPLIANCE_INL_H
#undef TALUS_COMPLIANCE_INL_H
#else
#define TALUS_COMPLIANCE_INL_H
#endif

#include "solver/contact/kernels/pair-inl.h"

HWY_BEFORE_NAMESPACE();
namespace TALUS_KERNELS::HWY_NAMESPACE {

#ifdef TALUS_COMPLIANT

constexpr bool kCompliant = true;

HWY_INLINE WrenchLanes operator+(const WrenchLanes& a, const WrenchLanes& b) {
  return {a.n + b.n,       a.u + b.u,           a.w + b.w,
          a.spin + b.spin, a.roll_u + b.roll_u, a.roll_w + b.roll_w};
}

template <class Base>
class Compliant : public Base {
 public:
  // As if nothing were carried; the normal row's bias is the block's.
  HWY_INLINE void Load(const BlockView& view, const BodyMotion* motions, size_t lane) {
    Base::Load(view, motions, lane);
    const ComplianceBlock& own = *view.compliance;
    const auto part = [&](Part k) { return LoadLanes(own.compliance[k] + lane); };
    compliance_ = {part(kNormal), part(kSliding), part(kSpinning), part(kRolling)};
    const auto bias = [&](size_t row) { return LoadLanes(own.bias[row - 1] + lane); };
    added_ = {Splat(0.0), bias(1), bias(2), bias(3), bias(4), bias(5)};
  }
  HWY_INLINE void Bear(const WrenchLanes& g) { added_ = added_ + Yield(g); }
  HWY_INLINE void Stop() {
    const V zero = Splat(0.0);
    Base::Stop();
    added_ = {zero, zero, zero, zero, zero, zero};
  }

  // The diagonal of W + E; what is not central keeps it.
  HWY_INLINE PartLanes Weight(const BlockView& view, size_t lane) const {
    const PartLanes weight = Base::Weight(view, lane);
    if constexpr (!Base::kCentral) return weight;
    return {weight.normal + compliance_.normal, weight.sliding + compliance_.sliding,
            weight.spinning + compliance_.spinning, weight.rolling + compliance_.rolling};
  }
  HWY_INLINE PartLanes Step(const BlockView& view, size_t lane) const {
    PartLanes step = Base::Step(view, lane);
    if constexpr (Base::kCentral) step.spinning = LoadLanes(view.compliance->spinning_step + lane);
    return step;
  }
  HWY_INLINE V WorstStep(const BlockView& view, size_t lane) const {
    if constexpr (Base::kCentral) return LoadLanes(view.compliance->worst_step + lane);
    return Base::WorstStep(view, lane);
  }

  HWY_INLINE V NormalVelocity() const { return Base::NormalVelocity() + added_.n; }
  HWY_INLINE V SlidingU() const { return Base::SlidingU() + added_.u; }
  HWY_INLINE V SlidingW() const { return Base::SlidingW() + added_.w; }
  HWY_INLINE V Spinning() const { return Base::Spinning() + added_.spin; }
  HWY_INLINE V RollingU() const { return Base::RollingU() + added_.roll_u; }
  HWY_INLINE V RollingW() const { return Base::RollingW() + added_.roll_w; }
  HWY_INLINE WrenchLanes Velocity() const { return Base::Velocity() + added_; }

  HWY_INLINE void AddNormal(V n) {
    Base::AddNormal(n);
    added_.n = Fma(compliance_.normal, n, added_.n);
  }
  HWY_INLINE void AddSliding(V u, V w) {
    Base::AddSliding(u, w);
    added_.u = Fma(compliance_.sliding, u, added_.u);
    added_.w = Fma(compliance_.sliding, w, added_.w);
  }
  HWY_INLINE void AddRolling(V u, V w) {
    Base::AddRolling(u, w);
    added_.roll_u = Fma(compliance_.rolling, u, added_.roll_u);
    added_.roll_w = Fma(compliance_.rolling, w, added_.roll_w);
  }
  HWY_INLINE void AddSpinning(V n) {
    Base::AddSpinning(n);
    added_.spin = Fma(compliance_.spinning, n, added_.spin);
  }
  HWY_INLINE void AddWrench(const WrenchLanes& g) {
    Base::AddWrench(g);
    added_ = added_ + Yield(g);
  }

 private:
  // E γ.
  HWY_INLINE WrenchLanes Yield(const WrenchLanes& g) const {
    return {compliance_.normal * g.n,       compliance_.sliding * g.u,
            compliance_.sliding * g.w,      compliance_.spinning * g.spin,
            compliance_.rolling * g.roll_u, compliance_.rolling * g.roll_w};
  }

  PartLanes compliance_;
  WrenchLanes added_;  // E γ + b
};

using Central = Compliant<CentralPair>;
template <class Inertia>
using Any = Compliant<AnyPair<Inertia>>;

#else

constexpr bool kCompliant = false;
using Central = CentralPair;
template <class Inertia>
using Any = AnyPair<Inertia>;

#endif

}  // namespace TALUS_KERNELS::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
