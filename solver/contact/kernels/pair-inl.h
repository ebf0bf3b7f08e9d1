// The two bodies of each lane's contact: their velocity at the contact point, and what impulses do
// to it. Sign: impulses act on body B and their opposites on body A; velocities are B's relative
// to A's.
#if defined(TALUS_PAIR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_PAIR_INL_H
#undef TALUS_PAIR_INL_H
#else
#define TALUS_PAIR_INL_H
#endif

#include "solver/contact/kernels/block_kernels.h"
#include "solver/contact/kernels/lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace TALUS_KERNELS::HWY_NAMESPACE {

// One block with all that belongs to it.
struct BlockView {
  const ContactBlock& block;
  const WideBlock* wide;  // of this block, unless it is central
  const InertiaLine* inertia;
  const ComplianceBlock* compliance;  // of this block, in compliant_kernels.cc
};

using BlockSpan = BlockSpanOf<Real, Stored>;

HWY_INLINE BlockView ViewBlock(const BlockSpan& problem, const BlockChunk& chunk, uint32_t index) {
  return {problem.blocks[index], FindWide(problem.wide, chunk, index), problem.inertia,
          problem.compliance == nullptr ? nullptr : problem.compliance + index};
}

// One value for each part of the rows: normal, sliding, spinning, rolling.
struct PartLanes {
  V normal, sliding, spinning, rolling;
};

template <typename T>
HWY_INLINE PartLanes LoadParts(const PartBlockOf<T>& block, size_t lane) {
  return {LoadLanes(block.part[kNormal] + lane), LoadLanes(block.part[kSliding] + lane),
          LoadLanes(block.part[kSpinning] + lane), LoadLanes(block.part[kRolling] + lane)};
}

// A wrench in the contact frame, in the order of Wrench: along n, u, w, then about n, u, w.
struct WrenchLanes {
  V n, u, w, spin, roll_u, roll_w;

  WrenchLanes() = default;
  HWY_INLINE WrenchLanes(V along_n, V along_u, V along_w, V about_n, V about_u, V about_w)
      : n(along_n), u(along_u), w(along_w), spin(about_n), roll_u(about_u), roll_w(about_w) {}
};

HWY_INLINE WrenchLanes LoadWrench(const WrenchBlock& block, size_t lane) {
  return {LoadLanes(block.row[0] + lane), LoadLanes(block.row[1] + lane),
          LoadLanes(block.row[2] + lane), LoadLanes(block.row[3] + lane),
          LoadLanes(block.row[4] + lane), LoadLanes(block.row[5] + lane)};
}
HWY_INLINE void StoreWrench(const WrenchLanes& wrench, WrenchBlock& block, size_t lane) {
  StoreLanes(wrench.n, block.row[0] + lane);
  StoreLanes(wrench.u, block.row[1] + lane);
  StoreLanes(wrench.w, block.row[2] + lane);
  StoreLanes(wrench.spin, block.row[3] + lane);
  StoreLanes(wrench.roll_u, block.row[4] + lane);
  StoreLanes(wrench.roll_w, block.row[5] + lane);
}
HWY_INLINE WrenchLanes operator-(const WrenchLanes& a, const WrenchLanes& b) {
  return {a.n - b.n,       a.u - b.u,           a.w - b.w,
          a.spin - b.spin, a.roll_u - b.roll_u, a.roll_w - b.roll_w};
}

struct FrameLanes {
  V3 n, u, w;

  HWY_INLINE V3 World(V along_n, V along_u, V along_w) const {
    return Fma(along_w, w, Fma(along_u, u, along_n * n));
  }
};

HWY_INLINE FrameLanes LoadFrame(const ContactBlock& block, size_t lane) {
  const V3 n = LoadV3(block.normal, lane);
  const V3 u = LoadV3(block.tangent, lane);
  return {n, u, Cross(n, u)};
}

// Inverse inertias: a multiple of the identity, or any tensor.
struct RoundInertia {
  V value;
  HWY_INLINE V3 Times(const V3& t) const { return value * t; }
  HWY_INLINE void Load(V round, const InertiaLine*, const uint32_t*) { value = round; }
};
struct FullInertia {
  V xx, yy, zz, xy, xz, yz;
  HWY_INLINE V3 Times(const V3& t) const {
    return {Fma(xx, t.x, Fma(xy, t.y, xz * t.z)), Fma(xy, t.x, Fma(yy, t.y, yz * t.z)),
            Fma(xz, t.x, Fma(yz, t.y, zz * t.z))};
  }
  HWY_INLINE void Load(V, const InertiaLine* inertia, const uint32_t* lines) {
    const V4 first = LoadLines(inertia->line(), lines);
    const V4 second = LoadLines(inertia->line() + 4, lines);
    xx = first.v0, yy = first.v1, zz = first.v2, xy = first.v3;
    xz = second.v0, yz = second.v1;
  }
};

