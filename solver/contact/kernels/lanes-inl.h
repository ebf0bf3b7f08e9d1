// Vectors of lanes. Compiled once for each instruction set and precision (block_kernels.cc,
// single_kernels.cc); no guard, but Highway's toggle.
//
// The bits must not depend on the instruction set: every product that is added to something is a
// fused multiply-add, by hardware or, where there is none, by the C library, and lanes are never
// summed in an order of the vector's width.
#if defined(TALUS_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_LANES_INL_H
#undef TALUS_LANES_INL_H
#else
#define TALUS_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <cmath>
#include <type_traits>

#include "solver/contact/contact_block.h"

// What the kernels compute in, what blocks hold, and the namespace that the kernels stand in.
#ifndef TALUS_REAL
#define TALUS_REAL double
#define TALUS_STORED double
#define TALUS_KERNELS talus
#endif

HWY_BEFORE_NAMESPACE();
namespace TALUS_KERNELS::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Real = TALUS_REAL;
using Stored = TALUS_STORED;
using Lanes = LanesOf<Real>;
using ContactBlock = ContactBlockOf<Stored>;
using WideBlock = WideBlockOf<Stored>;
using PartBlock = PartBlockOf<Real>;
using WrenchBlock = WrenchBlockOf<Real>;
using BodyMotion = BodyMotionOf<Real>;
using InertiaLine = InertiaLineOf<Real>;

using D = hn::CappedTag<Real, kLanes>;
using V = hn::Vec<D>;
using Mask = hn::Mask<D>;
constexpr size_t kWidth = hn::MaxLanes(D());
constexpr size_t kVectors = kLanes / kWidth;

HWY_INLINE V Splat(Real value) { return hn::Set(D(), value); }
// Lanes of what is computed, or of what blocks hold.
template <typename T>
HWY_INLINE V LoadLanes(const T* lanes) {
  if constexpr (std::is_same_v<T, Real>) {
    return hn::Load(D(), lanes);
  } else {
    return hn::PromoteTo(D(), hn::Load(hn::Rebind<T, D>(), lanes));
  }
}
HWY_INLINE void StoreLanes(V value, Real* lanes) { hn::Store(value, D(), lanes); }
// Positive numbers to where blocks hold them.
template <typename T>
HWY_INLINE void StorePositive(V value, T* lanes) {
  if constexpr (std::is_same_v<T, Real>) {
    hn::Store(value, D(), lanes);
  } else {
    const hn::Rebind<T, D> stored;
    hn::Store(hn::DemoteTo(stored, hn::Min(value, Splat(kLargestStored))), stored, lanes);
  }
}

#if HWY_NATIVE_FMA
HWY_INLINE V Fma(V a, V b, V c) { return hn::MulAdd(a, b, c); }
HWY_INLINE V Fms(V a, V b, V c) { return hn::MulSub(a, b, c); }
HWY_INLINE V Fnma(V a, V b, V c) { return hn::NegMulAdd(a, b, c); }
#else
HWY_INLINE V Fma(V a, V b, V c) {
  HWY_ALIGN Lanes x, y, z;
  StoreLanes(a, x), StoreLanes(b, y), StoreLanes(c, z);
  for (size_t i = 0; i < kWidth; ++i) z[i] = std::fma(x[i], y[i], z[i]);
  return LoadLanes(z);
}
HWY_INLINE V Fms(V a, V b, V c) { return Fma(a, b, hn::Neg(c)); }
HWY_INLINE V Fnma(V a, V b, V c) { return Fma(hn::Neg(a), b, c); }
#endif

// The same pointer, of which the compiler knows nothing: what is read through it is read again
// rather than kept in, and spilled from, the few registers there are.
template <class T>
HWY_INLINE const T* Reread(const T* pointer) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+r"(pointer));
#endif
  return pointer;
}

struct V3 {
  V x, y, z;
};

HWY_INLINE V3 operator+(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
HWY_INLINE V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HWY_INLINE V3 operator*(V s, const V3& a) { return {s * a.x, s * a.y, s * a.z}; }
// s a + b, b - s a, s a - b.
HWY_INLINE V3 Fma(V s, const V3& a, const V3& b) {
  return {Fma(s, a.x, b.x), Fma(s, a.y, b.y), Fma(s, a.z, b.z)};
}
HWY_INLINE V3 Fnma(V s, const V3& a, const V3& b) {
  return {Fnma(s, a.x, b.x), Fnma(s, a.y, b.y), Fnma(s, a.z, b.z)};
}
HWY_INLINE V3 Fms(V s, const V3& a, const V3& b) {
  return {Fms(s, a.x, b.x), Fms(s, a.y, b.y), Fms(s, a.z, b.z)};
}
HWY_INLINE V Dot(const V3& a, const V3& b) { return Fma(a.x, b.x, Fma(a.y, b.y, a.z * b.z)); }
HWY_INLINE V3 Cross(const V3& a, const V3& b) {
  return {Fms(a.y, b.z, a.z * b.y), Fms(a.z, b.x, a.x * b.z), Fms(a.x, b.y, a.y * b.x)};
}
template <typename T>
HWY_INLINE V3 LoadV3(const T (*rows)[kLanes], size_t lane) {
  return {LoadLanes(rows[0] + lane), LoadLanes(rows[1] + lane), LoadLanes(rows[2] + lane)};
}

}  // namespace TALUS_KERNELS::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
