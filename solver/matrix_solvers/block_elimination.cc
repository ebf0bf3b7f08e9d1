#include "solver/matrix_solvers/block_elimination.h"

#include <Eigen/OrderingMethods>
#include <algorithm>

namespace talus::matrix {
namespace {

// Which blocks have an entry in common, on either side of the diagonal.
SparseMatrix JoinBlocks(const SparseMatrix& matrix) {
  constexpr Eigen::Index kRows = BlockElimination::kRows;
  const Eigen::Index count = (matrix.cols() + kRows - 1) / kRows;
  std::vector<Eigen::Triplet<double>> pairs;
  std::vector<Eigen::Index> seen_from(static_cast<size_t>(count), -1);
  for (Eigen::Index block = 0; block < count; ++block) {
    const Eigen::Index end = std::min(kRows * (block + 1), matrix.cols());
    for (Eigen::Index column = kRows * block; column < end; ++column) {
      for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
        const Eigen::Index other = entry.row() / kRows;
        if (seen_from[static_cast<size_t>(other)] == block) continue;
        seen_from[static_cast<size_t>(other)] = block;
        pairs.emplace_back(static_cast<int>(other), static_cast<int>(block), 1.0);
        pairs.emplace_back(static_cast<int>(block), static_cast<int>(other), 1.0);
      }
    }
  }
  SparseMatrix joined(count, count);
  joined.setFromTriplets(pairs.begin(), pairs.end());
  return joined;
}

}  // namespace

BlockElimination::BlockElimination(const SparseMatrix& matrix) {
  if (matrix.cols() == 0) return;
  const SparseMatrix joined = JoinBlocks(matrix);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(joined, order);
  const std::span<const int> blocks(order.indices().data(),
                                    static_cast<size_t>(order.indices().size()));
  steps_.resize(blocks.size());
  for (size_t step = 0; step < blocks.size(); ++step) {
    steps_[static_cast<size_t>(blocks[step])] = static_cast<int32_t>(step);
  }
  FindLaterSteps(joined, blocks);
}

// What a step touches: what its own block is joined to, and what earlier steps touched whose first
// it was.
void BlockElimination::FindLaterSteps(const SparseMatrix& joined, std::span<const int> blocks) {
  const size_t count = blocks.size();
  std::vector<std::vector<size_t>> earlier(count);  // steps whose first later one this is
  std::vector<size_t> seen_from(count, count);
  for (size_t step = 0; step < count; ++step) {
    const size_t begin = later_.size();
    const auto note = [&](int32_t other) {
      if (other <= static_cast<int32_t>(step) || seen_from[static_cast<size_t>(other)] == step) {
        return;
      }
      seen_from[static_cast<size_t>(other)] = step;
      later_.push_back(other);
    };
    for (SparseMatrix::InnerIterator entry(joined, blocks[step]); entry; ++entry) {
      note(steps_[static_cast<size_t>(entry.row())]);
    }
    for (const size_t before : earlier[step]) {
      for (size_t k = begins_[before]; k < begins_[before + 1]; ++k) note(later_[k]);
    }
    std::sort(later_.begin() + static_cast<ptrdiff_t>(begin), later_.end());
    begins_.push_back(later_.size());
    if (later_.size() > begin) earlier[static_cast<size_t>(later_[begin])].push_back(step);
    const auto touched = static_cast<double>(later_.size() - begin);
    const auto rows = static_cast<double>(kRows);
    operation_count_ += rows * rows * rows * (2.0 / 3.0 + 2.0 * touched + 2.0 * touched * touched);
  }
}

size_t BlockElimination::PlaceOf(size_t step, int32_t later) const {
  const std::span<const int32_t> all = LaterSteps(step);
  return begins_[step] + static_cast<size_t>(std::ranges::lower_bound(all, later) - all.begin());
}

}  // namespace talus::matrix
