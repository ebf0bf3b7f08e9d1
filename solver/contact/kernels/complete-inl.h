// What blocks know of their local block W = D_iᵀ M⁻¹ D_i: weights of the metric, steps of the
// sweeps, bounds. W itself is made here and not kept.
#if defined(TALUS_COMPLETE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_COMPLETE_INL_H
#undef TALUS_COMPLETE_INL_H
#else
#define TALUS_COMPLETE_INL_H
#endif

#include "solver/contact/kernels/measure-inl.h"

HWY_BEFORE_NAMESPACE();
namespace TALUS_KERNELS::HWY_NAMESPACE {

// A symmetric 6 x 6 matrix in each lane.
struct MatrixLanes {
  V at[6][6];
};

// W: the response, in the contact frame, to a unit impulse along each axis.
template <class Pair>
MatrixLanes FindLocalBlock(const BlockView& view, const BodyMotion* motions, size_t lane) {
  const V zero = Splat(0.0);
  const V one = Splat(1.0);
  MatrixLanes w;
  for (size_t k = 0; k < 6; ++k) {
    Pair pair;
    pair.Load(view, motions, lane);
    pair.Stop();
    pair.AddWrench({k == 0 ? one : zero, k == 1 ? one : zero, k == 2 ? one : zero,
                    k == 3 ? one : zero, k == 4 ? one : zero, k == 5 ? one : zero});
    const WrenchLanes response = pair.Velocity();
    w.at[0][k] = response.n;
    w.at[1][k] = response.u;
    w.at[2][k] = response.w;
    w.at[3][k] = response.spin;
    w.at[4][k] = response.roll_u;
    w.at[5][k] = response.roll_w;
  }
  return w;
}

// S W S with S = diag(scale).
MatrixLanes Scaled(const MatrixLanes& w, const V (&scale)[6]) {
  MatrixLanes scaled;
  for (size_t i = 0; i < 6; ++i) {
    for (size_t j = 0; j < 6; ++j) scaled.at[i][j] = scale[i] * w.at[i][j] * scale[j];
  }
  return scaled;
}

// An upper bound of the largest eigenvalue: the largest sum of magnitudes of a row.
V LargestRowSum(const MatrixLanes& w) {
  V largest = Splat(0.0);
  for (const auto& row : w.at) {
    V sum = Splat(0.0);
    for (const V value : row) sum = sum + hn::Abs(value);
    largest = hn::Max(largest, sum);
  }
  return largest;
}

MatrixLanes Square(const MatrixLanes& w) {
  MatrixLanes square;
  for (size_t i = 0; i < 6; ++i) {
    for (size_t j = i; j < 6; ++j) {
      V sum = w.at[i][0] * w.at[0][j];
      for (size_t k = 1; k < 6; ++k) sum = Fma(w.at[i][k], w.at[k][j], sum);
      square.at[i][j] = square.at[j][i] = sum;
    }
  }
  return square;
}

// The smaller of the largest row sum and ‖B³²‖_F^(1/32), which is at most 6 % high.
V BoundLargestEigenvalue(const MatrixLanes& w) {
  MatrixLanes power = w;
  for (int squaring = 0; squaring < 5; ++squaring) power = Square(power);
  V bound = Splat(0.0);
  for (const auto& row : power.at) {
    for (const V value : row) bound = Fma(value, value, bound);
  }
  for (int root = 0; root < 6; ++root) bound = hn::Sqrt(bound);
  return hn::Min(LargestRowSum(w), bound);
}

// λ_max of the symmetric 2 x 2 block that starts at row k.
V LargestEigenvalue2(const MatrixLanes& w, size_t k) {
  const V half = Splat(0.5);
  const V mean = half * (w.at[k][k] + w.at[k + 1][k + 1]);
  const V difference = half * (w.at[k][k] - w.at[k + 1][k + 1]);
  return mean + Length(difference, w.at[k][k + 1]);
}

// `wide` is not null unless the pair is central. Of a compliant pair W counts with E.
template <class Pair>
void CompleteVector(const BlockView& view, const BodyMotion* motions, bool projected, size_t lane,
                    ContactBlock& block, WideBlock* wide, ComplianceBlock* compliance) {
  constexpr bool kCentral = Pair::kCentral;
  const V one = Splat(1.0);
  const V half = Splat(0.5);
  const MatrixLanes w = FindLocalBlock<Pair>(view, motions, lane);
  const V weight[kPartCount] = {w.at[0][0], half * (w.at[1][1] + w.at[2][2]), w.at[3][3],
                                half * (w.at[4][4] + w.at[5][5])};
  V metric[6];
  for (size_t i = 0; i < 6; ++i) metric[i] = one / hn::Sqrt(weight[kPartOfRow[i]]);
  V step[kPartCount] = {one / w.at[0][0], one / LargestEigenvalue2(w, 1), one / w.at[3][3],
                        one / LargestEigenvalue2(w, 4)};
  if (projected) {
    const MatrixLanes scaled = Scaled(w, metric);
    // Exact for a central contact: its block falls in pairs of rows with equal diagonals.
    const V bound = kCentral ? LargestRowSum(scaled) : BoundLargestEigenvalue(scaled);
    for (size_t part = 0; part < kPartCount; ++part) step[part] = one / (bound * weight[part]);
  }
  StorePositive(step[kNormal], block.step[0] + lane);
  StorePositive(step[kSliding], block.step[1] + lane);
  StorePositive(step[kRolling], block.step[2] + lane);
  const auto worst_step = [&] {
    const V length = hn::Sqrt(weight[kNormal] / weight[kRolling]);
    const V units[6] = {one, one, one, length, length, length};
    return one / LargestRowSum(Scaled(w, units));
  };
  if constexpr (kCentral && kCompliant) {
    StorePositive(step[kSpinning], compliance->spinning_step + lane);
    StorePositive(worst_step(), compliance->worst_step + lane);
  }
  if constexpr (!kCentral) {
    StorePositive(step[kSpinning], wide->spinning_step + lane);
    StorePositive(worst_step(), wide->worst_step + lane);
    for (size_t part = 0; part < kPartCount; ++part) {
      StorePositive(weight[part], wide->weight.part[part] + lane);
    }
  }
}

void CompleteBlocks(const BlockSpan& problem, const BlockChunk& chunk, const BodyMotion* motions,
                    bool projected, ContactBlock* blocks, WideBlock* wide,
                    ComplianceBlock* compliance) {
  for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
    const BlockView view = ViewBlock(problem, chunk, index);
    ContactBlock& block = blocks[index];
    WideBlock* const own = FindWide(wide, chunk, index);
    ComplianceBlock* const soft = compliance == nullptr ? nullptr : compliance + index;
    for (size_t lane = 0; lane < kLanes; lane += kWidth) {
      switch (chunk.kind.geometry) {
        case BlockGeometry::kCentral:
          CompleteVector<Central>(view, motions, projected, lane, block, nullptr, soft);
          break;
        case BlockGeometry::kRound:
          CompleteVector<Any<RoundInertia>>(view, motions, projected, lane, block, own, soft);
          break;
        case BlockGeometry::kFull:
          CompleteVector<Any<FullInertia>>(view, motions, projected, lane, block, own, soft);
          break;
      }
    }
  }
}

}  // namespace TALUS_KERNELS::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