// One body's motion, in lanes.
struct MotionLanes {
  V3 linear, angular;
  V inverse_mass, inverse_inertia;

  HWY_INLINE void Load(const BodyMotion* motions, const uint32_t* lines) {
    V4 first, second;
    LoadWholeLines(D(), motions->line(), lines, first, second);
    linear = {first.v0, first.v1, first.v2};
    inverse_mass = first.v3;
    angular = {second.v0, second.v1, second.v2};
    inverse_inertia = second.v3;
  }
};

template <class Sign>
HWY_INLINE void ChangeMotions(const V3& linear, const V3& angular, BodyMotion* motions,
                              const uint32_t* lines) {
  ChangeWholeLines<Sign>(D(), linear, angular, motions->line(), lines);
}

// Any contact. Velocities are kept in world axes and brought into the frame when asked for.
template <class Inertia>
class AnyPair {
 public:
  static constexpr bool kCentral = false;

  HWY_INLINE void Load(const BlockView& view, const BodyMotion* motions, size_t lane) {
    const ContactBlock& block = view.block;
    a_.Load(motions, block.line_a + lane);
    b_.Load(motions, block.line_b + lane);
    inertia_a_.Load(a_.inverse_inertia, view.inertia, block.line_a + lane);
    inertia_b_.Load(b_.inverse_inertia, view.inertia, block.line_b + lane);
    arm_a_ = LoadV3(view.wide->arm_a, lane);
    arm_b_ = LoadV3(view.wide->arm_b, lane);
    frame_ = LoadFrame(block, lane);
    bias_ = LoadLanes(block.bias + lane);
    linear_ = (b_.linear + Cross(b_.angular, arm_b_)) - (a_.linear + Cross(a_.angular, arm_a_));
    angular_ = b_.angular - a_.angular;
    inverse_mass_ = a_.inverse_mass + b_.inverse_mass;
  }

  HWY_INLINE PartLanes Weight(const BlockView& view, size_t lane) const {
    return LoadParts(view.wide->weight, lane);
  }
  HWY_INLINE PartLanes Step(const BlockView& view, size_t lane) const {
    return {LoadLanes(view.block.step[0] + lane), LoadLanes(view.block.step[1] + lane),
            LoadLanes(view.wide->spinning_step + lane), LoadLanes(view.block.step[2] + lane)};
  }
  HWY_INLINE V WorstStep(const BlockView& view, size_t lane) const {
    return LoadLanes(view.wide->worst_step + lane);
  }

  // Tells what the contact carries: nothing to one that is rigid.
  HWY_INLINE void Bear(const WrenchLanes&) {}
  // As if the bodies stood still and touched.
  HWY_INLINE void Stop() {
    const V zero = Splat(0.0);
    linear_ = angular_ = {zero, zero, zero};
    bias_ = zero;
  }
  HWY_INLINE void WidenGap(V extra, const ContactBlock&, size_t) {
    bias_ = Fma(extra, hn::Max(bias_, Splat(0.0)), bias_);
  }

  // u = D_iᵀ v + b, by rows.
  HWY_INLINE V NormalVelocity() const { return Dot(frame_.n, linear_) + bias_; }
  HWY_INLINE V SlidingU() const { return Dot(frame_.u, linear_); }
  HWY_INLINE V SlidingW() const { return Dot(frame_.w, linear_); }
  HWY_INLINE V Spinning() const { return Dot(frame_.n, angular_); }
  HWY_INLINE V RollingU() const { return Dot(frame_.u, angular_); }
  HWY_INLINE V RollingW() const { return Dot(frame_.w, angular_); }
  HWY_INLINE WrenchLanes Velocity() const {
    return {NormalVelocity(), SlidingU(), SlidingW(), Spinning(), RollingU(), RollingW()};
  }

  // Impulses along and about the axes of the frame.
  HWY_INLINE void AddNormal(V n) { AddForce(n * frame_.n); }
  HWY_INLINE void AddSliding(V u, V w) { AddForce(Fma(w, frame_.w, u * frame_.u)); }
  HWY_INLINE void AddRolling(V u, V w) { AddTorque(Fma(w, frame_.w, u * frame_.u)); }
  HWY_INLINE void AddSpinning(V n) { AddTorque(n * frame_.n); }
  HWY_INLINE void AddWrench(const WrenchLanes& g) {
    const V3 impulse = frame_.World(g.n, g.u, g.w);
    const V3 torque = frame_.World(g.spin, g.roll_u, g.roll_w);
    linear_ = Fma(inverse_mass_, impulse, linear_);
    Turn(Cross(arm_a_, impulse) + torque, Cross(arm_b_, impulse) + torque);
  }

