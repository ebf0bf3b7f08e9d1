#include "solver/matrix_solvers/kernels/block_products.h"

// Once for each instruction set: this file.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solver/matrix_solvers/kernels/block_products.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace talus::matrix::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kRows = 6;
constexpr size_t kNumbers = kRows * kRows;

// A column is one vector of four and one of two, or three of two where vectors are shorter.
using Head = hn::CappedTag<double, 4>;
using Tail = hn::CappedTag<double, 2>;
constexpr size_t kHeadRows = 4;
constexpr size_t kHeadWidth = hn::MaxLanes(Head());
constexpr size_t kHeads = kHeadRows / kHeadWidth;
static_assert(kHeadRows + hn::MaxLanes(Tail()) == kRows);

template <class D>
HWY_INLINE hn::Vec<D> Fma(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> c) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::MulAdd(a, b, c);
#else
  HWY_ALIGN double x[hn::MaxLanes(D())], y[hn::MaxLanes(D())], z[hn::MaxLanes(D())];
  hn::Store(a, d, x), hn::Store(b, d, y), hn::Store(c, d, z);
  for (size_t i = 0; i < hn::MaxLanes(D()); ++i) z[i] = std::fma(x[i], y[i], z[i]);
  return hn::Load(d, z);
#endif
}

template <class D>
HWY_INLINE void Subtract(D d, hn::Vec<D> sum, double* numbers) {
  hn::StoreU(hn::Sub(hn::LoadU(d, numbers), sum), d, numbers);
}

// block − x yᵀ. All of the sum is in registers at once, where there are sixteen of four numbers, so
// that each number of x and y is read once and no addition waits for the one before.
HWY_INLINE void SubtractProduct(const double* HWY_RESTRICT x, const double* HWY_RESTRICT y,
                                double* HWY_RESTRICT block) {
  const Head head;
  const Tail tail;
  hn::Vec<Head> heads[kHeads][kRows];
  hn::Vec<Tail> tails[kRows];
#pragma GCC unroll 6
  for (size_t k = 0; k < kRows; ++k) {
#pragma GCC unroll 6
    for (size_t column = 0; column < kRows; ++column) {
      const double factor = y[kRows * k + column];
#pragma GCC unroll 2
      for (size_t i = 0; i < kHeads; ++i) {
        const auto rows = hn::LoadU(head, x + kRows * k + kHeadWidth * i);
        heads[i][column] = k == 0 ? hn::Mul(rows, hn::Set(head, factor))
                                  : Fma(head, rows, hn::Set(head, factor), heads[i][column]);
      }
      const auto rows = hn::LoadU(tail, x + kRows * k + kHeadRows);
      tails[column] = k == 0 ? hn::Mul(rows, hn::Set(tail, factor))
                             : Fma(tail, rows, hn::Set(tail, factor), tails[column]);
    }
  }
#pragma GCC unroll 6
  for (size_t column = 0; column < kRows; ++column) {
#pragma GCC unroll 2
    for (size_t i = 0; i < kHeads; ++i) {
      Subtract(head, heads[i][column], block + kRows * column + kHeadWidth * i);
    }
    Subtract(tail, tails[column], block + kRows * column + kHeadRows);
  }
}

void SubtractProducts(const PivotStep& step) {
  const size_t* place = step.places;
  for (size_t p = 0; p < step.later.size(); ++p) {
    const double* const lower = step.lower + kNumbers * p;
    const double* const upper = step.upper + kNumbers * p;
    SubtractProduct(lower, upper, step.diagonal + kNumbers * static_cast<size_t>(step.later[p]));
    for (size_t q = p + 1; q < step.later.size(); ++q, ++place) {
      SubtractProduct(step.lower + kNumbers * q, upper, step.below + kNumbers * *place);
      SubtractProduct(step.upper + kNumbers * q, lower, step.right + kNumbers * *place);
    }
  }
}

}  // namespace talus::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus::matrix {

HWY_EXPORT(SubtractProducts);

void SubtractProducts(const PivotStep& step) { HWY_DYNAMIC_DISPATCH(SubtractProducts)(step); }

}  // namespace talus::matrix
#endif
