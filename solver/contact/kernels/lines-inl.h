// Bodies brought from rows of memory into lanes and back. A body is a line of eight numbers: with
// floats it fills a vector of AVX2, with doubles a half is loaded at a time.
#if defined(TALUS_LINES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_LINES_INL_H
#undef TALUS_LINES_INL_H
#else
#define TALUS_LINES_INL_H
#endif

#include <type_traits>

#include "solver/contact/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace TALUS_KERNELS::HWY_NAMESPACE {

template <class DD>
constexpr bool kFloats = std::is_same_v<hn::TFromD<DD>, float>;
// Whether a vector holds a line.
template <class DD>
constexpr bool kHoldsLine = kFloats<DD>&& hn::MaxLanes(DD()) == kLineReals;

// Four numbers of each of kWidth lines, as four vectors.
struct V4 {
  V v0, v1, v2, v3;
};

// Doubles: two of every other line, from `from` on, side by side.
template <class DD>
HWY_INLINE hn::Vec<DD> LoadPairs(DD d, const Real* from, const uint32_t* lines) {
  if constexpr (hn::MaxLanes(DD()) == 2) {
    return hn::Load(d, from + lines[0]);
  } else {
    const hn::Half<DD> dh;
    return hn::Combine(d, LoadPairs(dh, from, lines + hn::MaxLanes(DD()) / 2),
                       LoadPairs(dh, from, lines));
  }
}

// Floats: four of every fourth line.
template <class DD>
HWY_INLINE hn::Vec<DD> LoadQuads(DD d, const Real* from, const uint32_t* lines) {
  if constexpr (hn::MaxLanes(DD()) == 4) {
    return hn::Load(d, from + lines[0]);
  } else {
    const hn::Half<DD> dh;
    return hn::Combine(d, LoadQuads(dh, from, lines + 4), LoadQuads(dh, from, lines));
  }
}

// Floats: rows become columns, four by four.
template <class DD>
HWY_INLINE V4 TransposeQuads(DD d, hn::Vec<DD> row_0, hn::Vec<DD> row_1, hn::Vec<DD> row_2,
                             hn::Vec<DD> row_3) {
  const hn::Repartition<double, DD> pairs;
  const auto low_01 = hn::BitCast(pairs, hn::InterleaveLower(d, row_0, row_1));
  const auto low_23 = hn::BitCast(pairs, hn::InterleaveLower(d, row_2, row_3));
  const auto high_01 = hn::BitCast(pairs, hn::InterleaveUpper(d, row_0, row_1));
  const auto high_23 = hn::BitCast(pairs, hn::InterleaveUpper(d, row_2, row_3));
  return {hn::BitCast(d, hn::InterleaveLower(pairs, low_01, low_23)),
          hn::BitCast(d, hn::InterleaveUpper(pairs, low_01, low_23)),
          hn::BitCast(d, hn::InterleaveLower(pairs, high_01, high_23)),
          hn::BitCast(d, hn::InterleaveUpper(pairs, high_01, high_23))};
}

template <class DD>
HWY_INLINE V4 LoadLines(DD d, const Real* from, const uint32_t* lines) {
  if constexpr (kFloats<DD>) {
    return TransposeQuads(d, LoadQuads(d, from, lines), LoadQuads(d, from, lines + 1),
                          LoadQuads(d, from, lines + 2), LoadQuads(d, from, lines + 3));
  } else {
    const V low_even = LoadPairs(d, from, lines);
    const V low_odd = LoadPairs(d, from, lines + 1);
    const V high_even = LoadPairs(d, from + 2, lines);
    const V high_odd = LoadPairs(d, from + 2, lines + 1);
    return {hn::InterleaveLower(d, low_even, low_odd), hn::InterleaveUpper(d, low_even, low_odd),
            hn::InterleaveLower(d, high_even, high_odd),
            hn::InterleaveUpper(d, high_even, high_odd)};
  }
}
HWY_INLINE V4 LoadLines(const Real* from, const uint32_t* lines) {
  return LoadLines(D(), from, lines);
}

