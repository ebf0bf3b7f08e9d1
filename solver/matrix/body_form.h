// W' of a scaled problem by way of the bodies, W' = H'ᵀ M⁻¹ H' + E', a block at a time: what a
// sweep takes when bodies have many contacts. A row of W' costs one product of blocks for each
// contact of its bodies; by way of the bodies it costs two for each of its bodies.
//
// For masses that are blocks of six rows, as those of rigid bodies.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/matrix/matrix_problem.h"

namespace talus {

struct ScaledVelocities;

class BodyForm {
 public:
  // Nothing where M joins rows of different blocks. `compliance`: the diagonal of E'.
  static std::optional<BodyForm> Make(const ScaledVelocities& velocities,
                                      const Eigen::VectorXd& compliance);

  // Products of blocks in one Multiply.
  size_t product_count() const { return 2 * arms_.size(); }

  // M⁻¹ H' γ: six rows a body.
  Eigen::VectorXd Push(const Eigen::VectorXd& impulse) const;
  // Row i of W' γ, where `pushed` is Push(γ) and `own` is γ_i. This and the next are in the loop
  // that a sweep waits for.
  Wrench Pull(size_t block, const Eigen::VectorXd& pushed, const Wrench& own) const {
    Wrench row = compliance_.segment<6>(6 * static_cast<Eigen::Index>(block)).cwiseProduct(own);
    for (const Arm& arm : Arms(block)) row += arm.pull * pushed.segment<6>(arm.row);
    return row;
  }
  // What changes of it when γ_i changes.
  void Push(size_t block, const Wrench& change, Eigen::VectorXd& pushed) const {
    for (const Arm& arm : Arms(block)) pushed.segment<6>(arm.row) += arm.push * change;
  }

  // W' γ
  Eigen::VectorXd Multiply(const Eigen::VectorXd& impulse) const;

 private:
  // What a block of impulses does to one body.
  struct Arm {
    Eigen::Index row = 0;            // the first of the body's
    Matrix6 push = Matrix6::Zero();  // M⁻¹ H'
    Matrix6 pull = Matrix6::Zero();  // H'ᵀ
  };

  std::span<const Arm> Arms(size_t block) const {
    return {arms_.data() + begins_[block], begins_[block + 1] - begins_[block]};
  }

  Eigen::Index row_count_ = 0;  // of velocities
  Eigen::VectorXd compliance_;
  std::vector<size_t> begins_ = {0};  // in arms_, by block
  std::vector<Arm> arms_;
};

}  // namespace talus
