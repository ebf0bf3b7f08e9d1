#include "solver/matrix_solvers/velocity_matrix.h"

#include <algorithm>

namespace talus::matrix {

VelocityMatrix::VelocityMatrix(const ScaledVelocities& form)
    : form_(form), blocks_(static_cast<size_t>(form.directions.cols() / 6)) {
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const auto columns = form.directions.middleCols<6>(6 * static_cast<Eigen::Index>(i));
    std::vector<Eigen::Index> rows;
    for (int column = 0; column < 6; ++column) {
      for (decltype(columns)::InnerIterator entry(columns, column); entry; ++entry) {
        rows.push_back(entry.row());
      }
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    Block& block = blocks_[i];
    for (size_t own = 0; own < rows.size(); ++own) {
      if (own == 0 || rows[own] != rows[own - 1] + 1) {
        block.runs.push_back({rows[own], static_cast<Eigen::Index>(own), 0});
      }
      ++block.runs.back().size;
    }
    block.directions.setZero(static_cast<Eigen::Index>(rows.size()), 6);
    for (int column = 0; column < 6; ++column) {
      for (decltype(columns)::InnerIterator entry(columns, column); entry; ++entry) {
        const auto own = std::ranges::lower_bound(rows, entry.row()) - rows.begin();
        block.directions(own, column) = entry.value();
      }
    }
  }
}

void VelocityMatrix::MakePlaces() {
  std::vector<Eigen::Triplet<double>> moved;  // what each block moves, a column a block
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (!blocks_[i].has_places) continue;
    for (const Run& run : blocks_[i].runs) {
      for (Eigen::Index k = 0; k < run.size; ++k) {
        moved.emplace_back(static_cast<int>(run.row + k), static_cast<int>(i), 1.0);
      }
    }
  }
  SparseMatrix touched(form_.mass.rows(), static_cast<Eigen::Index>(blocks_.size()));
  touched.setFromTriplets(moved.begin(), moved.end());
  SparseMatrix joined = touched * SparseMatrix(touched.transpose());
  std::fill_n(joined.valuePtr(), joined.nonZeros(), 0.0);
  matrix_ = form_.mass + joined;
  mass_.assign(matrix_.valuePtr(), matrix_.valuePtr() + matrix_.nonZeros());
  for (Block& block : blocks_) {
    if (block.has_places) FindPlaces(block);
  }
}

void VelocityMatrix::FindPlaces(Block& block) const {
  block.places.clear();
  const int* const rows = matrix_.innerIndexPtr();
  for (const Run& across : block.runs) {
    for (Eigen::Index k = 0; k < across.size; ++k) {
      const int* const begin = rows + matrix_.outerIndexPtr()[across.row + k];
      const int* const end = rows + matrix_.outerIndexPtr()[across.row + k + 1];
      for (const Run& down : block.runs) {
        // The rows of a run have places one after the other: nothing fits between them.
        block.places.push_back(std::lower_bound(begin, end, static_cast<int>(down.row)) - rows);
      }
    }
  }
}

void VelocityMatrix::Add(const Block& block, const Eigen::MatrixXd& own) {
  const Eigen::Index* place = block.places.data();
  for (const Run& across : block.runs) {
    for (Eigen::Index k = 0; k < across.size; ++k) {
      for (const Run& down : block.runs) {
        Eigen::Map<Eigen::VectorXd>(matrix_.valuePtr() + *place++, down.size) +=
            own.col(across.own + k).segment(down.own, down.size);
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
  Eigen::Matrix<double, Eigen::Dynamic, 6> pushed;
  Eigen::MatrixXd own;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (derivatives[i].isZero(0.0)) continue;
    pushed.noalias() = blocks_[i].directions * derivatives[i];
    own.noalias() = pushed.lazyProduct(blocks_[i].directions.transpose());
    Add(blocks_[i], own);
  }
  for (size_t k = 0; k < mass_.size(); ++k) values[k] = mass_[k] + kappa * values[k];
  return matrix_;
}

}  // namespace talus::matrix
