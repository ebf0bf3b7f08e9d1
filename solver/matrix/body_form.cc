#include "solver/matrix/body_form.h"

#include <Eigen/Dense>
#include <algorithm>
#include <utility>

#include "solver/matrix/scaled_problem.h"

namespace talus {
namespace {

constexpr Eigen::Index kRows = 6;  // of a body

// M⁻¹, a block a body; nothing where M is not made of such blocks.
std::optional<std::vector<Matrix6>> InvertMass(const SparseMatrix& mass) {
  if (mass.rows() % kRows != 0) return std::nullopt;
  std::vector<Matrix6> blocks(static_cast<size_t>(mass.rows() / kRows), Matrix6::Zero());
  for (Eigen::Index column = 0; column < mass.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(mass, column); entry; ++entry) {
      if (entry.row() / kRows != column / kRows) return std::nullopt;
      blocks[static_cast<size_t>(column / kRows)](entry.row() % kRows, column % kRows) =
          entry.value();
    }
  }
  for (Matrix6& block : blocks) {
    const Eigen::LLT<Matrix6> factor(block);
    if (factor.info() != Eigen::Success) return std::nullopt;
    block = factor.solve(Matrix6::Identity());
  }
  return blocks;
}

}  // namespace

std::optional<BodyForm> BodyForm::Make(const ScaledVelocities& velocities,
                                       const Eigen::VectorXd& compliance) {
  const auto inverse = InvertMass(velocities.mass);
  if (!inverse) return std::nullopt;
  BodyForm form;
  form.row_count_ = velocities.mass.rows();
  form.compliance_ = compliance;
  const auto block_count = static_cast<size_t>(velocities.directions.cols() / kRows);
  form.begins_.reserve(block_count + 1);
  form.arms_.reserve(2 * block_count);
  for (Eigen::Index first = 0; first < velocities.directions.cols(); first += kRows) {
    const size_t begin = form.arms_.size();
    for (Eigen::Index column = 0; column < kRows; ++column) {
      for (SparseMatrix::InnerIterator entry(velocities.directions, first + column); entry;
           ++entry) {
        const Eigen::Index row = entry.row() / kRows * kRows;
        auto arm =
            std::find_if(form.arms_.begin() + static_cast<std::ptrdiff_t>(begin), form.arms_.end(),
                         [&](const Arm& other) { return other.row == row; });
        if (arm == form.arms_.end()) arm = form.arms_.insert(arm, Arm{.row = row});
        arm->pull(column, entry.row() - row) = entry.value();
      }
    }
    for (size_t k = begin; k < form.arms_.size(); ++k) {
      Arm& arm = form.arms_[k];
      arm.push = (*inverse)[static_cast<size_t>(arm.row / kRows)] * arm.pull.transpose();
    }
    form.begins_.push_back(form.arms_.size());
  }
  return form;
}

Eigen::VectorXd BodyForm::Push(const Eigen::VectorXd& impulse) const {
  Eigen::VectorXd pushed = Eigen::VectorXd::Zero(row_count_);
  for (size_t i = 0; i + 1 < begins_.size(); ++i) {
    Push(i, impulse.segment<6>(kRows * static_cast<Eigen::Index>(i)), pushed);
  }
  return pushed;
}

Eigen::VectorXd BodyForm::Multiply(const Eigen::VectorXd& impulse) const {
  const Eigen::VectorXd pushed = Push(impulse);
  Eigen::VectorXd product(impulse.size());
  for (size_t i = 0; i + 1 < begins_.size(); ++i) {
    const auto at = kRows * static_cast<Eigen::Index>(i);
    product.segment<6>(at) = Pull(i, pushed, impulse.segment<6>(at));
  }
  return product;
}

}  // namespace talus