  // Adds to the bodies' motions what the impulse g changes.
  HWY_INLINE void Apply(const WrenchLanes& g, const ContactBlock& block, const BlockKind& kind,
                        size_t lane, BodyMotion* motions) const {
    const V3 impulse = frame_.World(g.n, g.u, g.w);
    const V3 torque = frame_.World(g.spin, g.roll_u, g.roll_w);
    if (kind.dynamic_a) {
      const V3 turn = inertia_a_.Times(Cross(arm_a_, impulse) + torque);
      ChangeMotions<Minus>(a_.inverse_mass * impulse, turn, motions, block.line_a + lane);
    }
    if (kind.dynamic_b) {
      const V3 turn = inertia_b_.Times(Cross(arm_b_, impulse) + torque);
      ChangeMotions<Plus>(b_.inverse_mass * impulse, turn, motions, block.line_b + lane);
    }
  }

 private:
  HWY_INLINE void Turn(const V3& moment_a, const V3& moment_b) {
    const V3 change_a = inertia_a_.Times(moment_a);
    const V3 change_b = inertia_b_.Times(moment_b);
    angular_ = angular_ + (change_a + change_b);
    linear_ = linear_ + (Cross(change_a, arm_a_) + Cross(change_b, arm_b_));
  }
  HWY_INLINE void AddForce(const V3& impulse) {
    linear_ = Fma(inverse_mass_, impulse, linear_);
    Turn(Cross(arm_a_, impulse), Cross(arm_b_, impulse));
  }
  HWY_INLINE void AddTorque(const V3& torque) { Turn(torque, torque); }

  MotionLanes a_, b_;
  Inertia inertia_a_, inertia_b_;
  V3 arm_a_, arm_b_;
  FrameLanes frame_;
  V bias_, inverse_mass_;
  V3 linear_, angular_;  // of B relative to A at the contact point
};

// A contact of a central block. With arms c_a n and c_b n and inverse inertias j_a and j_b the
// local block is, beside its diagonal W_n, W_t, W_r (twice) and W_r,
//
//   W(u, about w) = k,  W(w, about u) = −k,  k = j_a c_a + j_b c_b,
//
// so that everything but the beginning and the end happens in the frame.
class CentralPair {
 public:
  static constexpr bool kCentral = true;

  // u_n alone: rotations do not move the point along n.
  static HWY_INLINE V NormalVelocityOf(const ContactBlock& block, const BodyMotion* motions,
                                       size_t lane) {
    const V4 a = LoadLines(motions->line(), block.line_a + lane);
    const V4 b = LoadLines(motions->line(), block.line_b + lane);
    const V3 linear = {b.v0 - a.v0, b.v1 - a.v1, b.v2 - a.v2};
    return Dot(LoadV3(block.normal, lane), linear) + LoadLanes(block.bias + lane);
  }

  HWY_INLINE void Load(const BlockView& view, const BodyMotion* motions, size_t lane) {
    const ContactBlock& block = view.block;
    MotionLanes a, b;
    a.Load(motions, block.line_a + lane);
    b.Load(motions, block.line_b + lane);
    const V reach_a = LoadLanes(block.reach_a + lane);
    const V reach_b = LoadLanes(block.reach_b + lane);
    const V3 linear = b.linear - a.linear;
    const V3 angular = b.angular - a.angular;
    // (c ω) × n has no part along n, q·w along u and −q·u along w.
    const V3 q = Fnma(reach_a, a.angular, reach_b * b.angular);
    inverse_mass_a_ = a.inverse_mass;
    inverse_mass_b_ = b.inverse_mass;
    inverse_inertia_a_ = a.inverse_inertia;
    inverse_inertia_b_ = b.inverse_inertia;
    const V lever_a = a.inverse_inertia * reach_a;
    const V lever_b = b.inverse_inertia * reach_b;
    coupling_ = lever_a + lever_b;
    normal_mass_ = a.inverse_mass + b.inverse_mass;
    turn_mass_ = a.inverse_inertia + b.inverse_inertia;
    sliding_mass_ = Fma(lever_a, reach_a, Fma(lever_b, reach_b, normal_mass_));
    const FrameLanes f = LoadFrame(block, lane);
    velocity_ = {Dot(f.n, linear) + LoadLanes(block.bias + lane),
                 Dot(f.u, linear) + Dot(f.w, q),
                 Dot(f.w, linear) - Dot(f.u, q),
                 Dot(f.n, angular),
                 Dot(f.u, angular),
                 Dot(f.w, angular)};
  }