// Both halves of each line.
template <class DD>
HWY_INLINE void LoadWholeLines(DD d, const Real* from, const uint32_t* lines, V4& first,
                               V4& second) {
  if constexpr (kHoldsLine<DD>) {
    const auto row = [&](size_t k) { return hn::Load(d, from + lines[k]); };
    const V4 a = TransposeQuads(d, row(0), row(1), row(2), row(3));
    const V4 b = TransposeQuads(d, row(4), row(5), row(6), row(7));
    first = {hn::ConcatLowerLower(d, b.v0, a.v0), hn::ConcatLowerLower(d, b.v1, a.v1),
             hn::ConcatLowerLower(d, b.v2, a.v2), hn::ConcatLowerLower(d, b.v3, a.v3)};
    second = {hn::ConcatUpperUpper(d, b.v0, a.v0), hn::ConcatUpperUpper(d, b.v1, a.v1),
              hn::ConcatUpperUpper(d, b.v2, a.v2), hn::ConcatUpperUpper(d, b.v3, a.v3)};
  } else {
    first = LoadLines(from, lines);
    second = LoadLines(from + 4, lines);
  }
}

// Adds `value` to the DD-wide piece of memory at `to`, or takes it away.
struct Plus {
  template <class DD>
  static HWY_INLINE void Apply(DD d, hn::Vec<DD> value, Real* to) {
    hn::Store(hn::Load(d, to) + value, d, to);
  }
};
struct Minus {
  template <class DD>
  static HWY_INLINE void Apply(DD d, hn::Vec<DD> value, Real* to) {
    hn::Store(hn::Load(d, to) - value, d, to);
  }
};

// Adds (x, y, z, 0) of each lane to four numbers of its line, or takes it away.
template <class Sign, class DD>
HWY_INLINE void ChangeLines(DD d, hn::Vec<DD> x, hn::Vec<DD> y, hn::Vec<DD> z, Real* to,
                            const uint32_t* lines) {
  if constexpr (kFloats<DD>) {  // of four lanes: more hold whole lines
    const V4 rows = TransposeQuads(d, x, y, z, hn::Zero(d));
    Sign::Apply(d, rows.v0, to + lines[0]);
    Sign::Apply(d, rows.v1, to + lines[1]);
    Sign::Apply(d, rows.v2, to + lines[2]);
    Sign::Apply(d, rows.v3, to + lines[3]);
  } else if constexpr (hn::MaxLanes(DD()) == 8) {
    const hn::Half<DD> dh;
    ChangeLines<Sign>(dh, hn::LowerHalf(dh, x), hn::LowerHalf(dh, y), hn::LowerHalf(dh, z), to,
                      lines);
    ChangeLines<Sign>(dh, hn::UpperHalf(dh, x), hn::UpperHalf(dh, y), hn::UpperHalf(dh, z), to,
                      lines + 4);
  } else {
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
}

// The same with (first, 0, second, 0) and whole lines.
template <class Sign, class DD>
HWY_INLINE void ChangeWholeLines(DD d, const V3& first, const V3& second, Real* to,
                                 const uint32_t* lines) {
  if constexpr (kHoldsLine<DD>) {
    const V4 a = TransposeQuads(d, first.x, first.y, first.z, hn::Zero(d));
    const V4 b = TransposeQuads(d, second.x, second.y, second.z, hn::Zero(d));
    Sign::Apply(d, hn::ConcatLowerLower(d, b.v0, a.v0), to + lines[0]);
    Sign::Apply(d, hn::ConcatLowerLower(d, b.v1, a.v1), to + lines[1]);
    Sign::Apply(d, hn::ConcatLowerLower(d, b.v2, a.v2), to + lines[2]);
    Sign::Apply(d, hn::ConcatLowerLower(d, b.v3, a.v3), to + lines[3]);
    Sign::Apply(d, hn::ConcatUpperUpper(d, b.v0, a.v0), to + lines[4]);
    Sign::Apply(d, hn::ConcatUpperUpper(d, b.v1, a.v1), to + lines[5]);
    Sign::Apply(d, hn::ConcatUpperUpper(d, b.v2, a.v2), to + lines[6]);
    Sign::Apply(d, hn::ConcatUpperUpper(d, b.v3, a.v3), to + lines[7]);
  } else {
    ChangeLines<Sign>(d, first.x, first.y, first.z, to, lines);
    ChangeLines<Sign>(d, second.x, second.y, second.z, to + 4, lines);
  }
}

}  // namespace TALUS_KERNELS::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
