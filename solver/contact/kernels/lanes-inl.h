// Vectors of lanes, and bodies brought from rows into lanes and back. Compiled once for each
// instruction set (block_kernels.cc); no guard, but Highway's toggle.
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

#include "solver/contact/contact_block.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kLanes>;
using V = hn::Vec<D>;
using Mask = hn::Mask<D>;
constexpr size_t kWidth = hn::MaxLanes(D());
constexpr size_t kVectors = kLanes / kWidth;

HWY_INLINE V Splat(double value) { return hn::Set(D(), value); }
HWY_INLINE V LoadLanes(const double* lanes) { return hn::Load(D(), lanes); }
HWY_INLINE void StoreLanes(V value, double* lanes) { hn::Store(value, D(), lanes); }

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
HWY_INLINE V3 LoadV3(const Lanes* rows, size_t lane) {
  return {LoadLanes(rows[0] + lane), LoadLanes(rows[1] + lane), LoadLanes(rows[2] + lane)};
}

// Four doubles of each of kWidth lines, as four vectors.
struct V4 {
  V v0, v1, v2, v3;
};

// Two doubles of every other line, from `from` on, side by side.
template <class DD>
HWY_INLINE hn::Vec<DD> LoadPairs(DD d, const double* from, const uint32_t* lines) {
  if constexpr (hn::MaxLanes(DD()) == 2) {
    return hn::Load(d, from + lines[0]);
  } else {
    const hn::Half<DD> dh;
    return hn::Combine(d, LoadPairs(dh, from, lines + hn::MaxLanes(DD()) / 2),
                       LoadPairs(dh, from, lines));
  }
}
HWY_INLINE V4 LoadLines(const double* from, const uint32_t* lines) {
  const D d;
  const V low_even = LoadPairs(d, from, lines);
  const V low_odd = LoadPairs(d, from, lines + 1);
  const V high_even = LoadPairs(d, from + 2, lines);
  const V high_odd = LoadPairs(d, from + 2, lines + 1);
  return {hn::InterleaveLower(d, low_even, low_odd), hn::InterleaveUpper(d, low_even, low_odd),
          hn::InterleaveLower(d, high_even, high_odd), hn::InterleaveUpper(d, high_even, high_odd)};
}

// Adds `value` to the DD-wide piece of memory at `to`, or takes it away.
struct Plus {
  template <class DD>
  static HWY_INLINE void Apply(DD d, hn::Vec<DD> value, double* to) {
    hn::Store(hn::Load(d, to) + value, d, to);
  }
};
struct Minus {
  template <class DD>
  static HWY_INLINE void Apply(DD d, hn::Vec<DD> value, double* to) {
    hn::Store(hn::Load(d, to) - value, d, to);
  }
};

// Adds (x, y, z, 0) of each lane to four doubles of its line, or takes it away.
template <class Sign, class DD>
HWY_INLINE void ChangeLines(DD d, hn::Vec<DD> x, hn::Vec<DD> y, hn::Vec<DD> z, double* to,
                            const uint32_t* lines) {
  const auto low_even = hn::InterleaveLower(d, x, y);
  const auto low_odd = hn::InterleaveUpper(d, x, y);
  const auto high_even = hn::InterleaveLower(d, z, hn::Zero(d));
  const auto high_odd = hn::InterleaveUpper(d, z, hn::Zero(d));
  if constexpr (hn::MaxLanes(DD()) == 4) {
    Sign::Apply(d, hn::ConcatLowerLower(d, high_even, low_even), to + lines[0]);
    Sign::Apply(d, hn::ConcatLowerLower(d, high_odd, low_odd), to + lines[1]);
    Sign::Apply(d, hn::ConcatUpperUpper(d, high_even, low_even), to + lines[2]);
    Sign::Apply(d, hn::ConcatUpperUpper(d, high_odd, low_odd), to + lines[3]);
  } else {
    Sign::Apply(d, low_even, to + lines[0]);
    Sign::Apply(d, high_even, to + lines[0] + 2);
    Sign::Apply(d, low_odd, to + lines[1]);
    Sign::Apply(d, high_odd, to + lines[1] + 2);
  }
}

template <class Sign>
HWY_INLINE void ChangeLines(const V3& v, double* to, const uint32_t* lines) {
  if constexpr (kWidth == 8) {
    const hn::Half<D> dh;
    ChangeLines<Sign>(dh, hn::LowerHalf(dh, v.x), hn::LowerHalf(dh, v.y), hn::LowerHalf(dh, v.z),
                      to, lines);
    ChangeLines<Sign>(dh, hn::UpperHalf(dh, v.x), hn::UpperHalf(dh, v.y), hn::UpperHalf(dh, v.z),
                      to, lines + 4);
  } else {
    ChangeLines<Sign>(D(), v.x, v.y, v.z, to, lines);
  }
}

}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
