#include "solver/matrix/scaled_delassus.h"

namespace talus {

ScaledDelassus::ScaledDelassus(const BlockMatrix& w, const Eigen::VectorXd& compliance,
                               const Eigen::VectorXd& steps)
    : stored_count_(w.stored_count()), w_(w), compliance_(compliance), steps_(steps) {
  diagonal_.reserve(w.block_count());
  for (size_t row = 0; row < w.block_count(); ++row) {
    const auto at = 6 * static_cast<Eigen::Index>(row);
    const Wrench own = steps.segment<6>(at);
    Matrix6 block = w.Diagonal(row);
    block.diagonal() += compliance.segment<6>(at);
    diagonal_.push_back(ScaleBothSides(block, own, own));
  }
}

void ScaledDelassus::MakeWhole() const {
  whole_ = w_.Scaled(steps_, compliance_);
  w_ = {};
}

}  // namespace talus
