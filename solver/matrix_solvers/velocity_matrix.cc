#include "solver/matrix_solvers/velocity_matrix.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace talus::matrix {

namespace {
constexpr size_t kUsualRuns = 2;  // of a block: the two bodies that touch
}  // namespace

VelocityMatrix::VelocityMatrix(const ScaledVelocities& form)
    : form_(form), blocks_(static_cast<size_t>(form.directions.cols() / 6)) {
  runs_.reserve(kUsualRuns * blocks_.size());
  std::vector<Eigen::Index> rows;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    AddRuns(6 * static_cast<Eigen::Index>(i), rows, blocks_[i]);
  }
}

// `rows`: those that the block moves, ascending; what is in it before is of no account.
void VelocityMatrix::AddRuns(Eigen::Index first_column, std::vector<Eigen::Index>& rows,
                             Block& block) {
  const auto columns = form_.directions.middleCols<6>(first_column);
  rows.clear();
  for (int column = 0; column < 6; ++column) {
    for (decltype(columns)::InnerIterator entry(columns, column); entry; ++entry) {
      const auto at = std::ranges::lower_bound(rows, entry.row());
      if (at == rows.end() || *at != entry.row()) rows.insert(at, entry.row());
    }
  }
  block.first_run = runs_.size();
  for (const Eigen::Index row : rows) {
    if (runs_.size() == block.first_run || runs_.back().size == 6 ||
        row != runs_.back().row + runs_.back().size) {
      runs_.push_back({.row = row});
    }
    ++runs_.back().size;
  }
  block.run_count = runs_.size() - block.first_run;
  for (int column = 0; column < 6; ++column) {
    auto run = runs_.begin() + static_cast<std::ptrdiff_t>(block.first_run);
    for (decltype(columns)::InnerIterator entry(columns, column); entry; ++entry) {
      while (entry.row() >= run->row + run->size) ++run;
      run->directions(entry.row() - run->row, column) = entry.value();
    }
  }
}

VelocityMatrix::Columns VelocityMatrix::FindColumns() const {
  Columns columns;
  columns.begin.resize(static_cast<size_t>(form_.mass.cols()) + 1, 0);
  const auto visit = [this](const auto& with) {
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (!blocks_[i].has_places) continue;
      for (const Run& run : Runs(blocks_[i])) {
        for (Eigen::Index k = 0; k < run.size; ++k) with(static_cast<size_t>(run.row + k), i);
      }
    }
  };
  visit([&](size_t column, size_t) { ++columns.begin[column + 1]; });
  std::partial_sum(columns.begin.begin(), columns.begin.end(), columns.begin.begin());
  columns.blocks.resize(columns.begin.back());
  std::vector<size_t> next = columns.begin;
  visit([&](size_t column, size_t block) { columns.blocks[next[column]++] = block; });
  return columns;
}

void VelocityMatrix::MakePlaces() {
  const Columns columns = FindColumns();
  const Eigen::Index size = form_.mass.cols();
  matrix_.resize(size, size);
  mass_.clear();
  std::vector<std::pair<Eigen::Index, Eigen::Index>> rows;  // from, to
  // By row: the last column that a run from there has been seen in, and how far one reached. Those
  // of a body's contacts are many and the same.
  std::vector<std::pair<Eigen::Index, Eigen::Index>> seen(static_cast<size_t>(size), {-1, 0});
  for (Eigen::Index column = 0; column < size; ++column) {
    rows.clear();
    for (size_t k = columns.begin[static_cast<size_t>(column)];
         k < columns.begin[static_cast<size_t>(column) + 1]; ++k) {
      for (const Run& run : Runs(blocks_[columns.blocks[k]])) {
        const std::pair reach(column, run.row + run.size);
        if (reach <= seen[static_cast<size_t>(run.row)]) continue;
        seen[static_cast<size_t>(run.row)] = reach;
        rows.emplace_back(run.row, reach.second);
      }
    }
    SparseMatrix::InnerIterator entry(form_.mass, column);
    for (auto own = entry; own; ++own) rows.emplace_back(own.row(), own.row() + 1);
    std::ranges::sort(rows);
    matrix_.startVec(column);
    Eigen::Index row = 0;
    for (const auto& [from, to] : rows) {
      for (row = std::max(row, from); row < to; ++row) {
        const bool of_mass = entry && entry.row() == row;
        matrix_.insertBack(row, column) = 0.0;
        mass_.push_back(of_mass ? entry.value() : 0.0);
        if (of_mass) ++entry;
      }
    }
  }
  matrix_.finalize();
  places_.clear();
  for (Block& block : blocks_) {
    if (block.has_places) FindPlaces(block);
  }
}

void VelocityMatrix::FindPlaces(Block& block) {
  block.first_place = places_.size();
  const int* const rows = matrix_.innerIndexPtr();
  for (const Run& across : Runs(block)) {
    for (const Run& down : Runs(block)) {
      for (Eigen::Index k = 0; k < across.size; ++k) {
        const int* const begin = rows + matrix_.outerIndexPtr()[across.row + k];
        const int* const end = rows + matrix_.outerIndexPtr()[across.row + k + 1];
        // The rows of a run have places one after the other: nothing fits between them.
        places_.push_back(std::lower_bound(begin, end, static_cast<int>(down.row)) - rows);
      }
    }
  }
}

void VelocityMatrix::Add(const Block& block, const Matrix6& derivative) {
  const Eigen::Index* place = places_.data() + block.first_place;
  for (const Run& across : Runs(block)) {
    const Matrix6 pulled = derivative * across.directions.transpose();
    for (const Run& down : Runs(block)) {
      const Matrix6 part = down.directions * pulled;
      for (Eigen::Index k = 0; k < across.size; ++k) {
        double* const values = matrix_.valuePtr() + *place++;
        if (down.size == 6) {
          Eigen::Map<Wrench>(values) += part.col(k);
        } else {
          Eigen::Map<Eigen::VectorXd>(values, down.size) += part.col(k).head(down.size);
        }
      }
    }
  }
}

const SparseMatrix& VelocityMatrix::Assemble(std::span<const Matrix6> derivatives, double kappa) {
  bool more = matrix_.rows() != form_.mass.rows();
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].has_places || derivatives[i].isZero(0.0)) continue;
    blocks_[i].has_places = more = true;
  }
  if (more) MakePlaces();
  double* const values = matrix_.valuePtr();
  std::fill_n(values, mass_.size(), 0.0);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (!derivatives[i].isZero(0.0)) Add(blocks_[i], derivatives[i]);
  }
  for (size_t k = 0; k < mass_.size(); ++k) values[k] = mass_[k] + kappa * values[k];
  return matrix_;
}

}  // namespace talus::matrix