  // The local block's diagonal.
  HWY_INLINE PartLanes Weight(const BlockView&, size_t) const {
    return {normal_mass_, sliding_mass_, turn_mass_, turn_mass_};
  }
  HWY_INLINE PartLanes Step(const BlockView& view, size_t lane) const {
    const V turning = LoadLanes(view.block.step[2] + lane);
    return {LoadLanes(view.block.step[0] + lane), LoadLanes(view.block.step[1] + lane), turning,
            turning};
  }
  // The inverse of the largest row sum, torque rows counted by the length ℓ.
  HWY_INLINE V WorstStep(const BlockView&, size_t) const {
    const V length = hn::Sqrt(normal_mass_ / turn_mass_);
    const V coupled = hn::Abs(coupling_) * length;
    const V turning = length * turn_mass_ * length + coupled;
    return Splat(1.0) / hn::Max(hn::Max(normal_mass_, sliding_mass_ + coupled), turning);
  }

  HWY_INLINE void Bear(const WrenchLanes&) {}
  HWY_INLINE void Stop() {
    const V zero = Splat(0.0);
    velocity_ = {zero, zero, zero, zero, zero, zero};
  }
  HWY_INLINE void WidenGap(V extra, const ContactBlock& block, size_t lane) {
    const V bias = LoadLanes(block.bias + lane);
    velocity_.n = Fma(extra, hn::Max(bias, Splat(0.0)), velocity_.n);
  }

  HWY_INLINE V NormalVelocity() const { return velocity_.n; }
  HWY_INLINE V SlidingU() const { return velocity_.u; }
  HWY_INLINE V SlidingW() const { return velocity_.w; }
  HWY_INLINE V Spinning() const { return velocity_.spin; }
  HWY_INLINE V RollingU() const { return velocity_.roll_u; }
  HWY_INLINE V RollingW() const { return velocity_.roll_w; }
  HWY_INLINE WrenchLanes Velocity() const { return velocity_; }

  HWY_INLINE void AddNormal(V n) { velocity_.n = Fma(normal_mass_, n, velocity_.n); }
  HWY_INLINE void AddSliding(V u, V w) {
    velocity_.u = Fma(sliding_mass_, u, velocity_.u);
    velocity_.w = Fma(sliding_mass_, w, velocity_.w);
    velocity_.roll_u = Fnma(coupling_, w, velocity_.roll_u);
    velocity_.roll_w = Fma(coupling_, u, velocity_.roll_w);
  }
  HWY_INLINE void AddRolling(V u, V w) {
    velocity_.roll_u = Fma(turn_mass_, u, velocity_.roll_u);
    velocity_.roll_w = Fma(turn_mass_, w, velocity_.roll_w);
    velocity_.u = Fma(coupling_, w, velocity_.u);
    velocity_.w = Fnma(coupling_, u, velocity_.w);
  }
  HWY_INLINE void AddSpinning(V n) { velocity_.spin = Fma(turn_mass_, n, velocity_.spin); }
  HWY_INLINE void AddWrench(const WrenchLanes& g) {
    AddNormal(g.n);
    AddSliding(g.u, g.w);
    AddRolling(g.roll_u, g.roll_w);
    AddSpinning(g.spin);
  }

  // Adds to the bodies' motions what the impulse g changes: m force and j (c n × force + torque);
  // n × u = w and n × w = −u.
  HWY_INLINE void Apply(const WrenchLanes& g, const ContactBlock& block, const BlockKind& kind,
                        size_t lane, BodyMotion* motions) const {
    const ContactBlock& again = *Reread(&block);
    const FrameLanes frame = LoadFrame(again, lane);
    const V3 impulse = frame.World(g.n, g.u, g.w);
    const V3 torque = frame.World(g.spin, g.roll_u, g.roll_w);
    const V3 moment = Fms(g.u, frame.w, g.w * frame.u);  // of the impulse, on an arm n
    if (kind.dynamic_a) {
      const V lever = inverse_inertia_a_ * LoadLanes(again.reach_a + lane);
      ChangeMotions<Minus>(inverse_mass_a_ * impulse,
                           Fma(lever, moment, inverse_inertia_a_ * torque), motions,
                           block.line_a + lane);
    }
    if (kind.dynamic_b) {
      const V lever = inverse_inertia_b_ * LoadLanes(again.reach_b + lane);
      ChangeMotions<Plus>(inverse_mass_b_ * impulse,
                          Fma(lever, moment, inverse_inertia_b_ * torque), motions,
                          block.line_b + lane);
    }
  }

 private:
  V inverse_mass_a_, inverse_mass_b_, inverse_inertia_a_, inverse_inertia_b_;
  WrenchLanes velocity_;                                 // in the frame, with the gap row
  V normal_mass_, sliding_mass_, turn_mass_, coupling_;  // inverse
};

}  // namespace TALUS_KERNELS::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
